package org.hyperslab.convert.numpy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;

/**
 * Converts text in elements between NumPy's form, four bytes for each character, and UTF-8 padded
 * with NUL. Both have the same size, so that text is converted in place. A byte that is not UTF-8
 * is the character U+DC00 + byte, as in Python's {@code surrogateescape}.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface UcsText {

  /**
   * Converts the text of an element from NumPy's form to UTF-8.
   *
   * @param elements where it is
   * @param at its byte offset
   * @param file what it is read from, for messages
   * @throws CorruptFileException if a code is not a Unicode character
   */
  void toUtf8(MemorySegment elements, long at, String file);

  /**
   * Converts the text of an element from UTF-8 to NumPy's form.
   *
   * @param elements where it is
   * @param at its byte offset
   * @param file what it is read from, for messages
   * @throws UnsupportedFeatureException if it has too many characters
   */
  void toUcs4(MemorySegment elements, long at, String file);

  /**
   * A text of a fixed number of characters.
   *
   * @param characters the number of characters
   * @param bigEndian the byte order of NumPy's characters
   */
  record Field(int characters, boolean bigEndian) implements UcsText {

    /** The first and the last character that stand for a byte. */
    private static final int FIRST_BYTE = 0xDC80;

    private static final int LAST_BYTE = 0xDCFF;

    private ValueLayout.OfInt word() {
      return ValueLayout.JAVA_INT_UNALIGNED.withOrder(
          bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void toUtf8(MemorySegment elements, long at, String file) {
      ValueLayout.OfInt word = word();
      long out = at;
      for (int i = 0; i < characters; i++) {
        int point = elements.get(word, at + 4L * i);
        boolean isByte = point >= FIRST_BYTE && point <= LAST_BYTE;
        if (isByte) {
          elements.set(ValueLayout.JAVA_BYTE, out++, (byte) point);
          continue;
        }
        if (point < 0 || point > Character.MAX_CODE_POINT || isSurrogate(point)) {
          throw new CorruptFileException(
              file,
              "text",
              CorruptFileException.NO_OFFSET,
              "actual=character " + Integer.toHexString(point) + ", expected=a Unicode character");
        }
        out = putUtf8(elements, out, point); // the output never overtakes the input
      }
      elements.asSlice(out, at + 4L * characters - out).fill((byte) 0);
    }

    private static boolean isSurrogate(int point) {
      return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }

    private static long putUtf8(MemorySegment to, long at, int point) {
      if (point < 0x80) {
        to.set(ValueLayout.JAVA_BYTE, at, (byte) point);
        return at + 1;
      }
      int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
      int lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
      to.set(ValueLayout.JAVA_BYTE, at, (byte) (lead | point >> 6 * more));
      for (int i = 1; i <= more; i++) {
        to.set(ValueLayout.JAVA_BYTE, at + i, (byte) (0x80 | point >> 6 * (more - i) & 0x3F));
      }
      return at + 1 + more;
    }

    @Override
    public void toUcs4(MemorySegment elements, long at, String file) {
      byte[] utf8 = elements.asSlice(at, 4L * characters).toArray(ValueLayout.JAVA_BYTE);
      int length = utf8.length;
      while (length > 0 && utf8[length - 1] == 0) {
        length--;
      }
      int[] points = NameBytes.decode(utf8, 0, length).codePoints().toArray();
      if (points.length > characters) {
        throw new UnsupportedFeatureException(
            "text: actual="
                + points.length
                + " characters, expected<="
                + characters
                + " as the attribute "
                + NumpyAttribute.NAME
                + " says, at="
                + file);
      }
      ValueLayout.OfInt word = word();
      for (int i = 0; i < characters; i++) {
        elements.set(word, at + 4L * i, i < points.length ? points[i] : 0);
      }
    }
  }

  /**
   * Text in a member of a structure.
   *
   * @param offset of the member in bytes
   * @param text what the member holds
   */
  record Part(int offset, UcsText text) {}

  /**
   * A structure with members that hold text.
   *
   * @param parts its members that hold text
   */
  record Structure(List<Part> parts) implements UcsText {
    @Override
    public void toUtf8(MemorySegment elements, long at, String file) {
      for (Part part : parts) {
        part.text.toUtf8(elements, at + part.offset, file);
      }
    }

    @Override
    public void toUcs4(MemorySegment elements, long at, String file) {
      for (Part part : parts) {
        part.text.toUcs4(elements, at + part.offset, file);
      }
    }
  }

  /**
   * An array in an element.
   *
   * @param each what its elements hold
   * @param bytes of one of its elements
   * @param times how many it has
   */
  record Repeated(UcsText each, int bytes, int times) implements UcsText {
    @Override
    public void toUtf8(MemorySegment elements, long at, String file) {
      for (int i = 0; i < times; i++) {
        each.toUtf8(elements, at + (long) i * bytes, file);
      }
    }

    @Override
    public void toUcs4(MemorySegment elements, long at, String file) {
      for (int i = 0; i < times; i++) {
        each.toUcs4(elements, at + (long) i * bytes, file);
      }
    }
  }
}
