package org.hyperslab.format.filter.coder;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * The block coders shared by several container formats, kept in a thread's {@link FilterScratch}. A
 * block is decoded into at most the given room.
 *
 * <p>Thread rule: one thread.
 */
public final class BlockCodecs {

  /** The coders of blocks that several container formats share. */
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
  private final ZlibMemory memory;
  private AirliftCoders airlift;

  private BlockCodecs(FilterScratch scratch) {
    inflater = new Inflater();
    fast = FastDeflate.of(scratch);
    memory = ZlibMemory.of(scratch);
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
    MemorySegment from = segment(source);
    MemorySegment to = segment(target);
    long fed = 0;
    int made = 0;
    try {
      while (!inflater.finished()) {
        if (inflater.needsInput()) {
          long part = memory.pieceBytes(from, fed);
          inflater.setInput(memory.input(from.asSlice(fed, part)));
          fed += part;
        }
        int moved = memory.inflate(inflater, to.asSlice(made));
        made += moved;
        boolean starved = inflater.needsInput() && fed == source.length();
        if (!inflater.finished() && (starved || inflater.needsDictionary())) {
          throw new MalformedDataException("zlib block ends early after " + made + " bytes");
        }
        if (moved == 0 && made == target.length() && !inflater.needsInput()) {
          break; // what follows does not fit, and is not asked for
        }
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
    MemorySegment from = segment(source);
    MemorySegment to = segment(target);
    long fed = 0;
    int made = 0;
    while (!deflater.finished()) {
      if (deflater.needsInput()) {
        long part = memory.pieceBytes(from, fed);
        deflater.setInput(memory.input(from.asSlice(fed, part)));
        fed += part;
        if (fed == source.length()) {
          deflater.finish();
        }
      }
      if (made == target.length()) {
        throw new MalformedDataException("zlib block: no room");
      }
      made += memory.deflate(deflater, to.asSlice(made));
    }
    return made;
  }
}
