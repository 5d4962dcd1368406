package org.hyperslab.convert.table;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the text of a table piece by piece. All pieces are one text to the encoding: a byte order
 * mark is only before the first one, and a shift to other characters lasts until the next shift.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class TableEncoder {

  private static final String MARK = "\uFEFF";

  /** What an encoding may add to a text, such as a shift back, at most. */
  private static final int EXTRA_BYTES = 16;

  /** Null for UTF-8, which keeps bytes that are not UTF-8. */
  private final @Nullable CharsetEncoder encoder;

  private String before;

  /**
   * Creates an encoder.
   *
   * @param charset the encoding; UTF-32 gets a byte order mark as UTF-16 does
   * @throws InvalidUseException if the encoding can only be read
   */
  TableEncoder(Charset charset) {
    if (!charset.canEncode()) {
      throw new InvalidUseException(
          "encoding: actual="
              + charset.name()
              + ", which can only be read, expected=an encoding such as utf-8");
    }
    encoder = charset.equals(StandardCharsets.UTF_8) ? null : charset.newEncoder();
    before = charset.equals(StandardCharsets.UTF_32) ? MARK : "";
  }

  /**
   * Encodes the next piece.
   *
   * @param piece whole characters
   * @return its bytes
   * @throws CharacterCodingException if the encoding does not have a character
   */
  byte[] encode(String piece) throws CharacterCodingException {
    if (encoder == null) {
      return NameBytes.encode(piece);
    }
    CharBuffer text = CharBuffer.wrap(before + piece);
    before = "";
    ByteBuffer bytes = buffer(encoder, text.remaining());
    for (CoderResult result = encoder.encode(text, bytes, false);
        !result.isUnderflow();
        result = encoder.encode(text, bytes, false)) {
      bytes = roomAfter(result, bytes);
    }
    return content(bytes);
  }

  /**
   * Ends the text.
   *
   * @return the bytes that the encoding has at the end of a text
   * @throws CharacterCodingException if the text ends within a character
   */
  byte[] end() throws CharacterCodingException {
    if (encoder == null) {
      return new byte[0];
    }
    ByteBuffer bytes = buffer(encoder, 0);
    CoderResult result = encoder.encode(CharBuffer.allocate(0), bytes, true);
    if (result.isUnderflow()) {
      result = encoder.flush(bytes);
    }
    if (!result.isUnderflow()) {
      result.throwException();
    }
    return content(bytes);
  }

  private static ByteBuffer buffer(CharsetEncoder encoder, int charCount) {
    return ByteBuffer.allocate((int) (charCount * encoder.averageBytesPerChar()) + EXTRA_BYTES);
  }

  private static ByteBuffer roomAfter(CoderResult result, ByteBuffer full)
      throws CharacterCodingException {
    if (!result.isOverflow()) {
      result.throwException();
    }
    return ByteBuffer.allocate(Math.multiplyExact(full.capacity(), 2)).put(full.flip());
  }

  private static byte[] content(ByteBuffer bytes) {
    byte[] content = new byte[bytes.flip().remaining()];
    bytes.get(content);
    return content;
  }
}
