package org.hyperslab.netcdf.cdl;

import java.util.Arrays;
import org.hyperslab.format.io.NameBytes;
import org.jspecify.annotations.Nullable;

/**
 * Texts in quotes, with escapes. There are three forms, which differ in bytes beyond ASCII and in
 * line ends.
 *
 * <p>Thread rule: stateless.
 */
final class CdlText {

  private CdlText() {}

  /**
   * Returns the text of an attribute. In files of the classic model, a line ends where the text has
   * a line end; elsewhere, that would make it several strings.
   */
  static String attribute(byte[] bytes, boolean classic) {
    String lineEnd = classic ? "\\n\",\n\t\t\t\"" : "\\n";
    return quoted(trimmed(bytes), lineEnd, false);
  }

  /** Returns a string that is an element. */
  static String string(String text) {
    return text == null ? "NIL" : quoted(NameBytes.encode(text), "\\n", false);
  }

  /** Returns the characters of a row of a variable. */
  static String row(byte[] bytes) {
    return quoted(trimmed(bytes), "\\n\",\n    \"", true);
  }

  /** Returns characters in a compound. */
  static String characters(byte[] bytes) {
    return quoted(trimmed(bytes), "\\\n", true);
  }

  private static byte[] trimmed(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(bytes, length);
  }

  private static String quoted(byte[] bytes, String lineEnd, boolean asciiOnly) {
    StringBuilder out = new StringBuilder(bytes.length + 2).append('"');
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      String escape = escape(bytes[i] & 0xff, lineEnd, asciiOnly);
      if (escape != null) {
        out.append(NameBytes.decode(bytes, from, i - from)).append(escape);
        from = i + 1;
      }
    }
    return out.append(NameBytes.decode(bytes, from, bytes.length - from)).append('"').toString();
  }

  /** Returns the escape of a byte; null if it is written as it is. */
  private static @Nullable String escape(int b, String lineEnd, boolean asciiOnly) {
    return switch (b) {
      case '\b' -> "\\b";
      case '\f' -> "\\f";
      case '\n' -> lineEnd;
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      case 0x0b -> "\\v";
      case '\\' -> "\\\\";
      case '\'' -> "\\'";
      case '"' -> "\\\"";
      default -> {
        boolean isControl = b < ' ' || b == 0x7f || asciiOnly && b > 0x7f;
        if (isControl) {
          yield "\\%03o".formatted(b);
        }
        yield null;
      }
    };
  }
}
