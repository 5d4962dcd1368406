package org.hyperslab.format.type;

/**
 * Reads and writes integers of at most eight bytes, of any order, precision and offset, in byte
 * arrays.
 */
final class IntegerBits {

  private IntegerBits() {}

  /** Returns the low bits of {@code value} that the type stores, sign-extended if it is signed. */
  static long wrap(IntegerType type, long value) {
    int precision = Math.min(64, type.precision());
    if (precision == 64) {
      return value;
    }
    int unused = 64 - precision;
    return type.signed() ? value << unused >> unused : value << unused >>> unused;
  }

  /** Returns the value at {@code at}; the type must have at most 8 bytes. */
  static long read(IntegerType type, byte[] bytes, int at) {
    return wrap(type, raw(bytes, at, type.size(), type.order()) >>> type.offset());
  }

  /** Writes a value at {@code at}, with the type's padding; the type must have at most 8 bytes. */
  static void write(IntegerType type, long value, byte[] bytes, int at) {
    int bits = 8 * type.size();
    long field = type.precision() == 64 ? -1L : ((1L << type.precision()) - 1) << type.offset();
    long raw = value << type.offset() & field;
    if (type.lowPadding() == BitPadding.ONE) {
      raw |= (1L << type.offset()) - 1;
    }
    int top = type.offset() + type.precision();
    if (type.highPadding() == BitPadding.ONE && top < bits) {
      raw |= -1L << top;
    }
    for (int i = 0; i < type.size(); i++) {
      int place = type.order() == Endian.BIG ? type.size() - 1 - i : i;
      bytes[at + place] = (byte) (raw >>> (8 * i));
    }
  }

  static long raw(byte[] bytes, int at, int size, Endian order) {
    long raw = 0;
    for (int i = 0; i < size; i++) {
      int place = order == Endian.BIG ? i : size - 1 - i;
      raw = raw << 8 | (bytes[at + place] & 0xFFL);
    }
    return raw;
  }
}
