package org.hyperslab.format.filter.lz;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4Compressor;
import io.airlift.compress.v3.lz4.Lz4Decompressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyCompressor;
import io.airlift.compress.v3.snappy.SnappyDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * The block coders that several framings share, kept in a thread's {@link FilterScratch}. A block
 * is decoded into exactly the room given, or less.
 *
 * <p>Thread rule: one thread.
 */
public final class BlockCodecs {

  /** The coders. */
  public enum Coder {
    /** LZ4 blocks; the high-compression variant has the same form. */
    LZ4,
    /** Snappy, raw form. */
    SNAPPY,
    /** A zlib stream. */
    ZLIB,
    /** A Zstandard frame. */
    ZSTD
  }

  /** Without native access the same coders run in Java. */
  private static final boolean NATIVE = Lz4Compressor.class.getModule().isNativeAccessEnabled();

  private record Key(Coder coder, int level) {}

  private final Map<Key, Compressor> compressors = new HashMap<>();
  private final Map<Coder, Decompressor> decompressors = new HashMap<>();
  private final Map<Integer, Deflater> deflaters = new HashMap<>();
  private final Inflater inflater;

  private BlockCodecs(FilterScratch scratch) {
    inflater = new Inflater();
    scratch.onClose(() -> {
      inflater.end();
      deflaters.values().forEach(Deflater::end);
    });
  }

  /** The coders of a thread. */
  public static BlockCodecs of(FilterScratch scratch) {
    return scratch.state(BlockCodecs.class, () -> new BlockCodecs(scratch));
  }

  /**
   * Decodes one block.
   *
   * @return how many bytes were made, at most the length of {@code target}
   */
  public int decode(Coder coder, Span source, Span target) throws MalformedDataException {
    if (coder == Coder.ZLIB) {
      return inflate(source, target);
    }
    Decompressor decompressor = decompressors.computeIfAbsent(coder, BlockCodecs::decompressor);
    try {
      return decompressor.decompress(
          source.array(),
          source.offset(),
          source.length(),
          target.array(),
          target.offset(),
          target.length());
    } catch (RuntimeException damaged) {
      throw new MalformedDataException(coder + " block: " + damaged.getMessage(), damaged);
    }
  }

  private int inflate(Span source, Span target) throws MalformedDataException {
    inflater.reset();
    inflater.setInput(source.array(), source.offset(), source.length());
    try {
      int made = inflater.inflate(target.array(), target.offset(), target.length());
      if (!inflater.finished() && (inflater.needsInput() || inflater.needsDictionary())) {
        throw new MalformedDataException("zlib block ends early after " + made + " bytes");
      }
      return made;
    } catch (DataFormatException damaged) {
      throw new MalformedDataException("zlib block: " + damaged.getMessage(), damaged);
    }
  }

  private static Decompressor decompressor(Coder coder) {
    return switch (coder) {
      case LZ4 -> NATIVE ? Lz4Decompressor.create() : new Lz4JavaDecompressor();
      case SNAPPY -> NATIVE ? SnappyDecompressor.create() : new SnappyJavaDecompressor();
      case ZSTD -> NATIVE ? ZstdDecompressor.create() : new ZstdJavaDecompressor();
      case ZLIB -> throw new IllegalArgumentException("zlib has a decoder of its own");
    };
  }

  /** The most bytes that a block of {@code length} bytes can become. */
  public static int maximumEncodedBytes(int length) {
    return Math.addExact(length, length / 6 + 1024);
  }

  /**
   * Encodes one block.
   *
   * @param level zlib's and Zstandard's levels; ignored by the others
   * @param target room for at least {@link #maximumEncodedBytes}
   * @return how many bytes were made
   */
  public int encode(Coder coder, int level, Span source, Span target)
      throws MalformedDataException {
    if (coder == Coder.ZLIB) {
      return deflate(level, source, target);
    }
    Key key = new Key(coder, coder == Coder.ZSTD ? level : 0);
    Compressor compressor = compressors.computeIfAbsent(key, BlockCodecs::compressor);
    try {
      return compressor.compress(
          source.array(),
          source.offset(),
          source.length(),
          target.array(),
          target.offset(),
          target.length());
    } catch (RuntimeException failure) {
      throw new MalformedDataException(coder + " block: " + failure.getMessage(), failure);
    }
  }

  private int deflate(int level, Span source, Span target) throws MalformedDataException {
    Deflater deflater =
        deflaters.computeIfAbsent(Math.clamp(level, 0, 9), wanted -> new Deflater(wanted));
    deflater.reset();
    deflater.setInput(source.array(), source.offset(), source.length());
    deflater.finish();
    int made = deflater.deflate(target.array(), target.offset(), target.length());
    if (!deflater.finished()) {
      throw new MalformedDataException("zlib block: no room");
    }
    return made;
  }

  private static Compressor compressor(Key key) {
    return switch (key.coder) {
      case LZ4 -> NATIVE ? Lz4Compressor.create() : new Lz4JavaCompressor();
      case SNAPPY -> NATIVE ? SnappyCompressor.create() : new SnappyJavaCompressor();
      case ZSTD ->
          NATIVE
              ? withLevel(() -> ZstdCompressor.create(key.level), ZstdCompressor::create)
              : new ZstdJavaCompressor();
      case ZLIB -> throw new IllegalArgumentException("zlib has an encoder of its own");
    };
  }

  /** Levels need the native library; the coder in Java has one level. */
  private static Compressor withLevel(
      Supplier<? extends Compressor> levelled, Supplier<? extends Compressor> plain) {
    try {
      return levelled.get();
    } catch (IllegalArgumentException unsupported) {
      return plain.get();
    }
  }
}
