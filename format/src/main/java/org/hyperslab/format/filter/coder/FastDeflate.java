package org.hyperslab.format.filter.coder;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.Adler32;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterScratch;

/**
 * Encodes and decodes zlib streams (RFC 1950) with libdeflate, which is faster than zlib, if
 * aircompressor includes it for this machine and native access is enabled. One call processes a
 * whole chunk and blocks the garbage collector during that time, so only chunks of moderate size
 * are processed here. It is loaded after a thread has filtered a certain amount of data, so that
 * short runs do not pay for loading it.
 *
 * <p>Thread rule: one thread; kept in its {@link FilterScratch}.
 */
public final class FastDeflate {

  private static final long LARGEST_CHUNK_BYTES = 4 << 20;
  private static final long BYTES_BEFORE_LOADING = 1 << 20;
  private static final int HEADER_BYTES = 2;
  private static final int TRAILER_BYTES = 4;

  /** Method 8 with a window of 32 KiB; the check bits make the two bytes a multiple of 31. */
  private static final short HEADER = 0x789C;

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Adler32 adler = new Adler32();
  private LibDeflate library;
  private long bytesSeen;
  private boolean available = true;

  /** Returns the state of a thread. */
  public static FastDeflate of(FilterScratch scratch) {
    return scratch.state(FastDeflate.class, FastDeflate::new);
  }

  /** Returns whether a chunk of that uncompressed size should be processed here. */
  public boolean takes(long chunkBytes) {
    if (!available || chunkBytes > LARGEST_CHUNK_BYTES) {
      return false;
    }
    bytesSeen += chunkBytes;
    if (bytesSeen < BYTES_BEFORE_LOADING) {
      return false;
    }
    if (library == null) {
      available = load();
    }
    return available;
  }

  private boolean load() {
    try {
      library = LibDeflate.open();
    } catch (NoClassDefFoundError absent) {
      return false; // the library that contains it is optional
    }
    return library != null;
  }

  private static boolean usable(MemorySegment segment) {
    return segment.isNative() || segment.heapBase().orElse(null) instanceof byte[];
  }

  /** Encodes into {@code target}; returns -1 if the result does not fit. */
  public long encode(MemorySegment source, int level, MemorySegment target) {
    long room = target.byteSize() - HEADER_BYTES - TRAILER_BYTES;
    if (room <= 0 || !usable(source) || !usable(target)) {
      return Filter.DECLINED;
    }
    int made = library.encode(source, level, target.asSlice(HEADER_BYTES, room));
    if (made < 0) {
      return Filter.DECLINED;
    }
    target.set(SHORT, 0, HEADER);
    target.set(INT, HEADER_BYTES + (long) made, checksum(source));
    return HEADER_BYTES + (long) made + TRAILER_BYTES;
  }

  /**
   * Decodes into {@code target}; returns -1 if that fails for any reason, which the slower decoder
   * then reports.
   */
  public long decode(MemorySegment source, MemorySegment target) {
    long coded = source.byteSize() - HEADER_BYTES - TRAILER_BYTES;
    if (coded <= 0 || !usable(source) || !usable(target) || !hasHeader(source)) {
      return Filter.DECLINED;
    }
    int made = library.decode(source.asSlice(HEADER_BYTES, coded), target);
    if (made < 0) {
      return Filter.DECLINED;
    }
    int stored = source.get(INT, source.byteSize() - TRAILER_BYTES);
    return checksum(target.asSlice(0, made)) == stored ? made : Filter.DECLINED;
  }

  private static boolean hasHeader(MemorySegment source) {
    int header = Short.toUnsignedInt(source.get(SHORT, 0));
    boolean method = (header & 0x0F00) == 0x0800;
    boolean dictionary = (header & 0x20) != 0;
    return method && !dictionary && header % 31 == 0;
  }

  private int checksum(MemorySegment segment) {
    adler.reset();
    adler.update(segment.asByteBuffer());
    return (int) adler.getValue();
  }
}
