package org.hyperslab.format.io;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * Converts names and strings between text and bytes, without loss in either direction. According to
 * the specification, they are UTF-8 or ASCII, but files contain what their writers stored, often
 * Latin-1. A byte that is not part of valid UTF-8 is decoded as the unpaired low surrogate U+DC00 +
 * byte, which is encoded as that byte again. Other unpaired surrogates have no bytes.
 *
 * <p>Where text must be valid Unicode, as in JSON and on a terminal, such a character is spelled
 * {@code \\udce9}, as in the source of a program in Java or Python ({@link #spelling}), and read
 * again ({@link #ofSpelling}).
 *
 * <p>Thread rule: no state.
 */
public final class NameBytes {

  private static final char REPLACEMENT = '\uFFFD';
  private static final int ESCAPE = 0xDC00;

  /** How a spelled byte begins after its backslash; two digits follow. */
  private static final String SPELLED_BYTE = "udc";

  /** How a backslash is spelled, after a backslash. */
  private static final String SPELLED_BACKSLASH = "u005c";

  private static final String DIGITS = "0123456789abcdef";

  private NameBytes() {}

  /**
   * {@return the text of {@code length} bytes from {@code from}}
   *
   * @param bytes the bytes
   * @param from the index of the first byte
   * @param length the number of bytes
   */
  public static String decode(byte[] bytes, int from, int length) {
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    byte[] again = text.getBytes(StandardCharsets.UTF_8);
    return Arrays.equals(again, 0, again.length, bytes, from, from + length)
        ? text
        : escape(bytes, from, length);
  }

  /**
   * {@return the text of an array of bytes}
   *
   * @param bytes the bytes
   */
  public static String decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  private static String escape(byte[] bytes, int from, int length) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes, from, length);
    CharBuffer out = CharBuffer.allocate(length);
    while (in.hasRemaining()) {
      CoderResult result = decoder.decode(in, out, true);
      for (int i = 0; result.isError() && i < result.length(); i++) {
        out.put((char) (ESCAPE | (in.get() & 0xFF)));
      }
      decoder.reset();
    }
    return out.flip().toString();
  }

  /**
   * {@return the bytes of a text}
   *
   * @param text the text
   * @throws InvalidUseException if it contains an unpaired surrogate that does not stand for a byte
   */
  public static byte[] encode(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return isAscii(text, utf8) || !hasEscapes(text) ? utf8 : unescape(text);
  }

  /**
   * {@return whether all characters of a text are ASCII}
   *
   * @param text the text
   */
  public static boolean isAscii(String text) {
    if (isAscii(text, text.getBytes(StandardCharsets.UTF_8))) {
      return true;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 128) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true only if all characters are ASCII, as those of most names are. Their bytes show it
   * without a call for each of them, unless one may stand for an unpaired surrogate.
   */
  private static boolean isAscii(String text, byte[] utf8) {
    boolean ascii = utf8.length == text.length();
    for (int i = 0; ascii && i < utf8.length; i++) {
      ascii = utf8[i] != '?';
    }
    return ascii;
  }

  /**
   * Requires that a text can be encoded.
   *
   * @param text the text
   * @throws InvalidUseException if it contains an unpaired surrogate that does not stand for a byte
   */
  public static void requireEncodable(String text) {
    hasEscapes(text);
  }

  /**
   * {@return whether a text is valid UTF-8}
   *
   * @param text the text
   * @throws InvalidUseException if it contains an unpaired surrogate that does not stand for a byte
   */
  public static boolean isUtf8(String text) {
    return !hasEscapes(text);
  }

  /**
   * Compares names by their bytes as unsigned numbers, the order in which HDF5 lists them.
   *
   * @param a a name
   * @param b another name
   * @return negative, zero or positive, as {@link java.util.Comparator#compare}
   * @throws InvalidUseException if a name contains an unpaired surrogate that does not stand for a
   *     byte
   */
  public static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Below the surrogates, characters have the order of their bytes.
        return Math.max(x, y) < Character.MIN_SURROGATE
            ? Character.compare(x, y)
            : compareBytes(a, b);
      }
    }
    if (a.length() == b.length()) {
      return 0;
    }
    char next = a.length() > common ? a.charAt(common) : b.charAt(common);
    return next < Character.MIN_SURROGATE
        ? Integer.compare(a.length(), b.length())
        : compareBytes(a, b);
  }

  private static int compareBytes(String a, String b) {
    return Arrays.compareUnsigned(encode(a), encode(b));
  }

  /** Returns whether a text contains bytes that are not UTF-8. */
  private static boolean hasEscapes(String text) {
    boolean escaped = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (isPair(text, i)) {
        i++;
      } else if (isEscaped(c)) {
        escaped = true;
      } else {
        throw unpaired(text, i);
      }
    }
    return escaped;
  }

  private static InvalidUseException unpaired(String text, int at) {
    return new InvalidUseException(
        String.format(
            "text: actual=an unpaired surrogate U+%04X at character %d of %d, expected=text that"
                + " can be encoded as UTF-8; remove or replace the character",
            (int) text.charAt(at), at, text.length()));
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }

  private static boolean isEscaped(char c) {
    return c >= ESCAPE + 0x80 && c <= ESCAPE + 0xFF;
  }

  private static byte[] unescape(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)) {
        i++;
      } else if (isEscaped(c)) {
        out.writeBytes(text.substring(start, i).getBytes(StandardCharsets.UTF_8));
        out.write(c & 0xFF);
        start = i + 1;
      }
    }
    out.writeBytes(text.substring(start).getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  // --- spelling ---

  /**
   * Returns a text as valid Unicode, from which {@link #ofSpelling} returns the text. A byte that
   * is not part of valid UTF-8 becomes a backslash, {@code udc} and two hexadecimal digits; a
   * backslash that could be read so becomes a backslash and {@code u005c}. All other text stays as
   * it is.
   *
   * @param text the text
   * @return its spelling, without unpaired surrogates
   */
  public static String spelling(String text) {
    StringBuilder out = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isPair = isPair(text, i);
      boolean isUnpaired = !isPair && Character.isSurrogate(c);
      boolean isSpelled = isUnpaired || (c == '\\' && isSpelled(text, i));
      if (isSpelled && out == null) {
        out = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (isUnpaired) {
        out.append(String.format("\\u%04x", (int) c));
      } else if (isSpelled) {
        out.append('\\').append(SPELLED_BACKSLASH);
      } else if (out != null) {
        out.append(text, i, isPair ? i + 2 : i + 1);
      }
      i += isPair ? 1 : 0;
    }
    return out == null ? text : out.toString();
  }

  /**
   * {@return the text that has a spelling; text that is not spelled stays as it is}
   *
   * @param spelling a spelling as of {@link #spelling}
   * @throws InvalidUseException if something is spelled, and the text contains an unpaired
   *     surrogate that does not stand for a byte
   */
  public static String ofSpelling(String spelling) {
    if (spelling.indexOf('\\') < 0) {
      return spelling;
    }
    StringBuilder out = new StringBuilder(spelling.length());
    for (int i = 0; i < spelling.length(); i++) {
      char c = spelling.charAt(i);
      if (c != '\\' || !isSpelled(spelling, i)) {
        out.append(c);
      } else if (spelling.startsWith(SPELLED_BACKSLASH, i + 1)) {
        out.append(c);
        i += SPELLED_BACKSLASH.length();
      } else {
        int digits = i + 1 + SPELLED_BYTE.length();
        out.append((char) (ESCAPE | Integer.parseInt(spelling.substring(digits, digits + 2), 16)));
        i = digits + 1;
      }
    }
    // Spelled bytes may be valid UTF-8 together.
    return out.length() == spelling.length() ? spelling : decode(encode(out.toString()));
  }

  /** Returns whether a backslash begins a spelled byte, or a spelled backslash before one. */
  private static boolean isSpelled(String text, int backslash) {
    int at = backslash + 1;
    while (text.startsWith(SPELLED_BACKSLASH, at)) {
      at += SPELLED_BACKSLASH.length();
    }
    int digits = at + SPELLED_BYTE.length();
    return text.startsWith(SPELLED_BYTE, at)
        && digits + 2 <= text.length()
        && DIGITS.indexOf(text.charAt(digits)) >= 8
        && DIGITS.indexOf(text.charAt(digits + 1)) >= 0;
  }
}
