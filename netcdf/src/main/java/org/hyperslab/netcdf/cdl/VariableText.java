package org.hyperslab.netcdf.cdl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Optional;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.jspecify.annotations.Nullable;

/**
 * Formats the elements of a variable: the fill value as {@code _}, numbers as {@code C_format}
 * says.
 *
 * <p>Thread rule: immutable.
 */
final class VariableText {

  private static final String FILL = "_";
  private static final float FLOAT_STEP = Math.ulp(1f);
  private static final double DOUBLE_STEP = Math.ulp(1.0);
  static final double DEFAULT_REAL = 0x1.ep122;

  private final Datatype memory;
  private final CdlValueText values;
  private final Optional<CdlNumber> format;
  private final Optional<CdlFile.Attribute> fill;
  private final Optional<TimeText> time;

  private VariableText(
      CdlFile.Variable variable,
      CdlValueText values,
      Optional<CdlNumber> format,
      Optional<TimeText> time) {
    this.time = time;
    this.memory = variable.datatype().inMemory();
    this.values = values;
    this.format = format;
    this.fill =
        variable.attributes().stream()
            .filter(each -> each.name().equals("_FillValue") && each.count() == 1)
            .filter(each -> isSameType(each.datatype().inMemory()))
            .findFirst();
  }

  /** Numbers may differ in the order of their bytes. */
  private boolean isSameType(Datatype type) {
    String primitive = CdlNames.primitive(type);
    return primitive == null ? type.equals(memory) : primitive.equals(CdlNames.primitive(memory));
  }

  private static BigInteger integerFill(CdlFile.Attribute attribute) {
    IntegerType type = (IntegerType) attribute.datatype().inMemory();
    return CdlValueText.integer(type, attribute.data().elements(), 0);
  }

  private static double realFill(CdlFile.Attribute attribute) {
    FloatType type = (FloatType) attribute.datatype().inMemory();
    return CdlValueText.number(type, attribute.data().elements(), 0);
  }

  /**
   * Returns the format of a variable.
   *
   * @param isPrecise whether a precision was asked for, so that {@code C_format} is ignored
   * @param time formats numbers as dates
   */
  static VariableText of(
      CdlFile.Variable variable, CdlValueText values, boolean isPrecise, Optional<TimeText> time) {
    Optional<CdlNumber> format =
        variable.attributes().stream()
            .filter(each -> !isPrecise && each.name().equals("C_format"))
            .filter(each -> each.datatype() instanceof StringType && each.count() == 1)
            .findFirst()
            .flatMap(VariableText::format);
    return new VariableText(variable, values, format, time);
  }

  private static Optional<CdlNumber> format(CdlFile.Attribute attribute) {
    byte[] bytes = attribute.data().elements().toArray(ValueLayout.JAVA_BYTE);
    String text = NameBytes.decode(bytes);
    return bytes.length < 100 ? CdlNumber.of(text.replace("\0", "")) : Optional.empty();
  }

  boolean isCharacters() {
    return memory instanceof StringType text && text.size() == 1;
  }

  int size() {
    return memory.size();
  }

  /** Returns the text of an element at a byte offset. */
  String text(DataBuffer data, long at) {
    MemorySegment elements = data.elements();
    return switch (memory) {
      case IntegerType number -> {
        BigInteger value = CdlValueText.integer(number, elements, at);
        boolean isFill =
            fill.isPresent()
                ? value.equals(integerFill(fill.get()))
                : value.equals(defaultFill(number));
        if (!isFill && time.isPresent()) {
          yield date(memory, data, at, time.get(), values);
        }
        yield isFill
            ? FILL
            : format
                .filter(CdlNumber::isInteger)
                .map(each -> each.text(value))
                .orElseGet(value::toString);
      }
      case FloatType number -> {
        double value = CdlValueText.number(number, elements, at);
        double filled = fill.isPresent() ? realFill(fill.get()) : DEFAULT_REAL;
        boolean single = number.size() == 4;
        if (single ? isSame((float) filled, (float) value) : isSame(filled, value)) {
          yield FILL;
        }
        if (time.isPresent()) {
          yield date(memory, data, at, time.get(), values);
        }
        yield Double.isFinite(value) && format.filter(f -> !f.isInteger()).isPresent()
            ? format.get().text(value)
            : values.real(value, single);
      }
      default -> {
        String text = values.text(memory, data, at);
        yield text.equals(fillText()) ? FILL : text;
      }
    };
  }

  /** Returns a number as a date, or as it is if it is none. */
  static String date(
      Datatype memory, DataBuffer data, long at, TimeText time, CdlValueText values) {
    double value =
        memory instanceof IntegerType number
            ? CdlValueText.integer(number, data.elements(), at).doubleValue()
            : CdlValueText.number((FloatType) memory, data.elements(), at);
    return Double.isFinite(value)
        ? time.text(value).orElseGet(() -> values.text(memory, data, at))
        : values.real(value, false);
  }

  /** Bytes have no default fill value: each of them may be meant. */
  private static @Nullable BigInteger defaultFill(IntegerType type) {
    return type.size() == 1 ? null : defaultInteger(type);
  }

  /** Returns the number that elements have which were never written. */
  static BigInteger defaultInteger(IntegerType type) {
    BigInteger end = BigInteger.TWO.pow(8 * type.size() - (type.signed() ? 1 : 0));
    long below = type.size() == 8 ? 2 : 1;
    BigInteger most = end.subtract(BigInteger.valueOf(below));
    return type.signed() ? most.negate() : most;
  }

  private @Nullable String fillText() {
    if (fill.isPresent()) {
      return values.text(memory, fill.get().data(), 0);
    }
    return memory instanceof VlenStringType ? "\"\"" : null;
  }

  /** Floats may differ from the fill value by the last bit. */
  private static boolean isSame(float fill, float value) {
    if (fill > 0 != value > 0) {
      return false;
    }
    if (Float.isFinite(fill) && Float.isFinite(value)) {
      return Math.abs(fill - value) <= Math.abs(FLOAT_STEP * value);
    }
    return Float.isNaN(fill) && Float.isNaN(value)
        || Float.isInfinite(fill) && Float.isInfinite(value);
  }

  private static boolean isSame(double fill, double value) {
    if (fill > 0 != value > 0) {
      return false;
    }
    if (Double.isFinite(fill) && Double.isFinite(value)) {
      return Math.abs(fill - value) <= Math.abs(DOUBLE_STEP * value);
    }
    return Double.isNaN(fill) && Double.isNaN(value)
        || Double.isInfinite(fill) && Double.isInfinite(value);
  }
}
