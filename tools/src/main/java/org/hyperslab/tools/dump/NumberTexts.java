package org.hyperslab.tools.dump;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.tools.number.AsciiText;
import org.hyperslab.tools.number.PrintfNumber;
import org.hyperslab.tools.number.RoundedDigits;

/**
 * Formats numbers of at most 8 bytes, many at a time. They are read as 64-bit numbers, so that
 * reading converts them.
 *
 * <p>Thread rule: immutable.
 */
final class NumberTexts {

  private static final int MAX_BYTES = 8;

  /** A guess of what a number takes; the text grows if it is longer. */
  private static final int CHARACTERS = 10;

  private static final ValueLayout.OfLong LONGS =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Datatype type;
  private final PrintfNumber floats;

  private NumberTexts(Datatype type, PrintfNumber floats) {
    this.type = type;
    this.floats = floats;
  }

  /**
   * Returns what formats numbers of a type; null for types that it does not format.
   *
   * @param floats the format of floating-point numbers
   */
  static NumberTexts of(Datatype type, PrintfNumber floats) {
    return switch (type) {
      case IntegerType t when t.size() <= MAX_BYTES ->
          new NumberTexts(t.signed() ? Datatypes.I64LE : Datatypes.U64LE, floats);
      case FloatType t when t.size() <= MAX_BYTES && floats.isAscii() ->
          new NumberTexts(Datatypes.F64LE, floats);
      case Datatype _ -> null;
    };
  }

  /** {@return the type of the numbers in memory, of 8 bytes} */
  Datatype type() {
    return type;
  }

  /**
   * Formats numbers, each with a comma behind it.
   *
   * @param elements numbers of {@link #type()}
   * @param last whether the last one has no comma
   */
  ElementTexts of(MemorySegment elements, int count, boolean last) {
    long[] values = new long[count];
    MemorySegment.copy(elements, LONGS, 0, values, 0, count);
    AsciiText text = new AsciiText(CHARACTERS * count);
    int[] ends = new int[count];
    if (type instanceof FloatType) {
      floats(values, text, ends);
    } else {
      integers(values, text, ends);
    }
    int end = text.length() - 1; // where the last comma is
    if (last) {
      ends[count - 1] = end;
    }
    return new ElementTexts(text.toString(), ends, count);
  }

  private void floats(long[] values, AsciiText text, int[] ends) {
    RoundedDigits digits = new RoundedDigits();
    for (int i = 0; i < values.length; i++) {
      floats.appendTo(text, Double.longBitsToDouble(values[i]), digits);
      text.append(',');
      ends[i] = text.length();
    }
  }

  private void integers(long[] values, AsciiText text, int[] ends) {
    boolean signed = type.equals(Datatypes.I64LE);
    for (int i = 0; i < values.length; i++) {
      if (signed || values[i] >= 0) {
        text.append(values[i]);
      } else {
        text.append(Long.toUnsignedString(values[i]));
      }
      text.append(',');
      ends[i] = text.length();
    }
  }
}
