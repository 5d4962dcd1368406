package org.hyperslab.spark.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownOffset;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.spark.table.SourceOptions;
import org.hyperslab.spark.table.TableColumn;
import org.hyperslab.spark.table.TableModel;

/**
 * Takes from a query what the table can do itself: columns, conditions on dimensions, limit and
 * offset, and aggregates that are known without elements.
 *
 * <p>Thread rule: one thread.
 */
public final class TableScanBuilder
    implements SupportsPushDownRequiredColumns,
        SupportsPushDownV2Filters,
        SupportsPushDownLimit,
        SupportsPushDownOffset,
        SupportsPushDownAggregates {

  private final TableModel model;
  private final List<AxisCondition> conditions = new ArrayList<>();
  private final List<Predicate> pushed = new ArrayList<>();
  private StructType required;
  private boolean isFiltered;
  private long skip;
  private long limit = Long.MAX_VALUE;
  private ScanPlan plan;
  private Optional<AxisAggregates.Answer> answer = Optional.empty();

  /**
   * Starts with the whole table.
   *
   * @param model the table
   * @param schema its columns, or some of them
   */
  public TableScanBuilder(TableModel model, StructType schema) {
    this.model = model;
    this.required = schema;
  }

  private boolean isOfElements() {
    return model.options().layout() == SourceOptions.RowLayout.ELEMENTS;
  }

  private ScanPlan plan() {
    if (plan == null) {
      plan = new ScanPlan(model);
    }
    return plan;
  }

  @Override
  public void pruneColumns(StructType requiredSchema) {
    required = requiredSchema;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    List<Predicate> left = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Optional<AxisCondition> condition =
          isOfElements() ? AxisCondition.of(predicate, model) : Optional.empty();
      if (condition.filter(this::isComparable).isPresent()) {
        conditions.add(condition.get());
        pushed.add(predicate);
      } else {
        left.add(predicate);
      }
    }
    isFiltered = !left.isEmpty();
    return left.toArray(Predicate[]::new);
  }

  /** Returns whether the coordinates of a condition can be compared here, in every file. */
  private boolean isComparable(AxisCondition condition) {
    if (!condition.onCoordinates()) {
      return true;
    }
    for (String name : model.schema().fieldNames()) {
      if (model.column(name) instanceof TableColumn.Coordinate column
          && column.axis() == condition.axis()) {
        DataType type = model.schema().apply(name).dataType();
        return AxisValues.isComparable(type)
            && plan().files().stream()
                .allMatch(file -> file.axes().get(condition.axis()).length() <= AxisValues.LONGEST);
      }
    }
    return false;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  /** Returns whether the number of rows of each unit is known. */
  private boolean isCounted() {
    return isOfElements()
        && !isFiltered
        && !model.options().skipDamaged()
        && !(model.isSparse()
            && conditions.stream()
                .anyMatch(each -> each.axis() != model.firstPart().sparse().major()));
  }

  @Override
  public boolean pushLimit(int most) {
    if (!isCounted()) {
      return false;
    }
    limit = Math.min(limit, most);
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return false;
  }

  @Override
  public boolean pushOffset(int rows) {
    if (!isCounted()) {
      return false;
    }
    skip = rows;
    return true;
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return isCounted() && AxisAggregates.areKnown(aggregation, model, plan(), conditions);
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    if (!supportCompletePushDown(aggregation)) {
      return false;
    }
    answer = AxisAggregates.answer(aggregation, model, plan(), conditions);
    return answer.isPresent();
  }

  @Override
  public Scan build() {
    if (answer.isPresent()) {
      return new AnswerScan(answer.get(), model, conditions);
    }
    // Spark counts the rows that are skipped among those of the limit.
    long rows = limit == Long.MAX_VALUE ? limit : Math.max(0, limit - skip);
    return new TableScan(model, plan(), required, conditions, skip, rows);
  }
}
