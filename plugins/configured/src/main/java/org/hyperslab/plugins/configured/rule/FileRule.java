package org.hyperslab.plugins.configured.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Place;
import org.hyperslab.plugins.configured.document.Scalars;
import org.hyperslab.plugins.configured.document.Section;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.Connectors;

/**
 * What a configuration file sets for the files whose names match.
 *
 * <p>Thread rule: immutable.
 *
 * @param place where the rule begins
 * @param names the patterns, of which a file's name must match one
 * @param force whether settings hold also where the program has chosen
 * @param connector the stack of connectors
 * @param hints options of the connector {@code mpiio}, in the order of the file
 * @param opening what is set when a file is opened or created
 * @param creation what is set when a file is created
 * @param groups rules for groups
 * @param datasets rules for datasets
 */
public record FileRule(
    Place place,
    List<PathPattern> names,
    boolean force,
    Optional<StackSetting> connector,
    Map<String, DocumentNode.Scalar> hints,
    List<Setting<OpenOptions, OpenOptions.Builder>> opening,
    List<Setting<CreateOptions, CreateOptions.Builder>> creation,
    List<GroupRule> groups,
    List<DatasetRule> datasets) {

  private static final String CONFIGURED = "configured";

  /**
   * A stack of connectors.
   *
   * @param stack the stack
   * @param place where it stands
   */
  public record StackSetting(ConnectorConfiguration stack, Place place) {}

  /** Copies the lists. */
  public FileRule {
    names = List.copyOf(names);
    hints = new LinkedHashMap<>(hints);
    opening = List.copyOf(opening);
    creation = List.copyOf(creation);
    groups = List.copyOf(groups);
    datasets = List.copyOf(datasets);
  }

  /**
   * {@return a rule}
   *
   * @param node its part of the file
   * @throws InvalidUseException if a key is unknown or a value impossible, with line and column
   */
  public static FileRule read(DocumentNode node) {
    Section section = Section.of(node);
    FileRule rule =
        new FileRule(
            section.place(),
            Patterns.files(section),
            section.find("force").map(Scalars::flag).orElse(false),
            section.find("connector").map(FileRule::stack),
            hints(section),
            FileSettingTables.opening(section),
            FileSettingTables.creation(section),
            groups(section),
            datasets(section));
    section.rejectUnknown();
    rule.requireOrder();
    return rule;
  }

  private static StackSetting stack(DocumentNode node) {
    ConnectorConfiguration stack;
    try {
      stack = Connectors.parse(Scalars.text(node));
    } catch (InvalidUseException e) {
      throw node.place().problem(e.getMessage());
    }
    if (stack.find(CONFIGURED).isPresent()) {
      throw node.place().problem("a stack that a configuration file chooses has no configured");
    }
    return new StackSetting(stack, node.place());
  }

  private static Map<String, DocumentNode.Scalar> hints(Section section) {
    Map<String, DocumentNode.Scalar> hints = new LinkedHashMap<>();
    section
        .find("hints")
        .map(Section::of)
        .ifPresent(given -> {
          for (String key : given.keys()) {
            DocumentNode value = given.require(key);
            hints.put(key, new DocumentNode.Scalar(value.place(), Scalars.text(value)));
          }
        });
    return hints;
  }

  private static List<GroupRule> groups(Section section) {
    return section.list("groups").stream().map(GroupRule::read).toList();
  }

  private static List<DatasetRule> datasets(Section section) {
    return section.list("datasets").stream().map(DatasetRule::read).toList();
  }

  /** Refuses version bounds in the wrong order: they could never hold together. */
  private void requireOrder() {
    OpenOptions.Builder builder = OpenOptions.builder();
    try {
      opening.forEach(setting -> setting.change().accept(builder));
      if (opening.stream().filter(setting -> setting.key().matches("low|high")).count() == 2) {
        builder.build();
      }
    } catch (InvalidUseException e) {
      throw place.problem(e.getMessage());
    }
  }

  /**
   * {@return whether the rule holds for a file}
   *
   * @param name the name of the file: an absolute path, or a URI
   */
  public boolean holdsFor(String name) {
    return Patterns.anyMatches(names, name);
  }
}
