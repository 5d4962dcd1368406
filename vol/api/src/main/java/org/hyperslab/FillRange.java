package org.hyperslab;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.format.type.convert.NumberRange;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;

/** Fits the fill value of a new dataset to the dataset's type. */
final class FillRange {

  private static final String OUTSIDE = "number out of range";
  private static final String ADVICE = "; use a wider type, or another fill value";

  private FillRange() {}

  /**
   * Returns options whose fill value the type can represent: the given ones, or ones with the fill
   * value as an element of the type.
   *
   * @throws InvalidUseException if the type cannot represent the fill value: a number is out of
   *     range, a string is too long, a name is unknown, or bytes or members are missing or left
   *     over
   */
  static DatasetOptions fit(DatasetOptions options, Datatype stored) {
    if (!(options.fill() instanceof FillValue.Value given)) {
      return options;
    }
    try {
      if (!isWrittenAsElement(given.type(), stored)) {
        require(given, stored);
        return options;
      }
      FillValue element = new FillValue.Value(stored.inMemory(), element(given, stored.inMemory()));
      return options.toBuilder().fill(element).build();
    } catch (InvalidUseException outside) {
      throw new InvalidUseException(
          "fill value: " + advised(String.valueOf(outside.getMessage())), outside);
    }
  }

  /** Returns a message with the advice for fill values, which cannot be clamped. */
  private static String advised(String message) {
    int advice = message.lastIndexOf("; ");
    return advice < 0 || !message.startsWith(OUTSIDE)
        ? message
        : message.substring(0, advice) + ADVICE;
  }

  /** Returns whether a value is stored like an element, not converted as a number or a string. */
  private static boolean isWrittenAsElement(Datatype given, Datatype stored) {
    if (given.inMemory().equals(stored.inMemory())) {
      return false;
    }
    boolean hasParts = given instanceof CompoundType || given instanceof ComplexType;
    return switch (stored) {
      case CompoundType _, ComplexType _ -> hasParts;
      case EnumType _ -> given instanceof EnumType || given instanceof StringType;
      case OpaqueType _, ArrayType _, VlenType _ ->
          given instanceof OpaqueType || given instanceof ArrayType || given instanceof VlenType;
      default -> false;
    };
  }

  private static DataBuffer element(FillValue.Value given, Datatype type) {
    DataBuffer from = given.value();
    Object value = ElementCodec.of(given.type().inMemory()).decode(from.elements(), 0, from.heap());
    DataBuffer element = DataBuffer.allocate(type, 1);
    ElementCodec.of(type).encode(value, element.elements(), 0, element.heap());
    return element;
  }

  private static void require(FillValue.Value fill, Datatype stored) {
    boolean numbers = NumberArrays.isNumber(fill.type()) && NumberArrays.isNumber(stored);
    if (numbers) {
      NumberArrays.requireConvertible(fill.type(), stored);
    } else {
      Converter.between(fill.type().inMemory(), stored.inMemory());
    }
    requireRange(fill, stored);
    if (fill.type() instanceof StringType given && stored instanceof StringType field) {
      int room = field.padding() == StringPadding.NULLTERM ? field.size() - 1 : field.size();
      if (given.padding() == StringPadding.NULLPAD && given.size() > room) {
        throw new InvalidUseException(
            "actual=a string of "
                + given.size()
                + " bytes, expected<="
                + room
                + " for "
                + field.describe());
      }
    }
  }

  private static void requireRange(FillValue.Value fill, Datatype stored) {
    NumberRange range = NumberRange.between(fill.type(), stored).orElse(null);
    MemorySegment number = fill.value().elements();
    if (range != null && range.firstOutside(number, 0, 1) >= 0) {
      throw new InvalidUseException(
          OUTSIDE
              + ": actual="
              + range.text(number, 0, 0)
              + ", expected=a value of "
              + stored.describe()
              + ADVICE);
    }
  }
}
