package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;

/**
 * A datatype: the bytes of memory or of a file that make up an element. Derived datatypes are built
 * from others and are committed; the datatypes that they were built from may be closed.
 *
 * <p>Displacements, strides, bounds and extents are in bytes if the name says {@code Bytes} and
 * otherwise in extents of the base datatype. Lengths count elements of the base datatype.
 *
 * <p>Thread rule: immutable; it is closed when it is no longer used.
 */
public final class MpiDatatype implements AutoCloseable {

  private final Library library;
  private final long handle;
  private final boolean derived;
  private final String description;

  /** Lower bound, extent, true lower bound and true extent; null until first requested. */
  private volatile long[] bounds;

  private volatile long[] trueBounds;
  private volatile long size = -1;
  private boolean closed;

  private MpiDatatype(Library library, long handle, boolean derived, String description) {
    this.library = library;
    this.handle = handle;
    this.derived = derived;
    this.description = description;
  }

  static MpiDatatype predefined(Library library, MpiType type) {
    return new MpiDatatype(library, library.handle(type.handle()), false, type.toString());
  }

  /** Takes over a handle that a call returned; predefined types are never freed. */
  static MpiDatatype returned(Library library, long handle) {
    return new MpiDatatype(library, handle, !isNamed(library, handle), "a view's datatype");
  }

