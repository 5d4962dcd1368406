package org.hyperslab.plugins.configured.rule;

import java.util.List;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Scalars;
import org.hyperslab.plugins.configured.document.Section;

/**
 * What a configuration file sets when groups are created.
 *
 * <p>Thread rule: immutable.
 *
 * @param paths the patterns, of which a group's path must match one
 * @param settings the settings
 */
public record GroupRule(
    List<PathPattern> paths, List<Setting<GroupOptions, GroupOptions.Builder>> settings) {

  private static final int MOST_LINKS = 65_535;

  private static final SettingTable<GroupOptions, GroupOptions.Builder> TABLE =
      SettingTable.<GroupOptions, GroupOptions.Builder>of(GroupOptions.DEFAULT)
          .with(
              "creationOrder",
              Scalars::flag,
              GroupOptions::creationOrderTracked,
              (builder, on) -> builder.creationOrderTracked(on).creationOrderIndexed(on))
          .with(
              "trackTimes",
              Scalars::flag,
              GroupOptions::trackTimes,
              GroupOptions.Builder::trackTimes)
          .with(
              "maxCompact",
              node -> (int) Scalars.number(node, 0, MOST_LINKS),
              GroupOptions::maxCompact,
              GroupOptions.Builder::maxCompact)
          .with(
              "minDense",
              node -> (int) Scalars.number(node, 0, MOST_LINKS),
              GroupOptions::minDense,
              GroupOptions.Builder::minDense);

  /** Copies the lists. */
  public GroupRule {
    paths = List.copyOf(paths);
    settings = List.copyOf(settings);
  }

  static GroupRule read(DocumentNode node) {
    Section section = Section.of(node);
    GroupRule rule = new GroupRule(Patterns.objects(section), TABLE.take(section));
    section.rejectUnknown();
    return rule;
  }

  /**
   * {@return whether the rule holds for a group}
   *
   * @param path the path of the group, from the root
   */
  public boolean holdsFor(String path) {
    return Patterns.anyMatches(paths, path);
  }
}
