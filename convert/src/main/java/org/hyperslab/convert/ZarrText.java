package org.hyperslab.convert;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenStringType;

/**
 * Strings of variable length in chunks.
 *
 * <pre>
 * chunk  = count (4 bytes, little-endian), strings in row-major order
 * string = bytes (4 bytes, little-endian), UTF-8
 * </pre>
 *
 * <p>Thread rule: stateless.
 *
 * <p>Source: numcodecs.vlen.VLenUTF8; the extension {@code vlen-utf8} of Zarr version 3.
 */
final class ZarrText {

  /** The codec of strings. */
  static final String CODEC = "vlen-utf8";

  /** NumPy's type of objects, by which version 2 names strings. */
  static final String OBJECT = "|O";

  private ZarrText() {}

  /** Returns whether an array of version 2 has strings of variable length. */
  static boolean isEncoded(Object dtype, List<?> filters) {
    return OBJECT.equals(dtype)
        && !filters.isEmpty()
        && filters.getFirst() instanceof Map<?, ?> first
        && CODEC.equals(first.get("id"));
  }

  /** Returns whether a data type of version 3 is strings of variable length. */
  static boolean isText(Object dataType) {
    return "string".equals(dataType)
        || dataType instanceof Map<?, ?> named && "string".equals(named.get("name"));
  }

  static boolean isText(ArrayMetadata array) {
    return array.type().type() instanceof VlenStringType;
  }

  /** Returns a fill value as UTF-8; empty if it is none, or empty text. */
  static Optional<byte[]> fill(Object json, String file) {
    if (json == null || json == JsonText.NULL || BigInteger.ZERO.equals(json) || "".equals(json)) {
      return Optional.empty();
    }
    if (json instanceof String text && text.indexOf('\0') < 0) {
      return Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }
    throw new CorruptFileException(
        file,
        "fill value",
        CorruptFileException.NO_OFFSET,
        "actual=" + json + ", expected=text without NUL");
  }

  /** Returns the strings of a chunk as they are stored. */
  static byte[][] decode(byte[] chunk, int count, String file) {
    ByteBuffer bytes = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
    if (chunk.length < 4 || bytes.getInt() != count || (chunk.length - 4) / 4 < count) {
      throw corrupt(file, "actual=a different number of strings, expected=" + count);
    }
    byte[][] strings = new byte[count][];
    for (int i = 0; i < count; i++) {
      int length = bytes.remaining() < 4 ? -1 : bytes.getInt();
      if (length < 0 || length > bytes.remaining()) {
        throw corrupt(file, "actual=a string of " + length + " bytes, expected=inside the chunk");
      }
      strings[i] = new byte[length];
      bytes.get(strings[i]);
      requireText(strings[i], file);
    }
    return strings;
  }

  private static CorruptFileException corrupt(String file, String problem) {
    return new CorruptFileException(
        file, "strings of Zarr", CorruptFileException.NO_OFFSET, problem);
  }

  private static void requireText(byte[] utf8, String file) {
    for (byte each : utf8) {
      if (each == 0) {
        throw new UnsupportedFeatureException(
            "text: actual=contains NUL, expected=no NUL, because it ends a string in HDF5, "
                + "at="
                + file);
      }
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
    } catch (CharacterCodingException wrong) {
      throw corrupt(file, "actual=" + wrong + ", expected=UTF-8");
    }
  }

  /**
   * Returns a chunk of strings.
   *
   * @param box the strings in memory
   * @param count how many indices the box has in each dimension
   * @param chunk the shape of the chunk, which has empty strings beyond the box
   */
  static byte[] encode(DataBuffer box, long[] count, long[] chunk, String path) {
    int length = ChunkEncoding.length(chunk, 1, path);
    byte[][] strings = new byte[length][];
    Boxes.runs(
        chunk,
        new long[chunk.length],
        count,
        (inChunk, inBox, run) -> {
          for (long i = 0; i < run; i++) {
            strings[(int) (inChunk + i)] = text(FixedText.bytes(box, inBox + i), path);
          }
        });
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(word(length));
    for (byte[] string : strings) {
      out.writeBytes(word(string == null ? 0 : string.length));
      out.writeBytes(string == null ? new byte[0] : string);
    }
    return out.toByteArray();
  }

  private static byte[] text(MemorySegment segment, String path) {
    byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return bytes;
    } catch (CharacterCodingException wrong) {
      throw new UnsupportedFeatureException(
          "text for Zarr: actual=" + wrong + ", expected=UTF-8, at=" + path, wrong);
    }
  }

  private static byte[] word(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }
}
