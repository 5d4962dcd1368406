package org.hyperslab.convert.zarr;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.numpy.NumpyType;
import org.hyperslab.convert.rewrite.FixedText;
import org.hyperslab.convert.zarr.codec.ChunkEncoding;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.interchange.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes chunks of variable-length strings and byte sequences:
 *
 * <pre>
 * chunk  = count (4 bytes, little-endian), strings in row-major order
 * string = bytes (4 bytes, little-endian), UTF-8
 * </pre>
 *
 * <p>Bytes of strings that are not UTF-8 are spelled ({@link NameBytes#spelling}).
 *
 * <p>Thread rule: stateless.
 *
 * <p>Source: numcodecs.vlen.VLenUTF8, VLenBytes, numcodecs.json; the extensions {@code vlen-utf8}
 * and {@code vlen-bytes} of Zarr version 3.
 */
final class ZarrText {

  /** The name of the codec for strings. */
  static final String CODEC = "vlen-utf8";

  /** NumPy's object type, which version 2 uses for strings. */
  static final String OBJECT = "|O";

  private ZarrText() {}

  /** The name of the codec for sequences of bytes, which are encoded like strings. */
  private static final String BYTES = "vlen-bytes";

  /**
   * The name of the codec for JSON: a list of the strings of a chunk, followed by their type and
   * the shape.
   */
  private static final String JSON = "json2";

  /** Returns the codec of a version 2 array of objects, or empty if it has no supported one. */
  static Optional<String> codec(Object dtype, List<?> filters) {
    return OBJECT.equals(dtype)
            && !filters.isEmpty()
            && filters.getFirst() instanceof Map<?, ?> first
            && first.get("id") instanceof String id
            && (isCodec(id) || id.equals(JSON))
        ? Optional.of(id)
        : Optional.empty();
  }

  /**
   * Returns the codec of a version 3 data type with variable-length elements, or empty for other
   * types.
   */
  static Optional<String> codec(@Nullable Object dataType) {
    Object name = dataType instanceof Map<?, ?> named ? named.get("name") : dataType;
    boolean isBytes = "bytes".equals(name) || "variable_length_bytes".equals(name);
    return "string".equals(name)
        ? Optional.of(CODEC)
        : isBytes ? Optional.of(BYTES) : Optional.empty();
  }

  /** Returns whether a name is that of a codec from objects to bytes that both versions have. */
  static boolean isCodec(String name) {
    return name.equals(CODEC) || name.equals(BYTES);
  }

  /** Returns the type of elements that a codec makes. */
  static NumpyType type(String codec) {
    return codec.equals(BYTES) ? NumpyType.BYTES : NumpyType.TEXT;
  }

  static boolean isText(ArrayMetadata array) {
    return array.type().type().hasOutOfLineParts();
  }

  /** Returns a fill value's bytes, those of text in UTF-8; empty if it is none, or empty. */
  static Optional<byte[]> fill(@Nullable Object json, NumpyType type, String file) {
    if (json == null || json == JsonText.NULL || BigInteger.ZERO.equals(json) || "".equals(json)) {
      return Optional.empty();
    }
    if (json instanceof String text && type == NumpyType.BYTES) {
      try {
        return Optional.of(Base64.getDecoder().decode(text));
      } catch (IllegalArgumentException wrong) {
        throw corrupt(file, "fill value: actual=" + wrong.getMessage() + ", expected=base64");
      }
    }
    if (json instanceof String text && text.indexOf('\0') < 0) {
      return Optional.of(encodable(text, file));
    }
    throw new CorruptFileException(
        file,
        "fill value",
        CorruptFileException.NO_OFFSET,
        "actual=" + json + ", expected=text without NUL");
  }

  /**
   * Returns the elements of a chunk, bytes of strings, null for objects that are none.
   *
   * @param codec its codec
   * @param chunk the decompressed chunk
   * @param count how many elements it has
   * @param file what it is in, for messages
   */
  static byte[][] decode(String codec, byte[] chunk, int count, String file) {
    byte[][] elements = codec.equals(JSON) ? json(chunk, count, file) : split(chunk, count, file);
    if (!codec.equals(BYTES)) {
      for (int i = 0; i < elements.length; i++) {
        elements[i] = elements[i] == null ? null : unspelled(elements[i], file);
      }
    }
    return elements;
  }

  private static byte[][] json(byte[] chunk, int count, String file) {
    Object parsed = JsonText.parse(NameBytes.decode(chunk), file);
    List<byte[]> strings = new ArrayList<>();
    if (parsed instanceof List<?> list && list.size() >= 2) {
      list.subList(0, list.size() - 2).forEach(each -> addStrings(each, strings, file));
    }
    if (strings.size() != count) {
      throw corrupt(file, "actual=" + strings.size() + " strings, expected=" + count);
    }
    return strings.toArray(byte[][]::new);
  }

  /** Adds a string, or those of nested lists; the parser bounds how deep they are. */
  private static void addStrings(Object json, List<byte[]> strings, String file) {
    switch (json) {
      case String text -> strings.add(encodable(text, file));
      case List<?> list -> list.forEach(each -> addStrings(each, strings, file));
      case Object none when none == JsonText.NULL -> strings.add(null);
      default ->
          throw new UnsupportedFeatureException(
              "objects of Zarr: actual=" + json + ", expected=strings, at=" + file);
    }
  }

  private static byte[][] split(byte[] chunk, int count, String file) {
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
    }
    return strings;
  }

  private static CorruptFileException corrupt(String file, String problem) {
    return new CorruptFileException(
        file, "strings of Zarr", CorruptFileException.NO_OFFSET, problem);
  }

  private static byte[] encodable(String text, String file) {
    try {
      return NameBytes.encode(text);
    } catch (InvalidUseException wrong) {
      throw corrupt(file, String.valueOf(wrong.getMessage()));
    }
  }

  /** Returns the bytes of a string as HDF5 has it. */
  private static byte[] unspelled(byte[] utf8, String file) {
    boolean isSpelled = false;
    for (byte each : utf8) {
      isSpelled |= each == '\\';
      if (each == 0) {
        throw new UnsupportedFeatureException(
            "text: actual=contains NUL, expected=no NUL, because it ends a string in HDF5, "
                + "at="
                + file);
      }
    }
    String text = NameBytes.decode(utf8);
    if (!NameBytes.isUtf8(text)) {
      throw corrupt(file, "actual=bytes that are not UTF-8, expected=UTF-8");
    }
    return isSpelled ? NameBytes.encode(NameBytes.ofSpelling(text)) : utf8;
  }

  /**
   * Encodes a chunk of strings.
   *
   * @param box the strings in memory
   * @param count the lengths of the box
   * @param chunk the shape of the chunk, which is filled with empty strings outside the box
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
            strings[(int) (inChunk + i)] = spelled(FixedText.bytes(box, inBox + i));
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

  private static byte[] spelled(MemorySegment text) {
    byte[] bytes = text.toArray(ValueLayout.JAVA_BYTE);
    String decoded = NameBytes.decode(bytes);
    String spelling = NameBytes.spelling(decoded);
    return spelling.equals(decoded) ? bytes : spelling.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] word(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }
}
