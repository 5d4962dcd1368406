package org.hyperslab.tools.number;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing text of ASCII characters, of which each is one byte.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class AsciiText {

  /** The most digits of an unsigned long. */
  private static final int MAX_DIGITS = 20;

  private byte[] bytes;
  private int length;

  /**
   * Creates an empty text.
   *
   * @param characters how many it has room for; it grows if there are more
   */
  public AsciiText(int characters) {
    bytes = new byte[characters];
  }

  /** {@return the number of characters} */
  public int length() {
    return length;
  }

  /**
   * Appends a character.
   *
   * @param c an ASCII character
   */
  public void append(char c) {
    reserve(1);
    bytes[length++] = (byte) c;
  }

  /**
   * Appends a string.
   *
   * @param text ASCII characters
   */
  public void append(String text) {
    append(text.getBytes(StandardCharsets.ISO_8859_1), text.length());
  }

  /**
   * Appends the first characters of an array.
   *
   * @param text ASCII characters
   * @param count the number of characters
   */
  public void append(byte[] text, int count) {
    reserve(count);
    System.arraycopy(text, 0, bytes, length, count);
    length += count;
  }

  /**
   * Appends an integer in decimal.
   *
   * @param value the integer
   */
  public void append(long value) {
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
