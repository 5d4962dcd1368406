package org.hyperslab.spark.read;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.Dataset;
import org.hyperslab.model.Condition;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.spark.table.OpenSource;
import org.hyperslab.spark.table.TableColumn;
import org.hyperslab.spark.table.TableModel;
import org.hyperslab.spark.table.TablePart;

/**
 * Aggregates that are known without elements: the number of rows, the least and greatest coordinate
 * or index, and, of whole tables, count, sum, least and greatest number of variables of which the
 * files keep statistics.
 */
final class AxisAggregates {

  private AxisAggregates() {}

  /**
   * An answer.
   *
   * @param schema the columns of the one row
   * @param values their values
   * @param text the aggregates, for {@code EXPLAIN}
   */
  record Answer(StructType schema, Object[] values, String text) {
    InternalRow row() {
      return new GenericInternalRow(values);
    }
  }

  /** Returns whether the aggregates are of the kind that is known. */
  static boolean areKnown(
      Aggregation asked, TableModel model, ScanPlan plan, List<AxisCondition> conditions) {
    if (asked.groupByExpressions().length > 0 || asked.aggregateExpressions().length == 0) {
      return false;
    }
    for (AggregateFunc each : asked.aggregateExpressions()) {
      boolean isKnown =
          switch (each) {
            case CountStar _ -> true;
            case Count count -> !count.isDistinct() && isNeverNull(count.column(), model);
            case Min least ->
                isAxis(least.column(), model)
                    || isSummarized(least.column(), model, plan, conditions);
            case Max most ->
                isAxis(most.column(), model)
                    || isSummarized(most.column(), model, plan, conditions);
            case Sum sum ->
                !sum.isDistinct() && isSummarized(sum.column(), model, plan, conditions);
            default -> false;
          };
      if (!isKnown) {
        return false;
      }
    }
    return true;
  }

  private static Optional<String> name(Expression column) {
    return column instanceof NamedReference reference && reference.fieldNames().length == 1
        ? Optional.of(reference.fieldNames()[0])
        : Optional.empty();
  }

  private static boolean isNeverNull(Expression column, TableModel model) {
    return name(column).filter(name -> !model.schema().apply(name).nullable()).isPresent();
  }

  /** Returns whether a column is that of numbers of which each file keeps statistics. */
  private static boolean isSummarized(
      Expression column, TableModel model, ScanPlan plan, List<AxisCondition> conditions) {
    Optional<String> name = name(column);
    if (name.isEmpty() || !conditions.isEmpty()) {
      return false;
    }
    DataType type = model.schema().apply(name.get()).dataType();
    return model.column(name.get()) instanceof TableColumn.Value value
        && type instanceof NumericType
        && !(type instanceof DecimalType)
        && plan.files().stream().allMatch(file -> file.summarized().get(value.variable()));
  }

  private static boolean isAxis(Expression column, TableModel model) {
    Optional<String> name = name(column);
    if (name.isEmpty() || model.isSparse()) {
      return false;
    }
    return switch (model.column(name.get())) {
      case TableColumn.Index _ -> true;
      case TableColumn.Coordinate _ ->
          AxisValues.isComparable(model.schema().apply(name.get()).dataType());
      default -> false;
    };
  }

