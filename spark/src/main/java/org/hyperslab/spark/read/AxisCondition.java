package org.hyperslab.spark.read;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Cast;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Extract;
import org.apache.spark.sql.connector.expressions.GeneralScalarExpression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.hyperslab.spark.table.TableColumn;
import org.hyperslab.spark.table.TableModel;

/**
 * A condition of a query that depends on one dimension only, and so holds for a set of its indices:
 * comparisons of coordinates and indices with constants, combined in any way.
 *
 * <p>Comparisons follow Spark: null is neither true nor false, NaN equals itself and is larger than
 * any number, and -0.0 equals 0.0.
 *
 * <p>Thread rule: immutable.
 */
final class AxisCondition {

  private static final List<String> COMPARISONS = List.of("=", "<=>", "<>", "<", "<=", ">", ">=");
  private static final List<String> OF_TEXTS = List.of("STARTS_WITH", "ENDS_WITH", "CONTAINS");

  private final Expression condition;
  private final int axis;
  private final boolean onCoordinates;

  private AxisCondition(Expression condition, int axis, boolean onCoordinates) {
    this.condition = condition;
    this.axis = axis;
    this.onCoordinates = onCoordinates;
  }

  /** Returns a condition in this form; empty if it is none of one dimension, or not understood. */
  static Optional<AxisCondition> of(Predicate predicate, TableModel model) {
    int axis = -1;
    boolean onCoordinates = false;
    boolean onIndexes = false;
    for (NamedReference reference : references(predicate)) {
      if (reference.fieldNames().length != 1) {
        return Optional.empty();
      }
      int used;
      switch (model.column(reference.fieldNames()[0])) {
        case TableColumn.Coordinate column -> {
          used = column.axis();
          onCoordinates = true;
        }
        case TableColumn.Index column -> {
          used = column.axis();
          onIndexes = true;
        }
        default -> {
          return Optional.empty();
        }
      }
      if (axis >= 0 && axis != used) {
        return Optional.empty();
      }
      axis = used;
    }
    boolean isOne = axis >= 0 && !(onCoordinates && onIndexes) && isUnderstood(predicate);
    return isOne
        ? Optional.of(new AxisCondition(predicate, axis, onCoordinates))
        : Optional.empty();
  }

  private static List<NamedReference> references(Expression expression) {
    List<NamedReference> all = new ArrayList<>();
    if (expression instanceof NamedReference reference) {
      all.add(reference);
    } else {
      for (Expression child : expression.children()) {
        all.addAll(references(child));
      }
    }
    return all;
  }

  private static boolean isUnderstood(Expression condition) {
    if (!(condition instanceof GeneralScalarExpression general)) {
      return false;
    }
    Expression[] children = general.children();
    String name = general.name();
    return switch (name) {
      case "ALWAYS_TRUE", "ALWAYS_FALSE" -> true;
      case "AND", "OR" -> isUnderstood(children[0]) && isUnderstood(children[1]);
      case "NOT" -> isUnderstood(children[0]);
      case "IS_NULL", "IS_NOT_NULL" -> isValue(children[0]);
      case "IN" -> List.of(children).stream().allMatch(AxisCondition::isValue);
      default ->
          (COMPARISONS.contains(name) || OF_TEXTS.contains(name))
              && isValue(children[0])
              && isValue(children[1]);
    };
  }

  private static boolean isValue(Expression expression) {
    return switch (expression) {
      case NamedReference _ -> true;
      case Literal<?> literal -> literal.value() == null || constant(literal.value()) != null;
      case Cast cast -> isWidening(cast) && isValue(cast.expression());
      case Extract part -> isPart(part) && isTime(part.source());
      default -> false;
    };
  }

  private static boolean isWidening(Cast cast) {
    return rank(cast.expressionDataType()) > 0
        && rank(cast.dataType()) >= rank(cast.expressionDataType())
        && !(cast.dataType() == DataTypes.FloatType);
  }

