package org.hyperslab.netcdf.cdl;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.hyperslab.format.io.NameBytes;

/**
 * Writes lines of CDL. Values are put on a line as long as they fit; a line that continues is
 * indented.
 *
 * <p>The position on a line counts bytes of values only: what {@link #print} writes does not move
 * it, as in ncdump, whose lines break at the same places.
 *
 * <p>Thread rule: confined to one thread.
 */
final class CdlOutput {

  private static final String CONTINUED = "    ";
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final int longest;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private int indent;
  private int position;

  /**
   * Creates an output at the beginning of a line.
   *
   * @param out receives the bytes; is not closed
   * @param longest the greatest length of a line of values in bytes
   */
  CdlOutput(OutputStream out, int longest) {
    this.out = out;
    this.longest = longest;
  }

  void indentMore() {
    indent += 2;
  }

  void indentLess() {
    indent -= 2;
  }

  /** Writes text without moving the position. */
  void print(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        printBytes(NameBytes.encode(text));
        return;
      }
    }
    reserve(text.length());
    for (int i = 0; i < text.length(); i++) {
      buffer[filled++] = (byte) text.charAt(i);
    }
  }

  private void printBytes(byte[] bytes) {
    reserve(bytes.length);
    System.arraycopy(bytes, 0, buffer, filled, bytes.length);
    filled += bytes.length;
  }

  private void reserve(int bytes) {
    if (bytes > buffer.length - filled) {
      flush();
      if (bytes > buffer.length) {
        buffer = Arrays.copyOf(buffer, bytes);
      }
    }
  }

  /** Writes the indentation of the group, and text. */
  void line(String text) {
    print(" ".repeat(indent) + text);
  }

  /** Sets the position, counted behind the indentation of the group. */
  void at(int newPosition) {
    position = newPosition + indent;
  }

  /** Begins a line that continues. */
  void continued() {
    line(CONTINUED);
    position = CONTINUED.length() + indent;
  }

  /** Writes a value that is not divided, on a new line if it does not fit. */
  void value(String text) {
    int length = NameBytes.isAscii(text) ? text.length() : NameBytes.encode(text).length;
    if (length + position > longest && length > 2) {
      print("\n");
      continued();
    }
    print(text);
    if (text.endsWith("\n")) {
      position = indent;
    } else {
      position += length;
    }
  }

  /** Passes on all bytes. */
  void flush() {
    try {
      out.write(buffer, 0, filled);
      filled = 0;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
