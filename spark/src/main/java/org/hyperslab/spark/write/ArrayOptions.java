package org.hyperslab.spark.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FilterSpec;

/**
 * What a program says about the arrays that it writes: the options of {@code df.write}.
 *
 * <p>Thread rule: immutable.
 *
 * @param path the file
 * @param dimensions the dimensions, slowest first; empty for one dimension of rows
 * @param coordinates whether columns of dimensions have coordinates; otherwise indices from 0
 * @param chunk the lengths of chunks; empty for automatic ones
 * @param filters how chunks are compressed
 */
record ArrayOptions(
    String path,
    List<Dimension> dimensions,
    boolean coordinates,
    List<Long> chunk,
    List<FilterSpec> filters) {

  private static final Set<String> NAMES =
      Set.of("path", "dimensions", "coordinates", "chunks", "compression", "level");

  /** The option by which Spark passes the columns of {@code partitionBy}. */
  private static final String PARTITIONS = "__partition_columns";

  /**
   * A dimension.
   *
   * @param name the name of its column, and in the file
   * @param length its length, if it was given
   */
  record Dimension(String name, OptionalLong length) {}

  /** Reads the options; one that is not known is refused. */
  static ArrayOptions of(Map<String, String> given) {
    Map<String, String> options = new LinkedHashMap<>();
    given.forEach((name, value) -> options.put(name.toLowerCase(Locale.ROOT), value));
    if (!options.getOrDefault(PARTITIONS, "[]").equals("[]")) {
      throw new InvalidUseException(
          "partitionBy: actual="
              + options.get(PARTITIONS)
              + ", expected=none; filter the rows of each file and write them one after another");
    }
    options.remove(PARTITIONS);
    for (String name : options.keySet()) {
      if (!NAMES.contains(name)) {
        throw new InvalidUseException(
            "option of hyperslab for writing: actual="
                + name
                + ", expected=one of "
                + NAMES.stream().sorted().toList());
      }
    }
    String path = options.getOrDefault("path", "");
    if (path.isEmpty() || path.matches("(?i)(https?|s3|s3a)://.*")) {
      throw new InvalidUseException(
          "path: actual=" + (path.isEmpty() ? "none" : path) + ", expected=a file on a disk");
    }
    List<Dimension> dimensions = new ArrayList<>();
    for (String each : parts(options.getOrDefault("dimensions", ""))) {
      String[] pair = each.split("=", 2);
      OptionalLong length =
          pair.length == 2
              ? OptionalLong.of(positive("dimensions", pair[1]))
              : OptionalLong.empty();
      dimensions.add(new Dimension(pair[0].strip(), length));
    }
    List<Long> chunk =
        parts(options.getOrDefault("chunks", "")).stream()
            .map(each -> positive("chunks", each))
            .toList();
    if (!chunk.isEmpty() && chunk.size() != Math.max(1, dimensions.size())) {
      throw new InvalidUseException(
          "option chunks: actual="
              + chunk
              + ", expected=a length for each of "
              + dimensions.stream().map(Dimension::name).toList());
    }
    return new ArrayOptions(
        path.replaceFirst("^file:(//)?", ""),
        dimensions,
        isCoordinates(options.getOrDefault("coordinates", "values")),
        chunk,
        filters(options));
  }

  private static boolean isCoordinates(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "values" -> true;
      case "indexes" -> false;
      default ->
          throw new InvalidUseException(
              "option coordinates: actual=" + word + ", expected=values or indexes");
    };
  }

  private static List<String> parts(String text) {
    return List.of(text.split(",")).stream().map(String::strip).filter(t -> !t.isEmpty()).toList();
  }

  private static long positive(String name, String text) {
    try {
      long value = Long.parseLong(text.strip());
      if (value > 0) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // told below
    }
    throw new InvalidUseException(
        "option " + name + ": actual=" + text + ", expected=positive lengths");
  }

  private static List<FilterSpec> filters(Map<String, String> options) {
    String name = options.getOrDefault("compression", "deflate").toLowerCase(Locale.ROOT);
    Optional<Integer> level =
        Optional.ofNullable(options.get("level")).map(text -> (int) positive("level", text));
    return switch (name) {
      case "none", "uncompressed" -> List.of();
      case "deflate", "gzip" -> List.of(FilterSpec.shuffle(), FilterSpec.deflate(level.orElse(1)));
      case "zstd" -> List.of(FilterSpec.shuffle(), FilterSpec.zstd(level.orElse(3)));
      case "lz4" -> List.of(FilterSpec.shuffle(), FilterSpec.lz4());
      default ->
          throw new InvalidUseException(
              "option compression: actual=" + name + ", expected=none, deflate, zstd or lz4");
    };
  }
}
