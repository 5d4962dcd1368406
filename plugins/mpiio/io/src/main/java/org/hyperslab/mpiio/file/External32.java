package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.datatype.ElementaryType;

/**
 * The external32 representation: big-endian two's complement and IEEE 754. C's long is 4 bytes
 * there and wchar_t 2, so a value may not fit.
 */
record External32() implements DataRepresentation {

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfShort BIG_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt BIG_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong BIG_LONG = LONG.withOrder(ByteOrder.BIG_ENDIAN);

  @Override
  public String name() {
    return "external32";
  }

  @Override
  public long fileBytes(ElementaryType type) {
    return type.external32Bytes();
  }

  @Override
  public void toFile(ElementaryType type, long count, MemorySegment memory, MemorySegment file) {
    if (type.bytes() == type.external32Bytes()) {
      turned(type, count, memory, file);
      return;
    }
    for (long i = 0; i < count; i++) {
      if (type == ElementaryType.WCHAR) {
        file.set(BIG_SHORT, 2 * i, (short) fitting(type, memory.get(INT, 4 * i), 0, 0xFFFF));
      } else {
        boolean signed = type == ElementaryType.LONG;
        long low = signed ? Integer.MIN_VALUE : 0;
        long high = signed ? Integer.MAX_VALUE : 0xFFFF_FFFFL;
        file.set(BIG_INT, 4 * i, (int) fitting(type, memory.get(LONG, 8 * i), low, high));
      }
    }
  }

  @Override
  public void fromFile(ElementaryType type, long count, MemorySegment file, MemorySegment memory) {
    if (type.bytes() == type.external32Bytes()) {
      turned(type, count, file, memory);
      return;
    }
    for (long i = 0; i < count; i++) {
      if (type == ElementaryType.WCHAR) {
        memory.set(INT, 4 * i, Short.toUnsignedInt(file.get(BIG_SHORT, 2 * i)));
      } else {
        int value = file.get(BIG_INT, 4 * i);
        long wide = type == ElementaryType.LONG ? value : Integer.toUnsignedLong(value);
        memory.set(LONG, 8 * i, wide);
      }
    }
  }

  /** Reverses the bytes of each number if this machine is little-endian. */
  private static void turned(
      ElementaryType type, long count, MemorySegment from, MemorySegment to) {
    long numbers = count * type.parts();
    switch (type.bytes() / type.parts()) {
      case 1 -> MemorySegment.copy(from, 0, to, 0, numbers);
      case 2 -> MemorySegment.copy(from, SHORT, 0, to, BIG_SHORT, 0, numbers);
      case 4 -> MemorySegment.copy(from, INT, 0, to, BIG_INT, 0, numbers);
      default -> MemorySegment.copy(from, LONG, 0, to, BIG_LONG, 0, numbers);
    }
  }

  private static long fitting(ElementaryType type, long value, long low, long high) {
    if (value < low || value > high) {
      throw new InvalidUseException(
          "external32 "
              + type
              + ": actual="
              + value
              + ", expected="
              + low
              + ".."
              + high
              + "; use a type of fixed size such as INT64");
    }
    return value;
  }
}
