package org.hyperslab.spark.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportOrdering;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.partitioning.UnknownPartitioning;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.spark.table.SourceOptions;
import org.hyperslab.spark.table.TableColumn;
import org.hyperslab.spark.table.TableModel;
import org.hyperslab.spark.table.TablePart;

/**
 * A scan of the elements of a table that its conditions leave.
 *
 * <p>Thread rule: as Spark uses scans, by one thread.
 */
final class TableScan
    implements Scan,
        Batch,
        SupportsReportStatistics,
        SupportsReportPartitioning,
        SupportsReportOrdering,
        SupportsRuntimeV2Filtering {

  private final TableModel model;
  private final ScanPlan plan;
  private final StructType required;
  private final List<AxisCondition> conditions;
  private final List<AxisCondition> runtime = new ArrayList<>();
  private final long skip;
  private final long limit;
  private List<ScanPart> parts;
  private InputPartition[] partitions;

  TableScan(
      TableModel model,
      ScanPlan plan,
      StructType required,
      List<AxisCondition> conditions,
      long skip,
      long limit) {
    this.model = model;
    this.plan = plan;
    this.required = required;
    this.conditions = List.copyOf(conditions);
    this.skip = skip;
    this.limit = limit;
  }

  private List<ScanPart> parts() {
    if (parts == null) {
      List<AxisCondition> all = new ArrayList<>(conditions);
      all.addAll(runtime);
      parts = plan.parts(all);
    }
    return parts;
  }

  // --- what it is ---

  @Override
  public StructType readSchema() {
    return required;
  }

  @Override
  public String description() {
    return describe(model, conditions)
        + ", PushedLimit: "
        + (limit == Long.MAX_VALUE ? "none" : limit)
        + ", PushedOffset: "
        + skip
        + ", Hyperslab: "
        + hyperslab();
  }

  /** Returns the selected indices of the first file with any. */
  private String hyperslab() {
    Optional<ScanPart> any = parts().stream().filter(part -> part.units().rows() > 0).findFirst();
    if (any.isEmpty()) {
      return "nothing";
    }
    UnitGrid units = any.get().units();
    List<String> axes = new ArrayList<>();
    for (int d = 0; d < units.file().axes().size(); d++) {
      axes.add(units.file().axes().get(d).name() + "=" + units.selected(d));
    }
    return String.join(" ", axes);
  }

  static String describe(TableModel model, List<AxisCondition> conditions) {
    List<String> variables = model.variables().stream().map(SourceOptions.Variable::path).toList();
    return "hyperslab "
        + String.join(",", variables)
        + " of "
        + model.files().getFirst()
        + (model.files().size() > 1 ? " and " + (model.files().size() - 1) + " more" : "")
        + ", PushedFilters: "
        + conditions;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return isOfChunks() ? ColumnarSupportMode.UNSUPPORTED : ColumnarSupportMode.SUPPORTED;
  }

  private boolean isOfChunks() {
    return model.options().layout() == SourceOptions.RowLayout.CHUNKS;
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return new CustomMetric[] {new DamagedUnits()};
  }

  // --- partitions ---

  @Override
  public InputPartition[] planInputPartitions() {
    if (partitions == null) {
      long target = model.options().partitionBytes();
      List<UnitGrid> grids = parts().stream().map(ScanPart::units).toList();
      partitions =
          PartitionPlan.of(
              grids,
              rowBytes(),
              target > 0 ? target : SQLConf.get().filesMaxPartitionBytes(),
              SparkSession.active().sparkContext().defaultParallelism(),
              skip,
              limit);
    }
    return partitions;
  }

  /** Returns the bytes of a row in vectors, of which Spark has an estimate for each type. */
  private long rowBytes() {
    long bytes = 0;
    for (StructField field : required.fields()) {
      if (model.column(field.name()) instanceof TableColumn.Value) {
        bytes += isOfChunks() ? Double.BYTES : field.dataType().defaultSize();
      }
    }
    return Math.max(1, bytes);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    List<TableColumn> columns = Arrays.stream(required.fieldNames()).map(model::column).toList();
    ScanTask task =
        new ScanTask(
            required,
            columns,
            model.variables(),
            parts(),
            model.options().decode(),
            model.options().skipDamaged(),
            SQLConf.get().offHeapColumnVectorEnabled(),
            model.options().properties());
    return new TableReaderFactory(task, isOfChunks());
  }

  @Override
  public Partitioning outputPartitioning() {
    return new UnknownPartitioning(planInputPartitions().length);
  }

  /** The rows of a task ascend by the indices of dimensions, and so by their columns. */
  @Override
  public SortOrder[] outputOrdering() {
    List<SortOrder> order = new ArrayList<>();
    boolean isOne = parts().size() == 1 && !isOfChunks() && !model.isSparse();
    int axes = isOne ? parts().getFirst().units().orderedAxes() : 0;
    Map<Integer, String> indexes = new HashMap<>();
    for (StructField field : required.fields()) {
      if (model.column(field.name()) instanceof TableColumn.Index index) {
        indexes.put(index.axis(), field.name());
      }
    }
    for (int axis = 0; axis < axes && indexes.containsKey(axis); axis++) {
      order.add(Expressions.sort(Expressions.column(indexes.get(axis)), SortDirection.ASCENDING));
    }
    return order.toArray(SortOrder[]::new);
  }

  @Override
  public Statistics estimateStatistics() {
    long rows = 0;
    for (ScanPart part : parts()) {
      rows += isOfChunks() ? part.units().count() : part.units().rows();
    }
    long counted = Math.min(Math.max(0, rows - skip), limit);
    long elements = parts().stream().mapToLong(part -> part.units().rows()).sum();
    long bytes = (isOfChunks() ? elements : counted) * Math.max(8, required.defaultSize() / 2L);
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(bytes);
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(counted);
      }
    };
  }

  // --- conditions that a join finds ---

  @Override
  public NamedReference[] filterAttributes() {
    if (isOfChunks() || limit != Long.MAX_VALUE || skip > 0) {
      return new NamedReference[0];
    }
    return Arrays.stream(required.fields())
        .filter(field ->
            switch (model.column(field.name())) {
              case TableColumn.Index _ -> true;
              case TableColumn.Coordinate _ -> AxisValues.isComparable(field.dataType());
              default -> false;
            })
        .map(field -> Expressions.column(field.name()))
        .toArray(NamedReference[]::new);
  }

  @Override
  public void filter(Predicate[] predicates) {
    for (Predicate predicate : predicates) {
      AxisCondition.of(predicate, model)
          .filter(condition -> isShort(condition))
          .ifPresent(runtime::add);
    }
    parts = null;
    partitions = null;
  }

  private boolean isShort(AxisCondition condition) {
    return !condition.onCoordinates()
        || plan.files().stream()
            .map(TablePart::axes)
            .allMatch(axes -> axes.get(condition.axis()).length() <= AxisValues.LONGEST);
  }

  // --- equality, by which Spark reads once what a query has twice ---

  @Override
  public boolean equals(Object other) {
    return other instanceof TableScan scan
        && model.options().equals(scan.model.options())
        && required.equals(scan.required)
        && conditions.toString().equals(scan.conditions.toString())
        && runtime.toString().equals(scan.runtime.toString())
        && skip == scan.skip
        && limit == scan.limit
        && plan.files().equals(scan.plan.files());
  }

  @Override
  public int hashCode() {
    return Objects.hash(model.options(), required, conditions.toString(), skip, limit);
  }
}
