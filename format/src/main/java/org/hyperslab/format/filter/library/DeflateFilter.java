package org.hyperslab.format.filter.library;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.coder.FastDeflate;
import org.hyperslab.format.filter.coder.ZlibMemory;

/**
 * Filter 1, deflate: one zlib stream (RFC 1950). Client data: the level, 0 to 9.
 *
 * <p>Source: H5Zdeflate.c.
 */
public final class DeflateFilter implements Filter {

  /** The registered filter number. */
  public static final int ID = 1;

  private static final int DEFAULT_LEVEL = 6;

  /** The greatest ratio by which deflate can shrink data, about 1:1032. */
  private static final int MAXIMUM_RATIO = 1032;

  /** Creates the filter, which has no state. */
  public DeflateFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "deflate";
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    if (clientData.length != 1 || clientData[0] < 0 || clientData[0] > 9) {
      throw new InvalidUseException(
          "deflate parameters: actual="
              + Arrays.toString(clientData)
              + ", expected=one level from 0 to 9");
    }
  }

  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return bytes + (bytes >>> 10) + 64;
  }

  @Override
  public long encode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    int level = clientData.length > 0 ? clientData[0] : DEFAULT_LEVEL;
    long capacity = Math.min(out.limitBytes(), maximumEncodedBytes(source.byteSize(), clientData));
    if (capacity <= 0) {
      return DECLINED;
    }
    MemorySegment target = out.segment(capacity);
    FastDeflate fast = FastDeflate.of(out.scratch());
    if (fast.takes(source.byteSize())) {
      return fast.encode(source, Math.clamp(level, 0, 9), target.asSlice(0, capacity));
    }
    Deflater deflater = deflater(out.scratch(), Math.clamp(level, 0, 9));
    deflater.reset();
    ZlibMemory memory = ZlibMemory.of(out.scratch());
    Feed feed = new Feed(source, memory);
    long made = 0;
    while (!deflater.finished()) {
      if (deflater.needsInput()) {
        feed.next(deflater);
      }
      if (made == capacity) {
        return DECLINED;
      }
      made += memory.deflate(deflater, target.asSlice(made, capacity - made));
    }
    return made;
  }

  /** The input still to be compressed, in pieces that zlib accepts. */
  private static final class Feed {
    private final MemorySegment source;
    private final ZlibMemory memory;
    private long fed;

    Feed(MemorySegment source, ZlibMemory memory) {
      this.source = source;
      this.memory = memory;
    }

    void next(Deflater deflater) {
      long part = memory.pieceBytes(source, fed);
      deflater.setInput(memory.input(source.asSlice(fed, part)));
      fed += part;
      if (fed == source.byteSize()) {
        deflater.finish();
      }
    }

    boolean next(Inflater inflater) {
      long part = memory.pieceBytes(source, fed);
      inflater.setInput(memory.input(source.asSlice(fed, part)));
      fed += part;
      return part > 0;
    }
  }

  @Override
  public long decode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    // A short stream cannot become long: memory is allocated in proportion to the stored size.
    long possible = Math.multiplyExact(source.byteSize() + 1, MAXIMUM_RATIO);
    long capacity = Math.min(out.limitBytes(), possible);
    MemorySegment target = out.segment(capacity);
    FastDeflate fast = FastDeflate.of(out.scratch());
    if (fast.takes(capacity)) {
      long made = fast.decode(source, target.asSlice(0, capacity));
      if (made != DECLINED) {
        return made;
      }
    }
    Inflater inflater = inflater(out.scratch());
    inflater.reset();
    ZlibMemory memory = ZlibMemory.of(out.scratch());
    Feed feed = new Feed(source, memory);
    long made = 0;
    try {
      while (true) {
        if (inflater.needsInput() && !feed.next(inflater)) {
          throw new MalformedDataException("stream ends early after " + made + " bytes");
        }
        int moved = memory.inflate(inflater, target.asSlice(made, capacity - made));
        made += moved;
        if (inflater.finished()) {
          return made;
        }
        if (moved == 0 && made == capacity && !inflater.needsInput()) {
          return finish(inflater, made, out);
        }
        if (inflater.needsDictionary()) {
          throw new MalformedDataException("stream needs a dictionary");
        }
      }
    } catch (DataFormatException damaged) {
      throw new MalformedDataException("damaged stream: " + damaged.getMessage(), damaged);
    }
  }

  /** Checks that only the end of the stream follows when the output is full. */
  private static long finish(Inflater inflater, long made, FilterOutput out)
      throws MalformedDataException, DataFormatException {
    if (inflater.inflate(ByteBuffer.allocateDirect(1)) == 0 && inflater.finished()) {
      return made;
    }
    throw new MalformedDataException(
        "result too long: actual=more than "
            + made
            + " bytes, expected=at most "
            + out.limitBytes());
  }

  private record DeflaterKey(int level) {}

  private static Deflater deflater(FilterScratch scratch, int level) {
    return scratch.state(
        new DeflaterKey(level),
        () -> {
          Deflater made = new Deflater(level);
          scratch.onClose(made::end);
          return made;
        });
  }

  private static Inflater inflater(FilterScratch scratch) {
    return scratch.state(
        Inflater.class,
        () -> {
          Inflater made = new Inflater();
          scratch.onClose(made::end);
          return made;
        });
  }
}
