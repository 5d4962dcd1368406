package org.hyperslab.format.io;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Converts names between text and bytes, without loss in either direction. According to the
 * specification, names are UTF-8 or ASCII, but files contain what their writers stored, often
 * Latin-1. A byte that is not part of valid UTF-8 is decoded as the unpaired low surrogate U+DC00 +
 * byte, which is encoded as that byte again.
 *
 * <p>Thread rule: no state.
 */
public final class NameBytes {

  private static final char REPLACEMENT = '\uFFFD';
  private static final int ESCAPE = 0xDC00;

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
   */
  public static byte[] encode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)) {
        i++;
      } else if (isEscaped(c)) {
        return unescape(text);
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
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
}
