package org.hyperslab.format.filter.coder;

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
import java.util.Objects;
import java.util.function.Supplier;
import org.hyperslab.format.filter.Span;

/**
 * The block coders of the aircompressor library. Only {@link BlockCodecs} refers to this class, so
 * that the library is loaded only when one of its coders is needed.
 *
 * <p>Thread rule: one thread.
 */
final class AirliftCoders {

  private record Key(BlockCodecs.Coder coder, int level) {}

  private final Map<Key, Compressor> compressors = new HashMap<>();
  private final Map<BlockCodecs.Coder, Decompressor> decompressors = new HashMap<>();

  /** Loads the library; throws NoClassDefFoundError if it is absent. */
  AirliftCoders() {
    Objects.requireNonNull(Lz4JavaCompressor.class.getModule());
  }

  int decode(BlockCodecs.Coder coder, Span source, Span target) {
    return decompressors
        .computeIfAbsent(coder, AirliftCoders::decompressor)
        .decompress(
            source.array(),
            source.offset(),
            source.length(),
            target.array(),
            target.offset(),
            target.length());
  }

  int encode(BlockCodecs.Coder coder, int level, Span source, Span target) {
    Key key = new Key(coder, coder == BlockCodecs.Coder.ZSTD ? level : 0);
    return compressors
        .computeIfAbsent(key, AirliftCoders::compressor)
        .compress(
            source.array(),
            source.offset(),
            source.length(),
            target.array(),
            target.offset(),
            target.length());
  }

  private static Decompressor decompressor(BlockCodecs.Coder coder) {
    return switch (coder) {
      case LZ4 ->
          NativeLibrary.LZ4.isLoaded() ? Lz4Decompressor.create() : new Lz4JavaDecompressor();
      case SNAPPY ->
          NativeLibrary.SNAPPY.isLoaded()
              ? SnappyDecompressor.create()
              : new SnappyJavaDecompressor();
      case ZSTD ->
          NativeLibrary.ZSTD.isLoaded() ? ZstdDecompressor.create() : new ZstdJavaDecompressor();
      case ZLIB -> throw new IllegalArgumentException("zlib has a decoder of its own");
    };
  }

  private static Compressor compressor(Key key) {
    return switch (key.coder) {
      case LZ4 -> NativeLibrary.LZ4.isLoaded() ? Lz4Compressor.create() : new Lz4JavaCompressor();
      case SNAPPY ->
          NativeLibrary.SNAPPY.isLoaded() ? SnappyCompressor.create() : new SnappyJavaCompressor();
      case ZSTD ->
          NativeLibrary.ZSTD.isLoaded()
              ? withLevel(() -> ZstdCompressor.create(key.level), ZstdCompressor::create)
              : new ZstdJavaCompressor();
      case ZLIB -> throw new IllegalArgumentException("zlib has an encoder of its own");
    };
  }

  /**
   * Returns the coder for a level. Levels need the native library; the coder in Java has only one.
   */
  private static Compressor withLevel(
      Supplier<? extends Compressor> levelled, Supplier<? extends Compressor> plain) {
    try {
      return levelled.get();
    } catch (IllegalArgumentException unsupported) {
      return plain.get();
    }
  }
}
