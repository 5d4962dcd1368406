package org.hyperslab.format.type.convert;

/**
 * A number during its conversion between two layouts: sign, 128-bit magnitude and a power of two.
 * The value is (-1)^negative · magnitude · 2^exponent. Scratch object, mutable, confined to one
 * thread.
 */
final class WideNumber {

  /** The class of the number. */
  enum Kind {
    FINITE,
    INFINITE,
    NAN
  }

  Kind kind = Kind.FINITE;
  boolean negative;
  int exponent;
  long high;
  long low;

  void set(Kind newKind, boolean isNegative, int newExponent) {
    kind = newKind;
    negative = isNegative;
    exponent = newExponent;
  }

  boolean isZero() {
    return (high | low) == 0;
  }

  /** Returns whether exactly one bit of the magnitude is set. */
  boolean isPowerOfTwo() {
    return Long.bitCount(high) + Long.bitCount(low) == 1;
  }

  /** Returns the number of bits of the magnitude up to the most significant one. */
  int bitLength() {
    return high != 0 ? 128 - Long.numberOfLeadingZeros(high) : 64 - Long.numberOfLeadingZeros(low);
  }

  /** Replaces the magnitude by its two's complement within {@code bits}. */
  void negate(int bits) {
    low = -low;
    high = ~high + (low == 0 ? 1 : 0);
    keep(bits);
  }

  /** Clears all but the low {@code bits} of the magnitude. */
  void keep(int bits) {
    if (bits <= 64) {
      high = 0;
      low &= ones(bits);
    } else {
      high &= ones(bits - 64);
    }
  }

  /** Sets the magnitude to 2^bits - 1. */
  void setOnes(int bits) {
    high = bits > 64 ? ones(bits - 64) : 0;
    low = ones(Math.min(64, bits));
  }

  /** Sets the magnitude to 2^bit. */
  void setBit(int bit) {
    high = bit >= 64 ? 1L << (bit - 64) : 0;
    low = bit < 64 ? 1L << bit : 0;
  }

  void shiftLeft(int bits) {
    if (bits >= 128) {
      high = 0;
      low = 0;
    } else if (bits >= 64) {
      high = low << (bits - 64);
      low = 0;
    } else if (bits > 0) {
      high = high << bits | low >>> (64 - bits);
      low <<= bits;
    }
  }

  /** Drops bits, which rounds toward zero. */
  void shiftRight(int bits) {
    if (bits >= 128) {
      high = 0;
      low = 0;
    } else if (bits >= 64) {
      low = high >>> (bits - 64);
      high = 0;
    } else if (bits > 0) {
      low = low >>> bits | high << (64 - bits);
      high >>>= bits;
    }
  }

  /** Drops {@code bits} low bits, at least 1, rounding to nearest, ties to even. */
  void roundRight(int bits) {
    if (bits > 128) {
      high = 0;
      low = 0;
      return;
    }
    boolean half = bit(bits - 1);
    boolean sticky = anyBelow(bits - 1);
    shiftRight(bits);
    if (half && (sticky || (low & 1) != 0)) {
      low++;
      if (low == 0) {
        high++;
      }
    }
  }

  /** Returns whether the magnitude is greater than 2^bits - 1 times 2^shift. */
  boolean exceedsOnes(int bits, int shift) {
    if (shift >= 128 || bitLength() != bits + shift || !anyBelow(shift)) {
      return false;
    }
    for (int i = shift; i < shift + bits; i++) {
      if (!bit(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean bit(int position) {
    return ((position < 64 ? low >>> position : high >>> (position - 64)) & 1) != 0;
  }

  private boolean anyBelow(int position) {
    if (position > 64) {
      return low != 0 || (high & ones(position - 64)) != 0;
    }
    return (low & ones(position)) != 0;
  }

  /** Returns a number with the low {@code bits} bits set, 0 to 64. */
  static long ones(int bits) {
    return bits == 64 ? -1L : (1L << bits) - 1;
  }
}
