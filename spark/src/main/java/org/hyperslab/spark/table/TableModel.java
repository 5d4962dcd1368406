package org.hyperslab.spark.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.Dataset;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.model.Layout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table that a query reads: its columns, where each of them comes from, and its files.
 *
 * <p>The first file determines the columns; the others must have the same. Files are opened to look
 * at their metadata; no elements are read.
 *
 * <p>Thread rule: immutable.
 */
public final class TableModel {

  private static final Logger LOG = LoggerFactory.getLogger(TableModel.class);
  private static final DataType LONGS = DataTypes.createArrayType(DataTypes.LongType, false);
  private static final DataType DOUBLES = DataTypes.createArrayType(DataTypes.DoubleType, false);

  private final SourceOptions options;
  private final List<String> files;
  private final Described first;

  /**
   * What one file says of the table.
   *
   * @param schema the columns
   * @param columns where they come from, by name
   * @param variables the datasets
   * @param part its dimensions and chunks
   */
  private record Described(
      StructType schema,
      Map<String, TableColumn> columns,
      List<SourceOptions.Variable> variables,
      TablePart part) {}

  private TableModel(SourceOptions options) {
    this.options = options;
    this.files = InputPaths.expand(options.paths());
    this.first = describe(files.getFirst());
  }

  /**
   * Looks at the first file.
   *
   * @param options what the query says
   * @return the table
   * @throws org.hyperslab.error.NotFoundException if there is no file, or no such variable
   * @throws InvalidUseException if variables have no common shape, or names meet
   */
  public static TableModel of(SourceOptions options) {
    return new TableModel(options);
  }

  /** {@return the options of the query} */
  public SourceOptions options() {
    return options;
  }

  /** {@return the columns} */
  public StructType schema() {
    return first.schema;
  }

  /**
   * {@return where a column comes from}
   *
   * @param name the name of the column
   * @throws InvalidUseException if there is no such column
   */
  public TableColumn column(String name) {
    TableColumn column = first.columns.get(name);
    if (column == null) {
      throw new InvalidUseException(
          "column: actual=" + name + ", expected=one of " + first.columns.keySet());
    }
    return column;
  }

  /** {@return the datasets, in the order of their numbers} */
  public List<SourceOptions.Variable> variables() {
    return first.variables;
  }

  /** {@return whether the table is that of a sparse matrix} */
  public boolean isSparse() {
    return first.part.sparse() != null;
  }

  /** {@return the names of all files} */
  public List<String> files() {
    return files;
  }

  /** {@return the dimensions and chunks of the first file} */
  public TablePart firstPart() {
    return first.part;
  }

