package org.hyperslab.plugins.configured.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Scalars;
import org.hyperslab.plugins.configured.document.Section;

/**
 * What a configuration file sets when datasets are created, and for transfers of their elements.
 *
 * <p>Thread rule: immutable.
 *
 * @param paths the patterns, of which a dataset's path must match one
 * @param rank the number of dimensions that a dataset must have; empty for any
 * @param atLeast the least number of bytes that the elements must take when the dataset is created
 * @param chunks the shape of its chunks
 * @param filters its filters
 * @param settings the other settings of its creation
 * @param transfer properties of transfers
 */
public record DatasetRule(
    List<PathPattern> paths,
    OptionalInt rank,
    long atLeast,
    Optional<ChunkSetting> chunks,
    Optional<FilterSetting> filters,
    List<Setting<DatasetOptions, DatasetOptions.Builder>> settings,
    Map<String, String> transfer) {

  private static final int MOST_DIMENSIONS = 32;

  private static final SettingTable<DatasetOptions, DatasetOptions.Builder> TABLE =
      SettingTable.<DatasetOptions, DatasetOptions.Builder>of(DatasetOptions.DEFAULT)
          .with(
              "allocation",
              node -> Scalars.word(node, AllocationTime.class),
              DatasetOptions::allocationTime,
              DatasetOptions.Builder::allocationTime)
          .with(
              "fillTime",
              node -> Scalars.word(node, FillValue.Time.class),
              DatasetOptions::fillTime,
              DatasetOptions.Builder::fillTime)
          .with(
              "trackTimes",
              Scalars::flag,
              DatasetOptions::trackTimes,
              DatasetOptions.Builder::trackTimes);

  /** Copies the lists. */
  public DatasetRule {
    paths = List.copyOf(paths);
    settings = List.copyOf(settings);
    transfer = Map.copyOf(transfer);
  }

  static DatasetRule read(DocumentNode node) {
    Section section = Section.of(node);
    OptionalInt rank =
        section
            .find("rank")
            .map(given -> OptionalInt.of((int) Scalars.number(given, 1, MOST_DIMENSIONS)))
            .orElse(OptionalInt.empty());
    DatasetRule rule =
        new DatasetRule(
            Patterns.objects(section),
            rank,
            section.find("atLeast").map(Scalars::bytes).orElse(0L),
            section.find("chunks").map(given -> ChunkSetting.read(given, rank)),
            section.find("filters").map(FilterSetting::read),
            TABLE.take(section),
            transfer(section));
    section.rejectUnknown();
    return rule;
  }

  private static Map<String, String> transfer(Section section) {
    Map<String, String> properties = new TreeMap<>();
    section
        .find("transfer")
        .map(Section::of)
        .ifPresent(given -> {
          for (String key : given.keys()) {
            properties.put(key, Scalars.text(given.require(key)));
          }
        });
    return properties;
  }

  /**
   * {@return whether a path matches one of the patterns}
   *
   * @param path the path of a dataset, from the root
   */
  public boolean matches(String path) {
    return Patterns.anyMatches(paths, path);
  }

  /**
   * {@return whether the rule holds for a dataset that is created}
   *
   * @param path the path of the dataset, from the root
   * @param dimensions the number of its dimensions
   * @param bytes the bytes that its elements take
   */
  public boolean holdsFor(String path, int dimensions, long bytes) {
    return bytes >= atLeast && (rank.isEmpty() || rank.getAsInt() == dimensions) && matches(path);
  }
}
