package org.hyperslab.plugins.libhdf5.filter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * A filter that the program registered ({@code H5Zregister}), or that libhdf5 loaded from a filter
 * plugin, called by its C function:
 *
 * <pre>
 *   H5Z_class2_t
 *   0         4      8         12        16     24          32          40
 *   +---------+------+---------+---------+------+-----------+-----------+--------+
 *   | version | id   | encodes | decodes | name | can apply | set local | filter |
 *   +---------+------+---------+---------+------+-----------+-----------+--------+
 * </pre>
 *
 * <p>The function gets a buffer of {@code malloc}, which it may replace by another.
 */
public final class ProgramFilter implements Filter {

  /** The value of {@code H5Z_CLASS_T_VERS}. */
  private static final int VERSION = 1;

  /** The flag {@code H5Z_FLAG_REVERSE}, with which a filter decodes. */
  private static final long REVERSE = 0x100;

  private final CFunction allocate = CFunction.named("malloc");
  private final CFunction free = CFunction.named("free");
  private final int id;
  private final String name;
  private final boolean encodes;
  private final boolean decodes;
  private final long canApply;
  private final long setLocal;
  private final CFunction function;

  private ProgramFilter(long filterClass) {
    this.id = RawMemory.getInt(filterClass + 4);
    this.encodes = RawMemory.getInt(filterClass + 8) != 0;
    this.decodes = RawMemory.getInt(filterClass + 12) != 0;
    String text = RawMemory.text(RawMemory.getLong(filterClass + 16));
    this.name = text == null ? "" : text;
    this.canApply = RawMemory.getLong(filterClass + 24);
    this.setLocal = RawMemory.getLong(filterClass + 32);
    this.function = CFunction.at(RawMemory.getLong(filterClass + 40));
  }

  /** Returns the filter of a class; null if the memory is no class of that filter. */
  static ProgramFilter of(long filterClass, int id) {
    boolean known =
        RawMemory.getInt(filterClass) == VERSION
            && RawMemory.getInt(filterClass + 4) == id
            && RawMemory.getLong(filterClass + 40) != 0;
    return known ? new ProgramFilter(filterClass) : null;
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public String name() {
    return name;
  }

  /** Returns false: it is unknown whether the program's filter loses anything. */
  @Override
  public boolean isLossless(int[] clientData) {
    return false;
  }

  @Override
  public boolean canEncode() {
    return encodes;
  }

  /**
   * Returns whether the filter can be applied to a dataset.
   *
   * @return more than 0 if it can, 0 if not, less for a failure
   */
  public int canApply(long creationList, long type, long space) {
    return canApply == 0 ? 1 : (int) CFunction.at(canApply).call(creationList, type, space);
  }

  /** Lets the filter change its parameters in a creation list; returns whether it succeeded. */
  public boolean setLocal(long creationList, long type, long space) {
    return setLocal == 0 || (int) CFunction.at(setLocal).call(creationList, type, space) >= 0;
  }

  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return 2 * bytes + (1 << 20);
  }

  @Override
  public long encode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    return run(0, source, clientData, out);
  }

  @Override
  public long decode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    if (!decodes) {
      throw new MalformedDataException(
          "filter " + id + " (" + name + "): actual=cannot decode, expected=a filter that decodes");
    }
    return run(REVERSE, source, clientData, out);
  }

  private long run(long flags, MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    Result result = ProgramThread.execute(() -> call(flags, source, clientData));
    try {
      if (result.length <= 0) {
        throw new MalformedDataException(
            "filter "
                + id
                + " ("
                + name
                + "): actual=its function returned 0, expected=the length of its result");
      }
      out.segment(result.length)
          .asSlice(0, result.length)
          .copyFrom(RawMemory.at(result.buffer, result.length));
      return result.length;
    } finally {
      free.call(result.buffer);
    }
  }

  /** The result of the function, and its buffer, which the caller frees. */
  private record Result(long length, long buffer) {}

  private Result call(long flags, MemorySegment source, int[] clientData) {
    long bytes = source.byteSize();
    long buffer = allocate.call(Math.max(1, bytes));
    RawMemory.at(buffer, bytes).copyFrom(source);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment places = arena.allocate(16 + 4L * Math.max(1, clientData.length), 8);
      long at = places.address();
      RawMemory.setLong(at, bytes);
      RawMemory.setLong(at + 8, buffer);
      for (int i = 0; i < clientData.length; i++) {
        RawMemory.setInt(at + 16 + 4L * i, clientData[i]);
      }
      long length = function.call(flags, clientData.length, at + 16, bytes, at, at + 8);
      return new Result(length, RawMemory.getLong(at + 8));
    }
  }
}