  /**
   * Looks at all files, several at a time.
   *
   * @return their dimensions and chunks, in the order of {@link #files()}; without those that are
   *     damaged, if that is what the query says
   * @throws InvalidUseException if one has other columns
   */
  public List<TablePart> parts() {
    return IntStream.range(0, files.size())
        .parallel()
        .mapToObj(i -> i == 0 ? Optional.of(first.part) : readablePart(files.get(i)))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns what a file has; empty if it is damaged, and what is damaged is left out. */
  private Optional<TablePart> readablePart(String file) {
    try {
      return Optional.of(part(file));
    } catch (CorruptFileException | StorageException failure) {
      if (!options.skipDamaged()) {
        throw failure;
      }
      LOG.warn("left out: {}, file={}", failure.getMessage(), file);
      return Optional.empty();
    }
  }

  private TablePart part(String file) {
    Described described = describe(file);
    StructType schema = described.schema;
    if (!schema.sameType(first.schema)
        || !Arrays.equals(schema.fieldNames(), first.schema.fieldNames())) {
      throw new InvalidUseException(
          "columns: actual="
              + schema.simpleString()
              + ", expected="
              + first.schema.simpleString()
              + ", as in "
              + first.part.file()
              + "; name variables that all files have in the same form, file="
              + file);
    }
    return described.part;
  }

  // --- one file ---

  private Described describe(String file) {
    try (OpenSource opened = OpenSource.open(file, options.properties())) {
      if (SparseMatrix.isAskedFor(opened.file(), options)) {
        return sparse(opened);
      }
      List<TableVariable> found = TableVariable.find(opened, options);
      return described(opened, found);
    }
  }

  private Described described(OpenSource opened, List<TableVariable> found) {
    TableVariable leading = found.getFirst();
    found.forEach(each -> each.requireSameAxes(leading, opened.name()));
    Map<String, TableColumn> columns = new LinkedHashMap<>();
    List<StructField> fields = new ArrayList<>();
    boolean ofChunks = options.layout() == SourceOptions.RowLayout.CHUNKS;
    Columns add =
        (name, column, type, nullable) -> {
          if (columns.put(name, column) != null) {
            throw new InvalidUseException(
                "column: actual=two of the name "
                    + name
                    + ", expected=names that differ; write \"PATH AS NAME\" in the option variables,"
                    + " file="
                    + opened.name());
          }
          fields.add(new StructField(name, type, nullable, Metadata.empty()));
        };
    options
        .fileColumn()
        .ifPresent(
            name -> add.column(name, new TableColumn.FileName(), DataTypes.StringType, false));
    if (ofChunks) {
      add.column("origin", new TableColumn.Origin(), LONGS, false);
      add.column("shape", new TableColumn.ChunkShape(), LONGS, false);
    }
    addAxes(opened, found, ofChunks, add);
    boolean several = files.size() > 1;
    for (int i = 0; i < found.size(); i++) {
      TableVariable variable = found.get(i);
      Filler filler = variable.filler(opened.name());
      if (ofChunks) {
        requireNumbers(variable, filler, opened.name());
        add.column(variable.name(), new TableColumn.Value(i, null), DOUBLES, false);
      } else if (found.size() == 1 && variable.isRecords()) {
        for (StructField field : ((StructType) filler.sparkType()).fields()) {
          TableColumn column = new TableColumn.Value(i, field.name());
          add.column(field.name(), column, field.dataType(), field.nullable());
        }
      } else {
        boolean nullable = filler.nullable() || several;
        add.column(variable.name(), new TableColumn.Value(i, null), filler.sparkType(), nullable);
      }
    }
    Layout layout = leading.layout();
    long[] shape = leading.shape();
    long[] chunk = shape.clone();
    if (layout instanceof Layout.Chunked chunked) {
      long[] dims = chunked.dimsArray();
      for (int d = 0; d < chunk.length; d++) {
        chunk[d] = Math.max(1, Math.min(dims[d], shape[d]));
      }
    }
    TablePart part =
        new TablePart(
            opened.name(),
            opened.stamp(),
            leading.axes(),
            LongStream.of(chunk).boxed().toList(),
            layout instanceof Layout.Chunked,
            found.stream().map(TableVariable::isSummarized).toList(),
            null);
    List<SourceOptions.Variable> variables =
        found.stream().map(each -> new SourceOptions.Variable(each.path(), each.name())).toList();
    return new Described(
        new StructType(fields.toArray(StructField[]::new)), columns, variables, part);
  }

  /** Receives columns. */
  private interface Columns {
    void column(String name, TableColumn column, DataType type, boolean nullable);
  }

  private void addAxes(
      OpenSource opened, List<TableVariable> found, boolean ofChunks, Columns add) {
    boolean records = found.size() == 1 && found.getFirst().isRecords();
    List<Axis> axes = found.getFirst().axes();
    for (int i = 0; i < axes.size(); i++) {
      Axis axis = axes.get(i);
      boolean isOwn = found.stream().anyMatch(each -> each.path().equals(axis.coordinate()));
      boolean hasValues = axis.coordinate() != null && !isOwn;
      boolean wantsValues = options.coordinates() != SourceOptions.CoordinateColumns.INDEXES;
      boolean wantsIndexes = options.coordinates() != SourceOptions.CoordinateColumns.VALUES;
      if (hasValues && wantsValues) {
        try (Dataset coordinate = opened.file().dataset(axis.coordinate())) {
          Filler filler = TableVariable.filler(coordinate, options.decode(), opened.name());
          DataType type = filler.sparkType();
          boolean nullable = filler.nullable() || files.size() > 1;
          add.column(
              axis.name(),
              new TableColumn.Coordinate(i),
              ofChunks ? DataTypes.createArrayType(type, nullable) : type,
              !ofChunks && nullable);
        }
      }
      boolean isNamed = found.stream().anyMatch(each -> each.name().equals(axis.name()));
      boolean needsIndex = !hasValues && !isNamed && !records;
      if (!ofChunks && (wantsIndexes || needsIndex)) {
        String name = hasValues && wantsValues || isNamed ? axis.name() + "_index" : axis.name();
        add.column(name, new TableColumn.Index(i), DataTypes.LongType, false);
      }
    }
  }

  private static void requireNumbers(TableVariable variable, Filler filler, String file) {
    boolean isNumber = filler instanceof NumberFiller && filler.sparkType() != DataTypes.StringType;
    if (!isNumber) {
      throw new InvalidUseException(
          "layout=chunks: actual="
              + variable.describe()
              + ", expected=a variable of numbers, variable="
              + variable.path()
              + ", file="
              + file);
    }
  }

  private Described sparse(OpenSource opened) {
    if (options.layout() == SourceOptions.RowLayout.CHUNKS) {
      throw new InvalidUseException(
          "layout=chunks: actual=a sparse matrix, expected=datasets, file=" + opened.name());
    }
    SparseMatrix matrix =
        SparseMatrix.of(opened.file(), options.variables().getFirst(), opened.name());
    Filler values = matrix.values(options.decode(), opened.name());
    StructType schema = new StructType();
    Map<String, TableColumn> columns = new LinkedHashMap<>();
    if (options.fileColumn().isPresent()) {
      schema = schema.add(options.fileColumn().get(), DataTypes.StringType, false);
      columns.put(options.fileColumn().get(), new TableColumn.FileName());
    }
    schema =
        schema
            .add("row", DataTypes.LongType, false)
            .add("column", DataTypes.LongType, false)
            .add("value", values.sparkType(), values.nullable() || files.size() > 1);
    columns.put("row", new TableColumn.Index(0));
    columns.put("column", new TableColumn.Index(1));
    columns.put("value", new TableColumn.Value(0, null));
    return new Described(schema, columns, options.variables(), matrix.part(opened));
  }

  /** Returns whether a type is a compound. */
  static boolean isCompound(Dataset dataset) {
    return dataset.type() instanceof CompoundType;
  }
}
