package org.hyperslab.convert.zarr.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.hyperslab.convert.bytes.ZlibStreams;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.bare.BareDecoders;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes sequences of bytes.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface BytesCodec {

  /** The names of Blosc's shuffle modes, by their codes. */
  List<String> SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

  /** Decodes bytes whose decoded length is known; any other length is an error. */
  byte[] decode(byte[] encoded, int expected, String file);

  /** Decodes bytes whose decoded length is not known in advance, up to a maximum length. */
  byte[] decodeAtMost(byte[] encoded, int most, String file);

  /** Returns bytes in the encoded form that {@link #decode} reads. */
  byte[] encode(byte[] bytes);

  /** Returns the encoded length of {@code bytes} bytes, or -1 if it depends on their content. */
  default int encodedLength(int bytes) {
    return -1;
  }

  private static CorruptFileException corrupt(
      String codec, String problem, String file, @Nullable Exception cause) {
    return new CorruptFileException(
        file, "chunk, " + codec, CorruptFileException.NO_OFFSET, problem, cause);
  }

  private static UnsupportedFeatureException tooLong(
      String codec, String actual, int most, String file) {
    return new UnsupportedFeatureException(
        "chunk, "
            + codec
            + ": actual=expands to "
            + actual
            + " bytes, expected<="
            + most
            + "; --memory raises the limit, at="
            + file);
  }

  /**
   * A codec implemented by java.util.zip or commons-compress.
   *
   * @param name gzip, zlib or bz2
   * @param level the compression level
   */
  record Deflated(String name, int level) implements BytesCodec {

    @Override
    public byte[] decode(byte[] encoded, int expected, String file) {
      try (InputStream in = stream(new ByteArrayInputStream(encoded))) {
        byte[] bytes = in.readNBytes(expected);
        if (bytes.length != expected || in.read() >= 0) {
          throw corrupt(name, "actual=another length, expected=" + expected + " bytes", file, null);
        }
        return bytes;
      } catch (IOException | RuntimeException wrong) {
        throw wrong instanceof CorruptFileException known
            ? known
            : corrupt(name, "actual=" + wrong + ", expected=" + name, file, wrong);
      }
    }

    @Override
    public byte[] decodeAtMost(byte[] encoded, int most, String file) {
      try (InputStream in = stream(new ByteArrayInputStream(encoded))) {
        byte[] bytes = in.readNBytes(most);
        if (in.read() >= 0) {
          throw tooLong(name, "more", most, file);
        }
        return bytes;
      } catch (IOException wrong) {
        throw corrupt(name, "actual=" + wrong + ", expected=" + name, file, wrong);
      }
    }

    private InputStream stream(InputStream encoded) throws IOException {
      return switch (name) {
        case "gzip" -> ZlibStreams.here().gunzip(encoded);
        case "zlib" -> ZlibStreams.here().inflate(encoded);
        default -> new BZip2CompressorInputStream(encoded);
      };
    }

    @Override
    public byte[] encode(byte[] bytes) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ZlibStreams streams = ZlibStreams.here();
      try (OutputStream packed =
          name.equals("gzip") ? streams.gzip(out) : streams.deflate(out, level)) {
        packed.write(bytes);
      } catch (IOException impossible) {
        throw new IllegalStateException(impossible);
      }
      return out.toByteArray();
    }
  }

  /**
   * A codec that is also an HDF5 filter: Blosc or Zstandard.
   *
   * @param name its name
   * @param stage the filter
   * @param codec the codec that applies the filter
   */
  record Filtered(String name, FilterStage stage, StageCodec codec) implements BytesCodec {

    public Filtered(String name, FilterStage stage) {
      this(name, stage, new StageCodec(stage));
    }

    @Override
    public byte[] decode(byte[] encoded, int expected, String file) {
      return codec.decode(encoded, expected, file);
    }

    @Override
    public byte[] decodeAtMost(byte[] encoded, int most, String file) {
      long length = name.equals("zstd") ? zstdLength(encoded) : bloscLength(encoded);
      if (length < 0) {
        throw corrupt(name, "actual=no length, expected=one in the header", file, null);
      }
      if (length > most) {
        throw tooLong(name, Long.toString(length), most, file);
      }
      return codec.decode(encoded, (int) length, file);
    }

    /** Source: Blosc's README_CHUNK_FORMAT (nbytes at 4). */
    private static long bloscLength(byte[] chunk) {
      return chunk.length < 16
          ? -1
          : Integer.toUnsignedLong(ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).getInt(4));
    }

    /** Source: RFC 8878, section 3.1.1.1 (Frame_Content_Size). */
    private static long zstdLength(byte[] frame) {
      if (frame.length < 6) {
        return -1;
      }
      int descriptor = frame[4];
      boolean single = (descriptor & 0x20) != 0;
      int flag = descriptor >>> 6 & 3;
      int size = flag == 0 ? (single ? 1 : 0) : 1 << flag;
      int dictionary = new int[] {0, 1, 2, 4}[descriptor & 3];
      int at = 5 + (single ? 0 : 1) + dictionary;
      if (size == 0 || frame.length < at + size) {
        return -1;
      }
      ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
      return switch (size) {
        case 1 -> frame[at] & 0xFF;
        case 2 -> 256L + (bytes.getShort(at) & 0xFFFF);
        case 4 -> Integer.toUnsignedLong(bytes.getInt(at));
        default -> bytes.getLong(at);
      };
    }

    @Override
    public byte[] encode(byte[] bytes) {
      return codec.encode(bytes);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Appends a little-endian CRC-32C to the bytes, and checks it. */
  record Crc32c() implements BytesCodec {

    /** Returns the checksum of the first bytes. */
    public static int of(byte[] bytes, int length) {
      CRC32C checksum = new CRC32C();
      checksum.update(bytes, 0, length);
      return (int) checksum.getValue();
    }

    @Override
    public byte[] decode(byte[] encoded, int expected, String file) {
      if (encoded.length != expected + 4) {
        throw corrupt(
            "crc32c",
            "actual=" + encoded.length + " bytes, expected=" + (expected + 4),
            file,
            null);
      }
      int stored = ByteBuffer.wrap(encoded, expected, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
      if (stored != of(encoded, expected)) {
        throw corrupt("crc32c", "actual=another checksum, expected=" + stored, file, null);
      }
      return Arrays.copyOf(encoded, expected);
    }

    @Override
    public byte[] decodeAtMost(byte[] encoded, int most, String file) {
      return decode(encoded, Math.max(0, encoded.length - 4), file);
    }

    @Override
    public byte[] encode(byte[] bytes) {
      byte[] encoded = Arrays.copyOf(bytes, bytes.length + 4);
      ByteBuffer.wrap(encoded, bytes.length, 4)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(of(bytes, bytes.length));
      return encoded;
    }

    @Override
    public int encodedLength(int bytes) {
      return Math.addExact(bytes, 4);
    }
  }

  /**
   * The shuffle codec: groups the bytes of all elements by their position in the element.
   *
   * @param elementBytes bytes of an element
   * @param codec HDF5's filter of the same name
   */
  record Shuffle(int elementBytes, StageCodec codec) implements BytesCodec {

    Shuffle(int elementBytes) {
      this(elementBytes, new StageCodec(FilterStage.mandatory(2, elementBytes)));
    }

    @Override
    public byte[] decode(byte[] encoded, int expected, String file) {
      if (encoded.length != expected) {
        throw corrupt(
            "shuffle", "actual=" + encoded.length + " bytes, expected=" + expected, file, null);
      }
      return elementBytes == 1 ? encoded : codec.decode(encoded, expected, file);
    }

    @Override
    public byte[] decodeAtMost(byte[] encoded, int most, String file) {
      return decode(encoded, encoded.length, file);
    }

    @Override
    public byte[] encode(byte[] bytes) {
      return elementBytes == 1 ? bytes : codec.encode(bytes);
    }

    @Override
    public int encodedLength(int bytes) {
      return bytes;
    }
  }

  /**
   * A checksum of the bytes, little-endian: before them or, for {@code fletcher32}, behind them.
   *
   * <p>Source: numcodecs.checksum32; HDF5's filter 3.
   *
   * @param name crc32, adler32 or fletcher32
   * @param fletcher HDF5's filter
   */
  record Checked(String name, StageCodec fletcher) implements BytesCodec {

    Checked(String name) {
      this(name, new StageCodec(FilterStage.mandatory(3)));
    }

    @Override
    public byte[] decode(byte[] encoded, int expected, String file) {
      if (encoded.length != (long) expected + 4) {
        throw corrupt(name, "actual=" + encoded.length + " bytes, expected=4 more", file, null);
      }
      if (name.equals("fletcher32")) {
        return fletcher.decode(encoded, expected, file);
      }
      Checksum checksum = name.equals("crc32") ? new CRC32() : new Adler32();
      checksum.update(encoded, 4, expected);
      int stored = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).getInt();
      if (stored != (int) checksum.getValue()) {
        throw corrupt(name, "actual=another checksum, expected=" + stored, file, null);
      }
      return Arrays.copyOfRange(encoded, 4, encoded.length);
    }

    @Override
    public byte[] decodeAtMost(byte[] encoded, int most, String file) {
      return decode(encoded, Math.max(0, encoded.length - 4), file);
    }

    @Override
    public byte[] encode(byte[] bytes) {
      throw new UnsupportedOperationException("only read: " + name);
    }

    @Override
    public int encodedLength(int bytes) {
      return Math.addExact(bytes, 4);
    }
  }

  /**
   * One block of LZ4 behind its length, of 4 bytes, little-endian.
   *
   * <p>Source: numcodecs.lz4.
   */
  record Lz4(ScratchPool scratches) implements BytesCodec {

    /** Returns the length that the header gives; -1 if there is none. */
    private static int length(byte[] encoded) {
      return encoded.length < Integer.BYTES
          ? -1
          : ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    @Override
    public byte[] decode(byte[] encoded, int expected, String file) {
      int length = length(encoded);
      if (length != expected) {
        throw corrupt("lz4", "actual=" + length + " bytes, expected=" + expected, file, null);
      }
      return block(encoded, length, file);
    }

    @Override
    public byte[] decodeAtMost(byte[] encoded, int most, String file) {
      int length = length(encoded);
      if (length < 0) {
        throw corrupt("lz4", "actual=no length, expected=one in the header", file, null);
      }
      if (length > most) {
        throw tooLong("lz4", Integer.toString(length), most, file);
      }
      return block(encoded, length, file);
    }

    private byte[] block(byte[] encoded, int length, String file) {
      Span source = new Span(encoded, Integer.BYTES, encoded.length - Integer.BYTES);
      byte[] content = new byte[length];
      int made =
          scratches.with(scratch -> {
            try {
              return BareDecoders.lz4(source, new Span(content, 0, length), scratch);
            } catch (MalformedDataException damaged) {
              throw corrupt("lz4", String.valueOf(damaged.getMessage()), file, damaged);
            }
          });
      if (made != length) {
        throw corrupt("lz4", "actual=" + made + " bytes, expected=" + length, file, null);
      }
      return content;
    }

    @Override
    public byte[] encode(byte[] bytes) {
      throw new UnsupportedOperationException("only read: lz4");
    }
  }

  // --- by name ---

  /**
   * Returns a codec of either version.
   *
   * @param name its name (version 3) or id (version 2)
   * @param configuration its options
   * @param elementBytes bytes of an element
   */
  static BytesCodec of(String name, Map<?, ?> configuration, int elementBytes, String file) {
    return switch (name) {
      case "gzip", "zlib", "bz2" -> new Deflated(name, integer(configuration, "level", 5, 0, 9));
      case "zstd" ->
          new Filtered(
              name, FilterStage.mandatory(32015, integer(configuration, "level", 3, 1, 22)));
      case "blosc" -> blosc(configuration, elementBytes, file);
      case "crc32c" -> new Crc32c();
      case "crc32", "adler32", "fletcher32" -> new Checked(name);
      case "lz4" -> new Lz4(new ScratchPool());
      case "shuffle" ->
          new Shuffle(integer(configuration, "elementsize", elementBytes, 1, 1 << 20));
      default ->
          throw new UnsupportedFeatureException(
              "codec of Zarr: actual="
                  + name
                  + ", expected=gzip, zlib, bz2, zstd, blosc, lz4, a checksum, shuffle, or a filter"
                  + " of elements before them, at="
                  + file);
    };
  }

  private static int integer(Map<?, ?> from, String name, int otherwise, int least, int most) {
    return from.get(name) instanceof Number number
        ? Math.clamp(number.longValue(), least, most)
        : otherwise;
  }

  private static BytesCodec blosc(Map<?, ?> configuration, int elementBytes, String file) {
    List<String> names = List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");
    Object name = configuration.get("cname");
    int codec = name == null ? 1 : names.indexOf(name);
    if (codec < 0) {
      throw new UnsupportedFeatureException(
          "codec of Blosc: actual=" + name + ", expected=one of " + names + ", at=" + file);
    }
    Object wanted = configuration.get("shuffle");
    int shuffle =
        switch (wanted) {
          case String word -> Math.max(0, SHUFFLES.indexOf(word));
          case Number number -> number.intValue() == 0 ? 0 : number.intValue() == 2 ? 2 : 1;
          case null, default -> 1;
        };
    int level = integer(configuration, "clevel", 5, 0, 9);
    int size = integer(configuration, "typesize", elementBytes, 1, 255);
    return new Filtered(
        "blosc", FilterStage.mandatory(32001, 2, 2, size, 0, level, shuffle, codec));
  }

  /** Returns this codec as version 2 or 3 names it. */
  static Map<String, Object> describe(BytesCodec codec, boolean three) {
    Map<String, Object> options = new LinkedHashMap<>();
    String name =
        switch (codec) {
          case Deflated d -> {
            options.put("level", d.level);
            yield d.name;
          }
          case Filtered f when f.name.equals("zstd") -> {
            options.put("level", f.stage.clientData().getFirst());
            if (three) {
              options.put("checksum", false);
            }
            yield f.name;
          }
          case Filtered f -> {
            bloscOptions(f.stage.clientDataArray(), options, three);
            yield f.name;
          }
          case Crc32c _ -> "crc32c";
          case Checked c -> c.name;
          case Lz4 _ -> "lz4";
          case Shuffle s -> {
            options.put("elementsize", s.elementBytes);
            yield "shuffle";
          }
        };
    Map<String, Object> described = new LinkedHashMap<>();
    described.put(three ? "name" : "id", name);
    if (!three) {
      described.putAll(options);
    } else if (!options.isEmpty()) {
      described.put("configuration", options);
    }
    return described;
  }

  private static void bloscOptions(int[] data, Map<String, Object> options, boolean three) {
    List<String> names = List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");
    options.put("cname", names.get(data[6]));
    options.put("clevel", data[4]);
    options.put("shuffle", three ? SHUFFLES.get(data[5]) : (Object) data[5]);
    options.put("blocksize", 0);
    if (three) {
      options.put("typesize", data[2]);
    }
  }

  /** Undoes codecs, of which the last was applied last. */
  static byte[] decode(List<BytesCodec> codecs, byte[] encoded, int expected, String file) {
    int[] lengths = new int[codecs.size() + 1];
    lengths[0] = expected;
    for (int i = 0; i < codecs.size(); i++) {
      lengths[i + 1] = lengths[i] < 0 ? -1 : codecs.get(i).encodedLength(lengths[i]);
    }
    byte[] bytes = encoded;
    for (int i = codecs.size() - 1; i >= 0; i--) {
      int length = lengths[i];
      if (length < 0 && codecs.get(i).encodedLength(0) >= 0) {
        length =
            Math.max(
                0,
                bytes.length
                    - codecs.get(i).encodedLength(0)); // always adds the same number of bytes
      }
      if (length < 0) {
        throw new UnsupportedFeatureException(
            "codecs of Zarr: actual="
                + codecs
                + ", expected=at most one that compresses, at="
                + file);
      }
      bytes = codecs.get(i).decode(bytes, length, file);
    }
    if (bytes.length != expected) {
      throw corrupt(
          "length", "actual=" + bytes.length + " bytes, expected=" + expected, file, null);
    }
    return bytes;
  }

  /** Undoes codecs where only a bound of the number of bytes is known. */
  static byte[] decodeAtMost(List<BytesCodec> codecs, byte[] encoded, int most, String file) {
    byte[] bytes = encoded;
    for (BytesCodec codec : codecs.reversed()) {
      bytes = codec.decodeAtMost(bytes, most, file);
    }
    return bytes;
  }

  /** Applies codecs, the first first. */
  static byte[] encode(List<BytesCodec> codecs, byte[] bytes) {
    byte[] encoded = bytes;
    for (BytesCodec codec : new ArrayList<>(codecs)) {
      encoded = codec.encode(encoded);
    }
    return encoded;
  }
}
