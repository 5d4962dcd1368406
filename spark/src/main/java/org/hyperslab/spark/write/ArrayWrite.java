package org.hyperslab.spark.write;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.monotonically_increasing_id;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;

/**
 * Writes a long table as arrays of one netCDF-4 file.
 *
 * <p>Everything is made in a folder beside the output: the output without elements, then the chunks
 * of tasks, then the output with them. It gets its name in one step, so that readers see the old
 * file or the new one. Only the folder can be left by a write that is killed.
 *
 * <p>Thread rule: one thread.
 */
public final class ArrayWrite {

  /** The dimension of rows without dimensions. */
  static final String ROW = "row";

  private static final String INDEX = "__hyperslab_index_";
  private static final int MOST_COORDINATES = 1 << 24;

  private final ArrayOptions options;
  private final Path path;
  private final boolean appends;

  private ArrayWrite(ArrayOptions options, boolean appends) {
    this.options = options;
    this.path = Path.of(options.path()).toAbsolutePath().normalize();
    this.appends = appends;
  }

  /**
   * Writes a table.
   *
   * @param mode what to do if the file exists
   * @param given the options
   * @param table the rows
   * @throws InvalidUseException if the rows do not fit the shape, or an option is unknown
   * @throws AlreadyExistsException if the file exists, and that is an error
   */
  public static void save(SaveMode mode, Map<String, String> given, Dataset<Row> table) {
    ArrayOptions options = ArrayOptions.of(given);
    Path path = Path.of(options.path());
    if (Files.isDirectory(path)) {
      throw new InvalidUseException("output: actual=a folder, expected=a file, at=" + path);
    }
    boolean exists = Files.exists(path);
    if (exists && mode == SaveMode.ErrorIfExists) {
      throw new AlreadyExistsException(
          "output: actual=exists, expected=no file; use the mode overwrite or append, at=" + path);
    }
    if (exists && mode == SaveMode.Ignore) {
      return;
    }
    new ArrayWrite(options, exists && mode == SaveMode.Append).save(table);
  }

  /**
   * Returns how the names of folders with unfinished output begin.
   *
   * @param file the output
   * @return the beginning of the folders' names, which are beside the output
   */
  public static String folderPrefix(Path file) {
    return "." + file.getFileName() + ".hyperslab-";
  }

