package org.hyperslab.vol.query;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.Condition;
import org.hyperslab.model.FillValue;
import org.jspecify.annotations.Nullable;

/** The fill value of a dataset as a constant of a condition. Thread rule: immutable. */
final class FillConstants {

  private final boolean exists;

  /** The value as a Java value; null for zeros. */
  private final @Nullable Object value;

  FillConstants(FillValue fill) {
    this.exists = !(fill instanceof FillValue.Undefined);
    this.value =
        fill instanceof FillValue.Value given
            ? ElementCodec.of(given.type().inMemory())
                .decode(given.value().elements(), 0, given.value().heap())
            : null;
  }

  /**
   * Returns the fill value of a field: a BigDecimal, a Double that is infinite or NaN, or a String;
   * empty if the dataset has none.
   */
  Optional<Object> of(Condition.Field field, FieldColumn column) {
    @Nullable Object one = value;
    if (one instanceof Map<?, ?> map) {
      for (String name : field.names()) {
        one = one instanceof Map<?, ?> inner ? inner.get(name) : null;
      }
    }
    return exists ? Optional.ofNullable(constant(one, column)) : Optional.empty();
  }

  private static @Nullable Object constant(@Nullable Object one, FieldColumn column) {
    return switch (one) {
      case null -> column.form().isText() ? "" : BigDecimal.ZERO;
      case Double d -> number(d);
      case Float f -> number(f);
      case Number n -> new BigDecimal(n.toString());
      case Boolean b -> b ? BigDecimal.ONE : BigDecimal.ZERO;
      case String s when column.stored() instanceof EnumType names ->
          names.constant(s).map(c -> BigDecimal.valueOf(c.value())).orElse(null);
      case String s when column.form().isText() -> s;
      default -> null;
    };
  }

  private static Object number(double number) {
    return Double.isFinite(number) ? (Object) new BigDecimal(number) : (Object) number;
  }
}
