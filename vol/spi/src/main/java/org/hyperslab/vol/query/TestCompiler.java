package org.hyperslab.vol.query;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.model.Condition;
import org.hyperslab.model.FillValue;
import org.jspecify.annotations.Nullable;

/**
 * Makes the test of a condition for the elements of a dataset. Thread rule: confined to one thread.
 */
final class TestCompiler {

  private static final int NAMES_SHOWN = 20;

  private final Columns columns;
  private final FillConstants fill;

  private TestCompiler(Columns columns, FillConstants fill) {
    this.columns = columns;
    this.fill = fill;
  }

  /**
   * A test, and the type in which the elements that it examines are read.
   *
   * @param test the test
   * @param memoryType the type; null if the test does not depend on the elements
   */
  record Compiled(ElementTest test, @Nullable Datatype memoryType) {}

  /**
   * Makes a test.
   *
   * @throws InvalidUseException if a field does not exist, or its type and a constant do not agree
   */
  static Compiled compile(Condition condition, Datatype stored, FillValue fill) {
    Columns columns = new Columns(stored);
    requireFields(condition, columns);
    boolean constant = !columns.isNeeded();
    @Nullable Datatype memoryType = constant ? null : columns.memoryType();
    ElementTest test = new TestCompiler(columns, new FillConstants(fill)).test(condition);
    return new Compiled(test, memoryType);
  }

  private static void requireFields(Condition condition, Columns columns) {
    switch (condition) {
      case Condition.And all -> all.parts().forEach(part -> requireFields(part, columns));
      case Condition.Or any -> any.parts().forEach(part -> requireFields(part, columns));
      case Condition.Not not -> requireFields(not.part(), columns);
      case Condition.Comparison one -> columns.require(one.field());
      case Condition.OneOf one -> columns.require(one.field());
      case Condition.IsNan one -> columns.require(one.field());
      case Condition.IsFill one -> columns.require(one.field());
    }
  }

  private ElementTest test(Condition condition) {
    return switch (condition) {
      case Condition.And all -> new JoinedTests.All(all.parts().stream().map(this::test).toList());
      case Condition.Or any -> new JoinedTests.Any(any.parts().stream().map(this::test).toList());
      case Condition.Not not -> new JoinedTests.None(test(not.part()));
      case Condition.Comparison one -> comparison(one.field(), one.relation(), one.constant());
      case Condition.OneOf one -> among(one);
      case Condition.IsNan one -> {
        FieldColumn column = columns.of(one.field());
        yield column.form().isFloating()
            ? new NumberTests.Nans(one.field(), column)
            : new JoinedTests.Any(List.of());
      }
      case Condition.IsFill one -> isFill(one.field());
    };
  }

  private ElementTest isFill(Condition.Field field) {
    FieldColumn column = columns.of(field);
    Object constant = fill.of(field, column).orElse(null);
    if (constant == null) {
      return new JoinedTests.Any(List.of());
    }
    if (constant instanceof Double number && number.isNaN()) {
      return new NumberTests.Nans(field, column);
    }
    return number(field, column, Condition.Relation.EQUAL, constant);
  }

  private ElementTest comparison(
      Condition.Field field, Condition.Relation relation, Object constant) {
    if (relation == Condition.Relation.NOT_EQUAL) {
      return new JoinedTests.None(comparison(field, Condition.Relation.EQUAL, constant));
    }
    FieldColumn column = columns.of(field);
    return number(field, column, relation, constant(field, column, relation, constant));
  }

  private static ElementTest number(
      Condition.Field field, FieldColumn column, Condition.Relation relation, Object constant) {
    if (column.form().isText()) {
      return new TextTest(column, relation, List.of(NameBytes.encode((String) constant)));
    }
    return column.form().isFloating()
        ? NumberTests.doubles(field, column, relation, constant)
        : NumberTests.integers(field, column, relation, constant);
  }

  private ElementTest among(Condition.OneOf one) {
    FieldColumn column = columns.of(one.field());
    List<Object> constants = new ArrayList<>();
    for (Object constant : one.constants()) {
      constants.add(constant(one.field(), column, Condition.Relation.EQUAL, constant));
    }
    if (column.form().isText()) {
      return new TextTest(
          column,
          Condition.Relation.EQUAL,
          constants.stream().map(text -> NameBytes.encode((String) text)).toList());
    }
    if (column.form().isFloating()) {
      double[] sorted =
          constants.stream()
              .mapToDouble(constant -> 0.0 + NumberTests.nearest(column, constant))
              .sorted()
              .toArray();
      return new NumberTests.DoublesAmong(one.field(), column, sorted);
    }
    long[] sorted =
        constants.stream()
            .map(constant -> NumberTests.integer(column, constant))
            .filter(Objects::nonNull)
            .mapToLong(Long::longValue)
            .sorted()
            .toArray();
    return new NumberTests.IntegersAmong(one.field(), column, sorted);
  }

  /** Returns a constant in the form in which it is compared with the values of a column. */
  private static Object constant(
      Condition.Field field, FieldColumn column, Condition.Relation relation, Object given) {
    if (column.form().isText()) {
      if (given instanceof String text) {
        return text;
      }
      throw new InvalidUseException(
          "constant for field "
              + field
              + ": actual=the number "
              + given
              + ", expected=a text, for the field is "
              + column.stored().describe());
    }
    if (!(given instanceof String name)) {
      return given;
    }
    if (!(column.stored() instanceof EnumType names)) {
      throw new InvalidUseException(
          "constant for field "
              + field
              + ": actual=the text \""
              + name
              + "\", expected=a number, for the field is "
              + column.stored().describe());
    }
    if (relation != Condition.Relation.EQUAL && relation != Condition.Relation.NOT_EQUAL) {
      throw new InvalidUseException(
          "comparison of field "
              + field
              + ": actual="
              + relation.sign()
              + " with a name, expected=== or !=, for names of an enumeration have no order;"
              + " compare with its numbers");
    }
    long value = names.constant(name).orElseThrow(() -> noSuchName(field, name, names)).value();
    return new BigDecimal(
        names.base().signed() ? Long.toString(value) : Long.toUnsignedString(value));
  }

  private static InvalidUseException noSuchName(
      Condition.Field field, String name, EnumType names) {
    return new InvalidUseException(
        "constant for field "
            + field
            + ": actual=\""
            + name
            + "\", expected=one of "
            + names.constants().stream()
                .limit(NAMES_SHOWN)
                .map(EnumType.Constant::name)
                .collect(Collectors.joining(", "))
            + (names.constants().size() > NAMES_SHOWN ? ", …" : ""));
  }
}
