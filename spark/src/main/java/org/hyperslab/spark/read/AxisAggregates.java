package org.hyperslab.spark.read;

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
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.spark.table.TableColumn;
import org.hyperslab.spark.table.TableModel;

/**
 * Aggregates that are known without elements: the number of rows, and the least and greatest
 * coordinate or index.
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
  static boolean areKnown(Aggregation asked, TableModel model) {
    if (asked.groupByExpressions().length > 0 || asked.aggregateExpressions().length == 0) {
      return false;
    }
    for (AggregateFunc each : asked.aggregateExpressions()) {
      boolean isKnown =
          switch (each) {
            case CountStar _ -> true;
            case Count count -> !count.isDistinct() && isNeverNull(count.column(), model);
            case Min least -> isAxis(least.column(), model);
            case Max most -> isAxis(most.column(), model);
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
  static Answer answer(
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
      if (each instanceof Min || each instanceof Max) {
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
    return new Answer(schema, values.toArray(), text);
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