  /** Orders types so that numbers of a type are exact in types of a higher number. */
  private static int rank(DataType type) {
    if (type == DataTypes.ByteType || type == DataTypes.ShortType) {
      return 1;
    }
    if (type == DataTypes.IntegerType) {
      return 2;
    }
    if (type == DataTypes.FloatType) {
      return 3;
    }
    // A long is not exact as a double.
    return type == DataTypes.DoubleType ? 4 : 0;
  }

  /** Returns whether a value is a time, of which Spark may take the day before its month. */
  private static boolean isTime(Expression source) {
    return source instanceof NamedReference
        || source instanceof Cast cast
            && cast.expression() instanceof NamedReference
            && cast.expressionDataType() == DataTypes.TimestampNTZType
            && cast.dataType() == DataTypes.DateType;
  }

  private static boolean isPart(Extract part) {
    return List.of("YEAR", "QUARTER", "MONTH", "DAY", "DAY_OF_YEAR", "HOUR", "MINUTE")
        .contains(part.field());
  }

  int axis() {
    return axis;
  }

  /** Returns whether the coordinates have to be read to answer. */
  boolean onCoordinates() {
    return onCoordinates;
  }

  @Override
  public String toString() {
    return condition.toString();
  }

  // --- sets of indices ---

  /**
   * Returns the indices for which the condition holds.
   *
   * @param length the length of the dimension
   * @param coordinates the coordinates, if {@link #onCoordinates()}
   */
  IndexSet holds(long length, AxisValues coordinates) {
    return onCoordinates
        ? IndexSet.where(
            length, i -> Boolean.TRUE.equals(test(condition, coordinates.get((int) i))))
        : indices(condition, length);
  }

  /**
   * Returns the indices for which a condition on indices holds. Indices are never null, so that the
   * others are those for which it does not hold, unless it compares with null.
   */
  private static IndexSet indices(Expression condition, long length) {
    IndexSet all = IndexSet.range(0, length);
    Expression[] children = condition.children();
    String name = ((GeneralScalarExpression) condition).name();
    return switch (name) {
      case "AND" -> indices(children[0], length).and(indices(children[1], length));
      case "OR" -> indices(children[0], length).or(indices(children[1], length));
      case "NOT" -> fails(children[0], length);
      case "ALWAYS_TRUE" -> all;
      case "ALWAYS_FALSE" -> IndexSet.NONE;
      default -> leaf((GeneralScalarExpression) condition, length, true);
    };
  }

  /** Returns the indices for which a condition is false, which null is not. */
  private static IndexSet fails(Expression condition, long length) {
    Expression[] children = condition.children();
    String name = ((GeneralScalarExpression) condition).name();
    return switch (name) {
      case "AND" -> fails(children[0], length).or(fails(children[1], length));
      case "OR" -> fails(children[0], length).and(fails(children[1], length));
      case "NOT" -> indices(children[0], length);
      case "ALWAYS_TRUE" -> IndexSet.NONE;
      case "ALWAYS_FALSE" -> IndexSet.range(0, length);
      default -> leaf((GeneralScalarExpression) condition, length, false);
    };
  }

  /**
   * Returns the indices for which a comparison is a given value. It changes at its constants only,
   * so that it is asked once between each two of them.
   */
  private static IndexSet leaf(GeneralScalarExpression condition, long length, boolean wanted) {
    List<Long> borders = new ArrayList<>(List.of(0L, length));
    addBorders(condition, length, borders);
    List<Long> ascending = borders.stream().distinct().sorted().toList();
    IndexSet.Ranges found = new IndexSet.Ranges();
    for (int i = 0; i + 1 < ascending.size(); i++) {
      long first = ascending.get(i);
      if (Boolean.valueOf(wanted).equals(test(condition, first))) {
        found.add(first, ascending.get(i + 1));
      }
    }
    return found.toSet();
  }

  private static void addBorders(Expression expression, long length, List<Long> to) {
    if (expression instanceof Literal<?> literal
        && constant(literal.value()) instanceof Number number) {
      double near = Math.floor(number.doubleValue());
      for (long border = (long) near - 1; border <= (long) near + 2; border++) {
        if (border > 0 && border < length) {
          to.add(border);
        }
      }
      if (number instanceof Long exact) {
        for (long border : new long[] {exact, exact + 1}) {
          if (border > 0 && border < length) {
            to.add(border);
          }
        }
      }
    }
    for (Expression child : expression.children()) {
      addBorders(child, length, to);
    }
  }