  /** Returns the answer. */
  static Optional<Answer> answer(
      Aggregation asked, TableModel model, ScanPlan plan, List<AxisCondition> conditions) {
    List<IndexSet[]> selected = new ArrayList<>();
    long rows = 0;
    for (int i = 0; i < plan.files().size(); i++) {
      selected.add(plan.selected(i, conditions));
    }
    for (ScanPart part : plan.parts(conditions)) {
      rows = Math.addExact(rows, part.units().rows());
    }
    StructType schema = new StructType();
    List<Object> values = new ArrayList<>();
    for (AggregateFunc each : asked.aggregateExpressions()) {
      DataType type = DataTypes.LongType;
      Object value = rows;
      if (each instanceof Sum sum) {
        ValueSummary summary = summary(name(sum.column()).orElseThrow(), model, plan);
        boolean isReal = summary.sum() instanceof Double;
        type = isReal ? DataTypes.DoubleType : DataTypes.LongType;
        value = summary.nanCount() > 0 ? (Number) Double.NaN : summary.sum();
        if (summary.count() == 0) {
          value = null;
        } else if (value instanceof BigInteger) {
          return Optional.empty(); // Spark tells that a bigint does not hold it
        }
      } else if ((each instanceof Min || each instanceof Max)
          && !isAxis(each.children()[0], model)) {
        String name = name(each.children()[0]).orElseThrow();
        type = model.schema().apply(name).dataType();
        value = stored(extreme(summary(name, model, plan), each instanceof Min), type);
      } else if (each instanceof Min || each instanceof Max) {
        Expression column = each instanceof Min least ? least.column() : ((Max) each).column();
        String name = name(column).orElseThrow();
        type = model.schema().apply(name).dataType();
        value = extreme(model.column(name), plan, selected, each instanceof Min ? -1 : 1);
        value = stored(value, type);
      }
      schema = schema.add(each.toString(), type, true);
      values.add(value);
    }
    String text = List.of(asked.aggregateExpressions()).toString();
    return Optional.of(new Answer(schema, values.toArray(), text));
  }

  /** Returns the extreme of a variable as Spark sees it, where NaN is the greatest number. */
  private static Object extreme(ValueSummary summary, boolean isLeast) {
    boolean hasNan = summary.nanCount() > 0;
    boolean isNan = hasNan && (!isLeast || summary.nanCount() == summary.count());
    return isNan ? Double.NaN : (isLeast ? summary.minimum() : summary.maximum()).orElse(null);
  }

  /** Returns the summary of a variable of all files; their statistics are read, if valid. */
  private static ValueSummary summary(String column, TableModel model, ScanPlan plan) {
    TableColumn.Value value = (TableColumn.Value) model.column(column);
    String path = model.variables().get(value.variable()).path();
    ValueSummary all = null;
    for (TablePart part : plan.files()) {
      try (OpenSource opened = OpenSource.open(part.file(), model.options().properties());
          Dataset dataset = opened.file().dataset(path)) {
        opened.requireUnchanged(part.stamp());
        Condition.Field field =
            value.field() == null ? Condition.value() : Condition.field(value.field());
        ValueSummary own = dataset.summary(field);
        all = all == null ? own : all.with(own);
      }
    }
    return all;
  }

  private static Object extreme(
      TableColumn column, ScanPlan plan, List<IndexSet[]> selected, int sign) {
    Object best = null;
    for (int file = 0; file < selected.size(); file++) {
      IndexSet[] sets = selected.get(file);
      if (List.of(sets).stream().anyMatch(IndexSet::isEmpty)) {
        continue;
      }
      if (column instanceof TableColumn.Index index) {
        IndexSet set = sets[index.axis()];
        best = better(best, sign < 0 ? set.first() : set.end() - 1, sign);
        continue;
      }
      int axis = ((TableColumn.Coordinate) column).axis();
      AxisValues values = plan.coordinates(file, axis);
      IndexSet set = sets[axis];
      for (int range = 0; range < set.rangeCount(); range++) {
        for (long i = set.rangeFirst(range); i < set.rangeEnd(range); i++) {
          best = better(best, values.get((int) i), sign);
        }
      }
    }
    return best;
  }

  private static Object better(Object best, Object value, int sign) {
    if (value == null) {
      return best;
    }
    return best == null || AxisCondition.order(value, best) * sign > 0 ? value : best;
  }

  /** Returns a value as Spark's rows have it. */
  private static Object stored(Object value, DataType type) {
    if (!(value instanceof Number number)) {
      return value;
    }
    if (type == DataTypes.FloatType) {
      return number.floatValue();
    }
    if (type == DataTypes.IntegerType) {
      return number.intValue();
    }
    if (type == DataTypes.ShortType) {
      return number.shortValue();
    }
    return type == DataTypes.ByteType ? (Object) number.byteValue() : number;
  }
}