  private static boolean isNamed(Library library, long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment counts = arena.allocate(4L * Integer.BYTES, Integer.BYTES);
      MemorySegment second = counts.asSlice(4);
      MemorySegment third = counts.asSlice(8);
      MemorySegment combiner = counts.asSlice(12);
      library.call(Call.TYPE_GET_ENVELOPE, value(handle), counts, second, third, combiner);
      return combiner.get(ValueLayout.JAVA_INT, 0) == library.constant(Constant.COMBINER_NAMED);
    }
  }

  private MpiDatatype derive(String what, Call call, MemorySegment... arguments) {
    return committed(library, library.newHandle(call, arguments), what + " of " + description);
  }

  private static MpiDatatype committed(Library library, long handle, String what) {
    LargeCount.commit(library, handle);
    return new MpiDatatype(library, handle, true, what);
  }

  /**
   * {@return a datatype of consecutive elements}
   *
   * @param count the number of blocks
   */
  public MpiDatatype contiguous(int count) {
    return derive("contiguous", Call.TYPE_CONTIGUOUS, value(count), value(handle()));
  }

  /**
   * {@return a datatype of blocks of equal length, {@code stride} extents from start to start}
   *
   * @param count the number of blocks
   * @param blockLength elements of a block
   * @param stride extents of this type from the start of one block to the start of the next
   */
  public MpiDatatype vector(int count, int blockLength, int stride) {
    return derive(
        "vector",
        Call.TYPE_VECTOR,
        value(count),
        value(blockLength),
        value(stride),
        value(handle()));
  }

  /**
   * {@return a datatype of blocks of equal length, {@code strideBytes} from start to start}
   *
   * @param count the number of blocks
   * @param blockLength elements of a block
   * @param strideBytes bytes from the start of one block to the start of the next
   */
  public MpiDatatype vectorInBytes(int count, int blockLength, long strideBytes) {
    return derive(
        "vector",
        Call.TYPE_CREATE_HVECTOR,
        value(count),
        value(blockLength),
        value(strideBytes),
        value(handle()));
  }

  /**
   * {@return a datatype of blocks with individual lengths and displacements}
   *
   * @param blockLengths elements of each block
   * @param displacements where each block begins, in extents of this type
   */
  public MpiDatatype indexed(int[] blockLengths, int[] displacements) {
    return indexed(
        Call.TYPE_INDEXED,
        blockLengths,
        displacements.length,
        arena -> arena.allocateFrom(ValueLayout.JAVA_INT, displacements));
  }

  /**
   * {@return a datatype of blocks with individual lengths and displacements, these in bytes}
   *
   * @param blockLengths elements of each block
   * @param displacementsBytes where each block begins, in bytes
   */
  public MpiDatatype indexedInBytes(int[] blockLengths, long[] displacementsBytes) {
    return indexed(
        Call.TYPE_CREATE_HINDEXED,
        blockLengths,
        displacementsBytes.length,
        arena -> arena.allocateFrom(ValueLayout.JAVA_LONG, displacementsBytes));
  }

  private MpiDatatype indexed(
      Call call, int[] blockLengths, int places, Function<Arena, MemorySegment> displacements) {
    requireSameLength(blockLengths.length, places);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lengths = arena.allocateFrom(ValueLayout.JAVA_INT, blockLengths);
      return derive(
          "indexed", call, value(places), lengths, displacements.apply(arena), value(handle()));
    }
  }

  /**
   * {@return a datatype of blocks of equal length with individual displacements}
   *
   * @param blockLength elements of a block
   * @param displacements where each block begins, in extents of this type
   */
  public MpiDatatype indexedBlock(int blockLength, int[] displacements) {
    try (Arena arena = Arena.ofConfined()) {
      int count = displacements.length;
      MemorySegment places = arena.allocateFrom(ValueLayout.JAVA_INT, displacements);
      return derive(
          "indexed block",
          Call.TYPE_CREATE_INDEXED_BLOCK,
          value(count),
          value(blockLength),
          places,
          value(handle()));
    }
  }

  /**
   * {@return a datatype of blocks of different datatypes}
   *
   * @param blockLengths elements of each block
   * @param displacementsBytes where each block begins, in bytes
   * @param types the datatype of each block, at least one
   */
  public static MpiDatatype struct(
      int[] blockLengths, long[] displacementsBytes, List<MpiDatatype> types) {
    requireSameLength(blockLengths.length, displacementsBytes.length);
    requireSameLength(blockLengths.length, types.size());
    if (types.isEmpty()) {
      throw new InvalidUseException("struct: actual=no members, expected=at least one");
    }
    Library library = types.getFirst().library;
    int count = types.size();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lengths = arena.allocateFrom(ValueLayout.JAVA_INT, blockLengths);
      MemorySegment places = arena.allocateFrom(ValueLayout.JAVA_LONG, displacementsBytes);
      MemorySegment handles = arena.allocate((long) Long.BYTES * count, Long.BYTES);
      for (int i = 0; i < count; i++) {
        library.putHandle(handles, i, types.get(i).handle());
      }
      long made =
          library.newHandle(Call.TYPE_CREATE_STRUCT, value(count), lengths, places, handles);
      return committed(library, made, "struct");
    }
  }

  /**
   * {@return a datatype that selects a box of an array}
   *
   * @param sizes the array's extent
   * @param boxSizes the box's extent
   * @param starts where the box begins
   * @param fastestLast whether the last index varies fastest, as in C and Java
   */
  public MpiDatatype subarray(int[] sizes, int[] boxSizes, int[] starts, boolean fastestLast) {
    requireSameLength(sizes.length, boxSizes.length);
    requireSameLength(sizes.length, starts.length);
    int order = library.constant(fastestLast ? Constant.ORDER_C : Constant.ORDER_FORTRAN);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocateFrom(ValueLayout.JAVA_INT, sizes);
      MemorySegment box = arena.allocateFrom(ValueLayout.JAVA_INT, boxSizes);
      MemorySegment first = arena.allocateFrom(ValueLayout.JAVA_INT, starts);
      return derive(
          "subarray",
          Call.TYPE_CREATE_SUBARRAY,
          value(sizes.length),
          all,
          box,
          first,
          value(order),
          value(handle()));
    }
  }

  /**
   * {@return a datatype that selects one process's part of an array that is distributed over a grid
   * of processes}
   *
   * @param grid the number of processes along each dimension
   * @param rank the process, numbered with the last dimension varying fastest
   * @param sizes the array's extent
   * @param distributions how each dimension is distributed
   * @param fastestLast whether the last index varies fastest, as in C and Java
   */
  public MpiDatatype distributedArray(
      int[] grid, int rank, int[] sizes, List<Distribution> distributions, boolean fastestLast) {
    requireSameLength(sizes.length, grid.length);
    requireSameLength(sizes.length, distributions.size());
    int processes = 1;
    for (int side : grid) {
      processes = Math.multiplyExact(processes, side);
    }
    int all = processes;
    int order = library.constant(fastestLast ? Constant.ORDER_C : Constant.ORDER_FORTRAN);
    int[] kinds =
        distributions.stream().mapToInt(d -> library.constant(d.kind().constant())).toArray();
    int[] arguments = distributions.stream().mapToInt(d -> d.argument(library)).toArray();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment extent = arena.allocateFrom(ValueLayout.JAVA_INT, sizes);
      MemorySegment kind = arena.allocateFrom(ValueLayout.JAVA_INT, kinds);
      MemorySegment argument = arena.allocateFrom(ValueLayout.JAVA_INT, arguments);
      MemorySegment sides = arena.allocateFrom(ValueLayout.JAVA_INT, grid);
      return derive(
          "distributed array",
          Call.TYPE_CREATE_DARRAY,
          value(all),
          value(rank),
          value(sizes.length),
          extent,
          kind,
          argument,
          sides,
          value(order),
          value(handle()));
    }
  }

  /**
   * {@return the same datatype with another lower bound and extent}
   *
   * @param lowerBoundBytes the new lower bound, in bytes
   * @param extentBytes the new extent, in bytes
   */
  public MpiDatatype resized(long lowerBoundBytes, long extentBytes) {
    return derive(
        "resized",
        Call.TYPE_CREATE_RESIZED,
        value(handle()),
        value(lowerBoundBytes),
        value(extentBytes));
  }

  /** {@return a copy, closed independently} */
  public MpiDatatype duplicate() {
    return derive("duplicate", Call.TYPE_DUP, value(handle()));
  }

  /** {@return the number of bytes of data in an element, without gaps} */
  public long sizeBytes() {
    Call call = library.has(Call.TYPE_SIZE_X) ? Call.TYPE_SIZE_X : Call.TYPE_SIZE_C;
    return library.aLong(call, value(handle()));
  }

  /** {@return the number of bytes from the start of one element to the start of the next} */
  public long extentBytes() {
    return bounds()[1];
  }

  /**
   * {@return the lower bound: the offset of an element's start from its address, in bytes; may be
   * negative}
   */
  public long lowerBoundBytes() {
    return bounds()[0];
  }

  /** {@return the number of bytes that an element spans from its first to its last byte of data} */
  public long trueExtentBytes() {
    return trueBounds()[1];
  }

  /** {@return the offset of the first byte of data from the element's address, in bytes} */
  public long trueLowerBoundBytes() {
    return trueBounds()[0];
  }

  private long[] bounds() {
    if (bounds == null) {
      bounds = extents(library, Call.TYPE_GET_EXTENT, handle());
    }
    return bounds;
  }

  private long[] trueBounds() {
    if (trueBounds == null) {
      trueBounds = extents(library, Call.TYPE_GET_TRUE_EXTENT, handle());
    }
    return trueBounds;
  }

  /** Returns the lower bound and the extent of a datatype. */
  static long[] extents(Library library, Call call, long type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bounds = arena.allocate(2L * Long.BYTES, Long.BYTES);
      MemorySegment extent = bounds.asSlice(Long.BYTES);
      library.call(call, value(type), bounds, extent);
      return bounds.toArray(ValueLayout.JAVA_LONG);
    }
  }

  /**
   * Packs elements in the external32 representation: big-endian, of fixed sizes.
   *
   * @param data the elements
   * @param count the number of blocks
   * @return the packed bytes
   */
  public byte[] packExternal(MemorySegment data, int count) {
    try (Arena arena = Arena.ofConfined();
        HeapStaging.Staged in = library.buffers().filled(data)) {
      MemorySegment name = arena.allocateFrom("external32");
      long bytes = library.aLong(Call.PACK_EXTERNAL_SIZE, name, value(count), value(handle()));
      MemorySegment out = arena.allocate(bytes);
      MemorySegment position = arena.allocate(ValueLayout.JAVA_LONG);
      library.call(
          Call.PACK_EXTERNAL,
          name,
          in.memory(),
          value(count),
          value(handle()),
          out,
          value(bytes),
          position);
      long used = position.get(ValueLayout.JAVA_LONG, 0);
      return out.asSlice(0, used).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /**
   * Returns whether consecutive elements leave no gaps, so that n bytes received are the first n.
   */
  boolean isDense() {
    return !derived && bounds()[1] == denseBytes();
  }

  private long denseBytes() {
    if (size < 0) {
      size = sizeBytes();
    }
    return size;
  }

  /**
   * Checks that elements fit into memory; MPI would access bytes beyond its end.
   *
   * @throws InvalidUseException if they do not
   */
  void requireRoom(MemorySegment memory, long count) {
    if (count <= 0) {
      return;
    }
    long[] whole = bounds();
    long[] data = trueBounds();
    long last = Math.multiplyExact(count - 1, whole[1]);
    long first = Math.min(0, last) + data[0];
    long end = Math.addExact(Math.max(0, last), Math.addExact(data[0], data[1]));
    if (first < 0 || end > memory.byteSize()) {
      throw new InvalidUseException(
          "memory for "
              + count
              + " elements of "
              + description
              + ": actual="
              + memory.byteSize()
              + " bytes, expected=at least bytes "
              + first
              + " to "
              + end);
    }
  }

  long handle() {
    if (closed) {
      throw new InvalidUseException(
          "datatype: actual=a closed " + description + ", expected=an open one");
    }
    return handle;
  }

  Library library() {
    return library;
  }

  private static void requireSameLength(int expected, int actual) {
    if (actual != expected) {
      throw new InvalidUseException(
          "arrays of a datatype: actual=" + actual + " entries, expected=" + expected);
    }
  }

  /**
   * Frees a derived datatype; requests and views that use it remain valid. Does nothing for a
   * predefined one.
   */
  @Override
  public void close() {
    if (derived && !closed && !library.isFinished()) {
      closed = true;
      library.free(Call.TYPE_FREE, handle);
    }
  }

  @Override
  public String toString() {
    return description;
  }
}
