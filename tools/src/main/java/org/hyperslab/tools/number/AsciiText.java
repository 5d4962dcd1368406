package org.hyperslab.tools.ddl;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing text of ASCII characters, of which each is one byte.
 *
 * <p>Thread rule: confined to one thread.
 */
final class AsciiText {

  /** The most digits of an unsigned long. */
  private static final int MAX_DIGITS = 20;

  private byte[] bytes;
  private int length;

  /**
   * Creates an empty text.
   *
   * @param characters how many it has room for; it grows if there are more
   */
  AsciiText(int characters) {
    bytes = new byte[characters];
  }

  /** {@return the number of characters} */
  int length() {
    return length;
  }

  /** Appends a character, which must be ASCII. */
  void append(char c) {
    reserve(1);
    bytes[length++] = (byte) c;
  }

  /** Appends a string, which must be ASCII. */
  void append(String text) {
    append(text.getBytes(StandardCharsets.ISO_8859_1), text.length());
  }

  /** Appends the first characters of an array. */
  void append(byte[] text, int count) {
    reserve(count);
    System.arraycopy(text, 0, bytes, length, count);
    length += count;
  }

  /** Appends an integer in decimal. */
  void append(long value) {
    if (value == Long.MIN_VALUE) {
      append(Long.toString(value));
      return;
    }
    reserve(MAX_DIGITS);
    long left = value;
    if (value < 0) {
      bytes[length++] = '-';
      left = -value;
    }
    length += DecimalDigits.write(left, DecimalDigits.count(left), bytes, length);
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * length));
    }
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }
}
