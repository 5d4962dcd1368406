package org.hyperslab.tools.number;

/** The decimal digits of integers, without division where a multiplication does. */
final class DecimalDigits {

  private static final int HUNDRED_MILLION = 100_000_000;

  private static final byte[] PAIRS = pairs();

  private DecimalDigits() {}

  private static byte[] pairs() {
    byte[] pairs = new byte[200];
    for (int i = 0; i < 100; i++) {
      pairs[2 * i] = (byte) ('0' + i / 10);
      pairs[2 * i + 1] = (byte) ('0' + i % 10);
    }
    return pairs;
  }

  /** {@return the number of digits of a value that is not negative} */
  static int count(long value) {
    int digits = 1;
    long power = 10;
    while (digits < 19 && value >= power) {
      digits++;
      power *= 10;
    }
    return digits;
  }

  /**
   * Writes the last digits of a value, with zeros in front if it has fewer.
   *
   * @param value not negative
   * @param digits how many
   * @param to receives them
   * @param at the index of the first one
   * @return {@code digits}
   */
  static int write(long value, int digits, byte[] to, int at) {
    long left = value;
    int end = at + digits;
    while (left >= HUNDRED_MILLION) {
      long above = left / HUNDRED_MILLION;
      end -= 8;
      writeInt((int) (left - above * HUNDRED_MILLION), 8, to, end);
      left = above;
    }
    writeInt((int) left, end - at, to, at);
    return digits;
  }

  /**
   * Writes the digits of a value below 10^8; the JVM's first compiler does not replace divisions.
   */
  private static void writeInt(int value, int digits, byte[] to, int at) {
    int left = value;
    int end = at + digits;
    while (end - at >= 2) {
      int above = (int) (left * 1_374_389_535L >>> 37); // left / 100
      int pair = 2 * (left - 100 * above);
      to[--end] = PAIRS[pair + 1];
      to[--end] = PAIRS[pair];
      left = above;
    }
    if (end > at) {
      to[at] = (byte) ('0' + left);
    }
  }
}