  /**
   * Deletes a folder with unfinished output.
   *
   * @param folder the folder
   */
  public static void deleteFolder(Path folder) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException failure) {
      throw new StorageException(
          "folder: actual=not deleted, expected=deleted, at=" + folder, failure);
    }
  }

  private void save(Dataset<Row> given) {
    Path folder = path.resolveSibling(folderPrefix(path) + UUID.randomUUID());
    try {
      Files.createDirectory(folder);
    } catch (IOException failure) {
      throw new StorageException(
          "folder of unfinished output: actual=not created, expected=created, at=" + folder,
          failure);
    }
    try {
      Dataset<Row> table = given;
      List<String> names = options.dimensions().stream().map(ArrayOptions.Dimension::name).toList();
      boolean isNumbered = names.isEmpty();
      ArrayOutput output =
          new ArrayOutput(folder.resolve(ArrayPublication.WHOLE), path, appends, options);
      if (isNumbered) {
        names = List.of(ROW);
        table = numbered(given, output.kept());
      }
      List<StoredColumn> variables = variables(table, names);
      Axes axes = axes(table, names, output, isNumbered);
      ArrayPlan plan = output.create(folder, axes.lengths, axes.coordinates, names, variables);
      rows(table, names, axes, plan)
          .write()
          .format(ArrayParts.class.getName())
          .option(ArrayParts.PLAN, plan.encoded())
          .mode(SaveMode.Append)
          .save();
      ArrayPublication.publish(folder, path);
    } finally {
      deleteFolder(folder);
    }
  }

  /** Numbers rows, in the order of partitions. */
  private static Dataset<Row> numbered(Dataset<Row> table, long firstNumber) {
    if (Arrays.asList(table.columns()).contains(ROW)) {
      throw new InvalidUseException(
          "column: actual=row, expected=another name, or the option dimensions");
    }
    // The number of a row in its partition is in the lower 33 bits of Spark's number.
    Dataset<Row> marked = table.withColumn("row", monotonically_increasing_id()).cache();
    Column partition = expr("shiftright(row, 33)");
    List<Row> counts =
        marked.groupBy(partition.as("p")).agg(max("row").as("last")).orderBy("p").collectAsList();
    long before = firstNumber;
    List<Row> firsts = new ArrayList<>();
    for (Row each : counts) {
      firsts.add(RowFactory.create(each.getLong(0), before));
      before += (each.getLong(1) & ((1L << 33) - 1)) + 1;
    }
    StructType schema =
        new StructType()
            .add("__hyperslab_partition", DataTypes.LongType)
            .add("__hyperslab_first", DataTypes.LongType);
    Dataset<Row> offsets = table.sparkSession().createDataFrame(firsts, schema);
    Column number = expr("__hyperslab_first + (row & " + ((1L << 33) - 1) + "L)");
    return marked
        .withColumn("__hyperslab_partition", partition)
        .join(broadcast(offsets), "__hyperslab_partition")
        .withColumn("row", number)
        .drop("__hyperslab_partition", "__hyperslab_first");
  }

  private static List<StoredColumn> variables(Dataset<Row> table, List<String> dimensions) {
    List<String> columns = Arrays.asList(table.columns());
    for (String name : dimensions) {
      if (!columns.contains(name)) {
        throw new InvalidUseException(
            "option dimensions: actual=" + name + ", expected=one of the columns " + columns);
      }
    }
    List<StoredColumn> variables = new ArrayList<>();
    for (StructField field : table.schema().fields()) {
      if (!dimensions.contains(field.name())) {
        variables.add(
            StoredColumn.of(field.name(), field.dataType())
                .orElseThrow(() ->
                    new InvalidUseException(
                        "column: actual="
                            + field.dataType().simpleString()
                            + ", expected=numbers, booleans, dates or times; cast it or leave it"
                            + " out, variable="
                            + field.name())));
      }
    }
    if (variables.isEmpty()) {
      throw new InvalidUseException(
          "columns: actual=" + columns + ", expected=one or more besides the dimensions");
    }
    return variables;
  }

  // --- dimensions ---

  /**
   * The dimensions of the output after the write.
   *
   * @param lengths their lengths
   * @param coordinates the coordinates of each, in Spark's form; empty of indexes
   */
  private record Axes(long[] lengths, List<List<Object>> coordinates) {}

  private Axes axes(
      Dataset<Row> table, List<String> names, ArrayOutput output, boolean isNumbered) {
    boolean byValue = options.coordinates() && !isNumbered;
    return byValue ? axesOfCoordinates(table, names, output) : axesOfIndexes(table, names, output);
  }

  private Axes axesOfIndexes(Dataset<Row> table, List<String> names, ArrayOutput output) {
    List<Column> asked = new ArrayList<>();
    for (String name : names) {
      DataType type = table.schema().apply(name).dataType();
      boolean isWhole =
          type == DataTypes.LongType
              || type == DataTypes.IntegerType
              || type == DataTypes.ShortType;
      if (!isWhole) {
        throw new InvalidUseException(
            "coordinates=indexes: actual="
                + type.simpleString()
                + ", expected=smallint, int or bigint, dimension="
                + name);
      }
      asked.add(min(col(name)).cast("bigint"));
      asked.add(max(col(name)).cast("bigint"));
      asked.add(expr("count_if(`" + name + "` is null)"));
    }
    Row found =
        table.agg(asked.getFirst(), asked.subList(1, asked.size()).toArray(Column[]::new)).first();
    long[] lengths = new long[names.size()];
    for (int d = 0; d < lengths.length; d++) {
      long length = output.existing(d, found.isNullAt(3 * d) ? 0 : found.getLong(3 * d + 1) + 1);
      if (!options.dimensions().isEmpty()) {
        length = options.dimensions().get(d).length().orElse(length);
      }
      boolean fits =
          found.isNullAt(3 * d)
              || found.getLong(3 * d) >= (d == 0 ? output.kept() : 0)
                  && found.getLong(3 * d + 1) < length;
      if (!fits || found.getLong(3 * d + 2) > 0) {
        throw new InvalidUseException(
            "indexes: actual="
                + found.get(3 * d)
                + " to "
                + found.get(3 * d + 1)
                + " and "
                + found.get(3 * d + 2)
                + " nulls, expected="
                + (d == 0 ? output.kept() : 0)
                + " to "
                + (length - 1)
                + ", dimension="
                + names.get(d));
      }
      lengths[d] = length;
    }
    return new Axes(lengths, IntStream.range(0, lengths.length).mapToObj(_ -> List.of()).toList());
  }

  private Axes axesOfCoordinates(Dataset<Row> table, List<String> names, ArrayOutput output) {
    List<Column> asked = new ArrayList<>();
    for (String name : names) {
      asked.add(expr("sort_array(collect_set(`" + name + "`))"));
      asked.add(expr("count_if(`" + name + "` is null)"));
    }
    Row found =
        table.agg(asked.getFirst(), asked.subList(1, asked.size()).toArray(Column[]::new)).first();
    long[] lengths = new long[names.size()];
    List<List<Object>> coordinates = new ArrayList<>();
    for (int d = 0; d < lengths.length; d++) {
      String name = names.get(d);
      List<Object> values = new ArrayList<>(found.getList(2 * d));
      if (found.getLong(2 * d + 1) > 0 || values.size() > MOST_COORDINATES) {
        throw new InvalidUseException(
            "coordinates: actual="
                + values.size()
                + " and "
                + found.getLong(2 * d + 1)
                + " rows with null, expected=at most "
                + MOST_COORDINATES
                + " and none, dimension="
                + name);
      }
      List<Object> all = output.merged(d, name, values, table.schema().apply(name).dataType());
      long declared = options.dimensions().get(d).length().orElse(all.size());
      if (declared != all.size()) {
        throw new InvalidUseException(
            "coordinates: actual="
                + all.size()
                + " different values, expected="
                + declared
                + ", dimension="
                + name);
      }
      lengths[d] = all.size();
      coordinates.add(all);
    }
    return new Axes(lengths, coordinates);
  }

  // --- rows ---

  /** Returns the rows with the numbers of their chunks and elements, together by chunks. */
  private static Dataset<Row> rows(
      Dataset<Row> table, List<String> names, Axes axes, ArrayPlan plan) {
    Dataset<Row> indexed = table;
    for (int d = 0; d < names.size(); d++) {
      String name = names.get(d);
      if (axes.coordinates.get(d).isEmpty()) {
        indexed = indexed.withColumn(INDEX + d, col(name).cast("bigint"));
        continue;
      }
      List<Row> pairs = new ArrayList<>();
      for (int i = 0; i < axes.coordinates.get(d).size(); i++) {
        pairs.add(RowFactory.create(axes.coordinates.get(d).get(i), (long) i));
      }
      StructType schema =
          new StructType()
              .add(INDEX + "of_" + d, table.schema().apply(name).dataType())
              .add(INDEX + d, DataTypes.LongType);
      Dataset<Row> numbers = table.sparkSession().createDataFrame(pairs, schema);
      indexed =
          indexed
              .join(broadcast(numbers), col(name).equalTo(col(INDEX + "of_" + d)))
              .drop(INDEX + "of_" + d);
    }
    Column chunk = lit(0L);
    Column element = lit(0L);
    for (int d = 0; d < names.size(); d++) {
      long length = plan.chunk()[d];
      long blocks = Math.ceilDiv(plan.shape()[d], length);
      Column index = col(INDEX + d);
      chunk =
          chunk.multiply(blocks).plus(index.minus(index.mod(length)).divide(length).cast("bigint"));
      element = element.multiply(length).plus(index.mod(length));
    }
    List<Column> columns = new ArrayList<>();
    columns.add(coalesce(chunk, lit(-1L)).as(ArrayPlan.CHUNK));
    columns.add(coalesce(element.cast("int"), lit(0)).as(ArrayPlan.ELEMENT));
    plan.variables().forEach(variable -> columns.add(col("`" + variable.name() + "`")));
    return indexed
        .select(columns.toArray(Column[]::new))
        .repartition(col(ArrayPlan.CHUNK))
        .sortWithinPartitions(ArrayPlan.CHUNK);
  }
}
