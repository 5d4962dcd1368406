package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The block coders shared by several container formats, kept in a thread's {@link FilterScratch}. A
 * block is decoded into at most the given room.
 *
 * <p>Thread rule: one thread.
 */
final class BlockCodecs {

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

  private final Map<Integer, Deflater> deflaters = new HashMap<>();
  private final Inflater inflater;
  private final FastDeflate fast;
  private AirliftCoders airlift;

  private BlockCodecs(FilterScratch scratch) {
    inflater = new Inflater();
    fast = FastDeflate.of(scratch);
    scratch.onClose(() -> {
      inflater.end();
      deflaters.values().forEach(Deflater::end);
    });
  }

  /**
   * {@return the coders of a thread}
   *
   * @param scratch the working memory of the calling thread
   */
  public static BlockCodecs of(FilterScratch scratch) {
    return scratch.state(BlockCodecs.class, () -> new BlockCodecs(scratch));
  }

  /**
   * Decodes one block.
   *
   * @param coder the coder
   * @param source the input bytes
   * @param target receives the bytes
   * @return the number of bytes produced, at most the length of {@code target}
   * @throws MalformedDataException if the block is damaged or does not fit the target
   */
  public int decode(Coder coder, Span source, Span target) throws MalformedDataException {
    if (coder == Coder.ZLIB) {
      return inflate(source, target);
    }
    AirliftCoders coders = airlift(coder);
    try {
      return coders.decode(coder, source, target);
    } catch (RuntimeException damaged) {
      throw new MalformedDataException(coder + " block: " + damaged.getMessage(), damaged);
    }
  }

  private static MemorySegment segment(Span span) {
    return MemorySegment.ofArray(span.array()).asSlice(span.offset(), span.length());
  }

  private int inflate(Span source, Span target) throws MalformedDataException {
    if (fast.takes(target.length())) {
      long made = fast.decode(segment(source), segment(target));
      if (made != Filter.DECLINED) {
        return (int) made;
      }
    }
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

  /**
   * Requires that a coder's library is present.
   *
   * @param coder the coder that will be needed
   * @throws org.hyperslab.error.UnsupportedFeatureException if its library is absent
   */
  public static void require(Coder coder) {
    if (coder != Coder.ZLIB) {
      open(coder);
    }
  }

  private AirliftCoders airlift(Coder coder) {
    if (airlift == null) {
      airlift = open(coder);
    }
    return airlift;
  }

  private static AirliftCoders open(Coder coder) {
    try {
      return new AirliftCoders();
    } catch (NoClassDefFoundError absent) {
      throw OptionalLibrary.AIRCOMPRESSOR.missing(coder.name(), absent);
    }
  }

  /**
   * {@return the greatest encoded size of a block of {@code length} bytes, in bytes}
   *
   * @param length the number of bytes
   */
  public static int maximumEncodedBytes(int length) {
    return Math.addExact(length, length / 6 + 1024);
  }

  /**
   * Encodes one block.
   *
   * @param coder the coder
   * @param level the level for zlib and Zstandard; ignored by the other coders
   * @param source the input bytes
   * @param target room for at least {@link #maximumEncodedBytes}
   * @return the number of bytes produced
   * @throws MalformedDataException if the block is damaged or does not fit the target
   */
  public int encode(Coder coder, int level, Span source, Span target)
      throws MalformedDataException {
    if (coder == Coder.ZLIB) {
      return deflate(level, source, target);
    }
    AirliftCoders coders = airlift(coder);
    try {
      return coders.encode(coder, level, source, target);
    } catch (RuntimeException failure) {
      throw new MalformedDataException(coder + " block: " + failure.getMessage(), failure);
    }
  }

  private int deflate(int level, Span source, Span target) throws MalformedDataException {
    if (level > 0 && level <= 9 && fast.takes(source.length())) {
      long made = fast.encode(segment(source), level, segment(target));
      if (made != Filter.DECLINED) {
        return (int) made;
      }
    }
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
}
