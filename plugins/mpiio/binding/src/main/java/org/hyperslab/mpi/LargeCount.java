package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;

/**
 * A count of elements in the form that functions with an int count take. A larger count becomes one
 * element of a derived datatype: runs of 2^30 elements and a remainder. The call remains one
 * message or transfer, and the other side may describe it with any count and datatype.
 *
 * @param count the count to pass @param type the handle of the datatype to pass
 * @param made whether the datatype was made here and must be freed
 * @param library the library that owns the datatype
 */
record LargeCount(int count, long type, boolean made, Library library) implements AutoCloseable {

  /** The number of elements of a run. */
  static final int RUN = 1 << 30;

  /** The largest count that is passed as an int; tests lower it. */
  private static final long LIMIT = Long.getLong("hyperslab.mpi.largeCount", Integer.MAX_VALUE);

  static LargeCount of(Library library, long count, long type) {
    if (count < 0) {
      throw new InvalidUseException("count: actual=" + count + ", expected=at least 0");
    }
    if (count <= LIMIT) {
      return new LargeCount((int) count, type, false, library);
    }
    return new LargeCount(1, make(library, count, type, (int) Math.min(RUN, LIMIT)), true, library);
  }

  private static long make(Library library, long count, long type, int run) {
    int runs = Math.toIntExact(count / run);
    long oneRun = contiguous(library, run, type);
    long allRuns = contiguous(library, runs, oneRun);
    long rest = count % run;
    long whole = rest == 0 ? allRuns : withRest(library, allRuns, runs * (long) run, rest, type);
    commit(library, whole);
    library.free(Call.TYPE_FREE, oneRun);
    if (whole != allRuns) {
      library.free(Call.TYPE_FREE, allRuns);
    }
    return whole;
  }

  private static long contiguous(Library library, int count, long type) {
    return library.newHandle(Call.TYPE_CONTIGUOUS, value(count), value(type));
  }

  private static long withRest(Library library, long runs, long before, long rest, long type) {
    try (Arena arena = Arena.ofConfined()) {
      long extent = MpiDatatype.extents(library, Call.TYPE_GET_EXTENT, type)[1];
      MemorySegment lengths = arena.allocateFrom(ValueLayout.JAVA_INT, 1, (int) rest);
      MemorySegment offsets = arena.allocateFrom(ValueLayout.JAVA_LONG, 0, before * extent);
      MemorySegment types = arena.allocate(2L * Long.BYTES, Long.BYTES);
      library.putHandle(types, 0, runs);
      library.putHandle(types, 1, type);
      return library.newHandle(Call.TYPE_CREATE_STRUCT, value(2), lengths, offsets, types);
    }
  }

  static void commit(Library library, long type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      library.putHandle(place, 0, type);
      library.call(Call.TYPE_COMMIT, place);
    }
  }

  /**
   * Returns the arguments of a call: memory, count, datatype, and the others. For a call with two
   * memories, pass the arguments of the second as the others of the first.
   */
  MemorySegment[] arguments(MemorySegment memory, MemorySegment... others) {
    MemorySegment[] all = new MemorySegment[3 + others.length];
    all[0] = memory;
    all[1] = value(count);
    all[2] = value(type);
    System.arraycopy(others, 0, all, 3, others.length);
    return all;
  }

  /** Frees the datatype if it was made here. This is allowed while a started call still uses it. */
  @Override
  public void close() {
    if (made) {
      library.free(Call.TYPE_FREE, type);
    }
  }
}
