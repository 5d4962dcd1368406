package org.hyperslab.spark.table;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;

/**
 * What a query says about the table that it reads: the options of {@code spark.read}.
 *
 * <p>Names are compared without regard to case, as by Spark. A name that is not known is refused.
 *
 * <p>Thread rule: immutable.
 *
 * @param paths files, folders, patterns and URIs, as given
 * @param variables the datasets to read; empty for all that have the shape of one table
 * @param layout what a row is
 * @param coordinates which columns stand for a dimension
 * @param decode whether fill values, packing and times are decoded
 * @param skipDamaged whether rows whose bytes cannot be read are left out instead of an error
 * @param fileColumn the name of a column with the file of each row, if there is to be one
 * @param partitionBytes the size of a partition in bytes of elements; 0 for Spark's own setting
 * @param properties settings for opening files, as {@code OpenOptions} has them
 */
public record SourceOptions(
    List<String> paths,
    List<Variable> variables,
    RowLayout layout,
    CoordinateColumns coordinates,
    boolean decode,
    boolean skipDamaged,
    Optional<String> fileColumn,
    long partitionBytes,
    Map<String, String> properties) {

  /** The prefix of options that are passed on to the opening of files. */
  public static final String PROPERTY = "property.";

  private static final String PATH = "path";
  private static final String PATHS = "paths";

  /** The names of all options of reading but those with the prefix {@link #PROPERTY}. */
  static final Set<String> NAMES =
      Set.of(
          PATH,
          PATHS,
          "variables",
          "layout",
          "coordinates",
          "decode",
          "damaged",
          "filecolumn",
          "partitionbytes");

  /** What Spark adds to the options of a table that its catalog has. */
  private static final Set<String> OF_CATALOG =
      Set.of("provider", "owner", "location", "external", "is_managed_location", "comment");

  /** What a row of the table is. */
  public enum RowLayout {
    /** A row for each element. */
    ELEMENTS,
    /** A row for each chunk. */
    CHUNKS
  }

  /** Which columns a dimension with a coordinate variable has. */
  public enum CoordinateColumns {
    /** The value of the coordinate variable. */
    VALUES,
    /** The index, from 0. */
    INDEXES,
    /** Both; the index is named after the dimension with {@code _index} at its end. */
    BOTH
  }

  /**
   * A dataset of a table.
   *
   * @param path its path in each file
   * @param name the name of its column
   */
  public record Variable(String path, String name) implements Serializable {

    /** Parses {@code /group/name} or {@code /group/name AS column}. */
    static Variable of(String text) {
      String[] parts = text.strip().split("(?i)\\s+as\\s+", 2);
      String path = parts[0].startsWith("/") ? parts[0] : "/" + parts[0];
      String last = path.substring(path.lastIndexOf('/') + 1);
      return new Variable(path, parts.length == 2 ? parts[1].strip() : last);
    }
  }

  /** Copies the collections. */
  public SourceOptions {
    paths = List.copyOf(paths);
    variables = List.copyOf(variables);
    properties = Map.copyOf(properties);
  }

  /**
   * Reads the options.
   *
   * @param options the options by name, with the case in which they were written
   * @return the options
   * @throws InvalidUseException if a name or a value is unknown, or there is no path
   */
  public static SourceOptions of(Map<String, String> options) {
    Map<String, String> known = new LinkedHashMap<>();
    Map<String, String> properties = new LinkedHashMap<>();
    options.forEach((name, value) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (lower.startsWith(PROPERTY)) {
        properties.put(name.substring(PROPERTY.length()), value);
      } else if (NAMES.contains(lower)) {
        known.put(lower, value);
      } else if (!OF_CATALOG.contains(lower)) {
        throw new InvalidUseException(
            "option of hyperslab: actual="
                + name
                + ", expected=one of "
                + NAMES.stream().sorted().toList()
                + " or "
                + PROPERTY
                + "NAME");
      }
    });
    List<String> paths = new ArrayList<>();
    if (known.containsKey(PATHS)) {
      paths.addAll(JsonTexts.list(known.get(PATHS)));
    }
    if (known.containsKey(PATH)) {
      paths.add(known.get(PATH));
    } else if (paths.isEmpty() && options.containsKey("location")) {
      paths.add(options.get("location"));
    }
    if (paths.isEmpty()) {
      throw new InvalidUseException("path: actual=none, expected=load(PATH) with a file or folder");
    }
    return new SourceOptions(
        paths,
        variables(known.getOrDefault("variables", "")),
        word(
            known,
            "layout",
            "elements",
            Map.of("elements", RowLayout.ELEMENTS, "chunks", RowLayout.CHUNKS)),
        word(
            known,
            "coordinates",
            "values",
            Map.of(
                "values", CoordinateColumns.VALUES,
                "indexes", CoordinateColumns.INDEXES,
                "both", CoordinateColumns.BOTH)),
        word(known, "decode", "true", Map.of("true", true, "false", false)),
        word(known, "damaged", "fail", Map.of("fail", false, "skip", true)),
        Optional.ofNullable(known.get("filecolumn")),
        bytes(known.getOrDefault("partitionbytes", "0")),
        properties);
  }

  private static List<Variable> variables(String text) {
    return Arrays.stream(text.split(","))
        .filter(each -> !each.isBlank())
        .map(Variable::of)
        .toList();
  }

  private static <T> T word(
      Map<String, String> options, String name, String otherwise, Map<String, T> words) {
    String text = options.getOrDefault(name, otherwise);
    T value = words.get(text.toLowerCase(Locale.ROOT));
    if (value == null) {
      throw new InvalidUseException(
          "option "
              + name
              + ": actual="
              + text
              + ", expected=one of "
              + words.keySet().stream().sorted().toList());
    }
    return value;
  }

  private static long bytes(String text) {
    try {
      long bytes = Long.parseLong(text.strip());
      if (bytes >= 0) {
        return bytes;
      }
    } catch (NumberFormatException notANumber) {
      // told below
    }
    throw new InvalidUseException(
        "option partitionBytes: actual=" + text + ", expected=a number of bytes");
  }
}
