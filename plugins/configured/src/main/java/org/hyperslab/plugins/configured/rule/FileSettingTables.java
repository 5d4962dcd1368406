package org.hyperslab.plugins.configured.rule;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Scalars;
import org.hyperslab.plugins.configured.document.Section;

/** Reads what a configuration file sets when a file is opened or created. */
final class FileSettingTables {

  private static final int MAX_THREADS = 1024;

  private static final SettingTable<OpenOptions, OpenOptions.Builder> OPENING =
      SettingTable.<OpenOptions, OpenOptions.Builder>of(OpenOptions.READ)
          .with(
              "durability",
              node -> Scalars.word(node, Durability.class),
              OpenOptions::durability,
              OpenOptions.Builder::durability)
          .with(
              "locking",
              node -> Scalars.word(node, Locking.class),
              OpenOptions::locking,
              OpenOptions.Builder::locking)
          .with(
              "low",
              node -> Scalars.word(node, FormatVersion.class),
              OpenOptions::low,
              OpenOptions.Builder::low)
          .with(
              "high",
              node -> Scalars.word(node, FormatVersion.class),
              OpenOptions::high,
              OpenOptions.Builder::high)
          .with(
              "cacheBytes",
              Scalars::bytes,
              OpenOptions::cacheBytes,
              OpenOptions.Builder::cacheBytes)
          .with(
              "threads",
              node -> (int) Scalars.number(node, 0, MAX_THREADS),
              OpenOptions::threads,
              OpenOptions.Builder::threads);

  private static final SettingTable<CreateOptions, CreateOptions.Builder> CREATION =
      SettingTable.<CreateOptions, CreateOptions.Builder>of(CreateOptions.DEFAULT)
          .with(
              "space",
              FileSettingTables::space,
              CreateOptions::space,
              CreateOptions.Builder::space);

  private FileSettingTables() {}

  /** Takes what holds whenever a file is opened or created. */
  static List<Setting<OpenOptions, OpenOptions.Builder>> opening(Section section) {
    List<Setting<OpenOptions, OpenOptions.Builder>> taken = new ArrayList<>(OPENING.take(section));
    section.find("properties").ifPresent(node -> taken.addAll(properties(Section.of(node))));
    return taken;
  }

  private static List<Setting<OpenOptions, OpenOptions.Builder>> properties(Section section) {
    List<Setting<OpenOptions, OpenOptions.Builder>> taken = new ArrayList<>();
    for (String name : section.keys()) {
      DocumentNode node = section.require(name);
      String value = Scalars.text(node);
      taken.add(
          new Setting<>(
              "properties." + name,
              value,
              node.place(),
              options -> options.properties().containsKey(name),
              builder -> builder.property(name, value)));
    }
    return taken;
  }

  /** Takes what holds when a file is created. */
  static List<Setting<CreateOptions, CreateOptions.Builder>> creation(Section section) {
    return CREATION.take(section);
  }

  /** Reads a strategy: its word alone, or a mapping with the word under {@code kind}. */
  private static SpaceStrategy space(DocumentNode node) {
    SpaceStrategy usual = SpaceStrategy.DEFAULT;
    if (node instanceof DocumentNode.Scalar) {
      SpaceStrategy.Kind kind = Scalars.word(node, SpaceStrategy.Kind.class);
      return new SpaceStrategy(kind, usual.persist(), usual.thresholdBytes(), usual.pageBytes());
    }
    Section section = Section.of(node);
    SpaceStrategy strategy =
        new SpaceStrategy(
            Scalars.word(section.require("kind"), SpaceStrategy.Kind.class),
            section.find("persist").map(Scalars::flag).orElse(usual.persist()),
            section.find("thresholdBytes").map(Scalars::bytes).orElse(usual.thresholdBytes()),
            section.find("pageBytes").map(Scalars::bytes).orElse(usual.pageBytes()));
    section.rejectUnknown();
    return strategy;
  }
}