  // --- one coordinate ---

  private static Boolean test(Expression condition, Object value) {
    GeneralScalarExpression general = (GeneralScalarExpression) condition;
    Expression[] children = general.children();
    return switch (general.name()) {
      case "ALWAYS_TRUE" -> true;
      case "ALWAYS_FALSE" -> false;
      case "AND" -> and(test(children[0], value), test(children[1], value));
      case "OR" -> not(and(not(test(children[0], value)), not(test(children[1], value))));
      case "NOT" -> not(test(children[0], value));
      case "IS_NULL" -> evaluate(children[0], value) == null;
      case "IS_NOT_NULL" -> evaluate(children[0], value) != null;
      case "IN" -> in(children, value);
      default ->
          compared(general.name(), evaluate(children[0], value), evaluate(children[1], value));
    };
  }

  private static Boolean and(Boolean a, Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return a == null || b == null ? null : Boolean.TRUE;
  }

  private static Boolean not(Boolean a) {
    return a == null ? null : !a;
  }

  private static Boolean in(Expression[] children, Object value) {
    Object wanted = evaluate(children[0], value);
    if (wanted == null) {
      return null;
    }
    boolean hasNull = false;
    for (int i = 1; i < children.length; i++) {
      Object each = evaluate(children[i], value);
      if (each == null) {
        hasNull = true;
      } else if (order(wanted, each) == 0) {
        return true;
      }
    }
    return hasNull ? null : Boolean.FALSE;
  }

  private static Boolean compared(String name, Object a, Object b) {
    if (name.equals("<=>")) {
      return a == null || b == null ? a == b : order(a, b) == 0;
    }
    if (a == null || b == null) {
      return null;
    }
    return switch (name) {
      case "=" -> order(a, b) == 0;
      case "<>" -> order(a, b) != 0;
      case "<" -> order(a, b) < 0;
      case "<=" -> order(a, b) <= 0;
      case ">" -> order(a, b) > 0;
      case ">=" -> order(a, b) >= 0;
      case "STARTS_WITH" -> ((UTF8String) a).startsWith((UTF8String) b);
      case "ENDS_WITH" -> ((UTF8String) a).endsWith((UTF8String) b);
      default -> ((UTF8String) a).contains((UTF8String) b);
    };
  }

  private static Object evaluate(Expression expression, Object value) {
    return switch (expression) {
      case Literal<?> literal -> literal.value() == null ? null : constant(literal.value());
      case Cast cast -> evaluate(cast.expression(), value);
      case Extract part -> value == null ? null : part(part.field(), (Long) value);
      default -> value;
    };
  }

  private static Long part(String field, long micros) {
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000),
            Math.floorMod(micros, 1_000_000) * 1000,
            ZoneOffset.UTC);
    return (long)
        switch (field) {
          case "YEAR" -> time.getYear();
          case "QUARTER" -> (time.getMonthValue() - 1) / 3 + 1;
          case "MONTH" -> time.getMonthValue();
          case "DAY" -> time.getDayOfMonth();
          case "DAY_OF_YEAR" -> time.getDayOfYear();
          case "HOUR" -> time.getHour();
          default -> time.getMinute();
        };
  }

  /** Returns a constant as coordinates are; null if it is of another kind. */
  static Object constant(Object value) {
    return switch (value) {
      case Byte v -> v.longValue();
      case Short v -> v.longValue();
      case Integer v -> v.longValue();
      case Long v -> v;
      case Float v -> v.doubleValue();
      case Double v -> v;
      case UTF8String v -> v;
      case null, default -> null;
    };
  }

  /** Compares two values of the same kind, or two numbers. */
  static int order(Object a, Object b) {
    return switch (a) {
      case UTF8String text -> text.compareTo((UTF8String) b);
      case Long x when b instanceof Long y -> Long.compare(x, y);
      default -> Double.compare(plain(a), plain(b));
    };
  }

  private static double plain(Object number) {
    return ((Number) number).doubleValue() + 0.0;
  }
}
