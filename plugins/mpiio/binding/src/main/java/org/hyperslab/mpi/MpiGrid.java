package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;

/** The Cartesian grid formed by the ranks of a communicator. */
public final class MpiGrid {

  private final MpiCommunicator communicator;
  private final Library library;
  private final int count;

  MpiGrid(MpiCommunicator communicator) {
    this.communicator = communicator;
    this.library = communicator.mpi().library();
    long handle = communicator.handle();
    this.count = library.anInt(Call.CARTDIM_GET, value(handle));
  }

  /**
   * The neighbours of a rank along a dimension.
   *
   * @param source the rank that sends to this one in such a shift, or -1 beyond an end
   * @param destination the rank that this one sends to, or -1 beyond an end
   */
  public record Neighbours(int source, int destination) {}

  /** {@return the number of dimensions of the process grid} */
  public int dimensionCount() {
    return count;
  }

  /** {@return the lengths of the dimensions} */
  public int[] dimensions() {
    return get()[0];
  }

  /** {@return for each dimension, whether it is periodic} */
  public boolean[] periodic() {
    int[] flags = get()[1];
    boolean[] periodic = new boolean[count];
    IntStream.range(0, count).forEach(i -> periodic[i] = flags[i] != 0);
    return periodic;
  }

  /** {@return the coordinates of this rank, from 0} */
  public int[] coordinates() {
    return get()[2];
  }

  private int[][] get() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lengths = ints(arena);
      MemorySegment rings = ints(arena);
      MemorySegment mine = ints(arena);
      library.call(Call.CART_GET, value(communicator.handle()), value(count), lengths, rings, mine);
      return new int[][] {
        lengths.toArray(ValueLayout.JAVA_INT),
        rings.toArray(ValueLayout.JAVA_INT),
        mine.toArray(ValueLayout.JAVA_INT)
      };
    }
  }

  /**
   * {@return the coordinates of a rank, from 0}
   *
   * @param rank the rank in the grid
   */
  public int[] coordinates(int rank) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = ints(arena);
      library.call(
          Call.CART_COORDS, value(communicator.handle()), value(rank), value(count), place);
      return place.toArray(ValueLayout.JAVA_INT);
    }
  }

  /**
   * {@return the rank at the given coordinates; coordinates beyond the ends of a periodic dimension
   * wrap around}
   *
   * @param coordinates the coordinate in each dimension, from 0
   */
  public int rank(int... coordinates) {
    requireCount(coordinates.length);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocateFrom(ValueLayout.JAVA_INT, coordinates);
      return library.anInt(Call.CART_RANK, value(communicator.handle()), place);
    }
  }

  /**
   * {@return the ranks that this one receives from and sends to if all shift by {@code steps} along
   * a dimension}
   *
   * @param dimension the dimension, from 0
   * @param steps the distance; negative towards 0
   */
  public Neighbours shift(int dimension, int steps) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment destination = arena.allocate(ValueLayout.JAVA_INT);
      library.call(
          Call.CART_SHIFT,
          value(communicator.handle()),
          value(dimension),
          value(steps),
          source,
          destination);
      return new Neighbours(someone(source), someone(destination));
    }
  }

  private int someone(MemorySegment rank) {
    int value = rank.get(ValueLayout.JAVA_INT, 0);
    return value == library.constant(Constant.PROC_NULL) ? -1 : value;
  }

  /**
   * {@return a grid of the ranks that differ from this one only in the dimensions kept; to be
   * closed by the caller}
   *
   * @param kept for each dimension, whether it is kept
   */
  public MpiCommunicator slice(boolean... kept) {
    requireCount(kept.length);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment remain = flags(arena, kept);
      return communicator.made(
          library.newHandle(Call.CART_SUB, value(communicator.handle()), remain));
    }
  }

  private void requireCount(int actual) {
    if (actual != count) {
      throw new InvalidUseException(
          "dimensions: actual=" + actual + ", expected=" + count + " as the grid has");
    }
  }

  private MemorySegment ints(Arena arena) {
    return arena.allocate((long) Integer.BYTES * count, Integer.BYTES);
  }

  static MemorySegment flags(Arena arena, boolean[] values) {
    MemorySegment flags = arena.allocate((long) Integer.BYTES * values.length, Integer.BYTES);
    for (int i = 0; i < values.length; i++) {
      flags.setAtIndex(ValueLayout.JAVA_INT, i, values[i] ? 1 : 0);
    }
    return flags;
  }
}
