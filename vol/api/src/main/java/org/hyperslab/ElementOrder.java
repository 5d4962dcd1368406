package org.hyperslab;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the elements of a slice are given, where it is not that of the dataset: some
 * dimensions are reversed, or their indices are in an order of their own.
 *
 * @param dims the shape of the slice
 * @param places for each dimension the position in ascending order of each of its indices; null
 *     where they ascend
 */
record ElementOrder(long[] dims, int[] @Nullable [] places) {

  /** Returns the order of a shape; null if all indices ascend. */
  static @Nullable ElementOrder of(long[] dims, int[] @Nullable [] places) {
    return Arrays.stream(places).allMatch(each -> each == null)
        ? null
        : new ElementOrder(dims, places);
  }

  /** Returns the places of indices in reverse. */
  static int[] reversed(long count) {
    int[] places = new int[JavaArrays.length(count)];
    Arrays.setAll(places, i -> places.length - 1 - i);
    return places;
  }

  /** Brings elements from the dataset's order, in which they were read, to this one. */
  void afterRead(Memory memory) {
    MemorySegment elements = elements(memory);
    Memory read = Memory.room(memory.type(), memory.space());
    MemorySegment copy = elements(read).copyFrom(elements);
    move(0, new Ends(copy, elements, true, depth()), 0, 0, elements.byteSize());
  }

  /** Returns elements of this order in the dataset's. */
  Memory toWrite(Memory memory) {
    Memory ordered = Memory.room(memory.type(), memory.space());
    MemorySegment elements = elements(memory);
    move(0, new Ends(elements, elements(ordered), false, depth()), 0, 0, elements.byteSize());
    return ordered.heap(memory.data().heap());
  }

  private MemorySegment elements(Memory memory) {
    long count = Dataspace.product(dims);
    if (!memory.isWhole() || memory.space().elementCount() != count) {
      throw new InvalidUseException(
          "memory of a slice in another order: actual="
              + memory.selectedCount()
              + " selected of "
              + memory.space()
              + ", expected="
              + count
              + " elements, all selected");
    }
    return memory.data().elements().asSlice(0, count * memory.type().memorySize());
  }

  /** Returns the number of dimensions down to the last one whose indices do not ascend. */
  private int depth() {
    int depth = places.length;
    while (depth > 0 && places[depth - 1] == null) {
      depth--;
    }
    return depth;
  }

  /**
   * Where elements come from and go to, whether places are those where they come from, and the
   * number of dimensions below which elements are moved together.
   */
  private record Ends(MemorySegment from, MemorySegment to, boolean placesOfSource, int depth) {}

  /** Moves what lies below one index, which has a number of bytes. */
  private void move(int dimension, Ends ends, long from, long to, long bytes) {
    if (bytes == 0) {
      return;
    }
    if (dimension == ends.depth) {
      MemorySegment.copy(ends.from, from, ends.to, to, bytes);
      return;
    }
    long below = bytes / dims[dimension];
    int[] place = places[dimension];
    for (int i = 0; i < dims[dimension]; i++) {
      long other = place == null ? i : place[i];
      move(
          dimension + 1,
          ends,
          from + (ends.placesOfSource ? other : i) * below,
          to + (ends.placesOfSource ? i : other) * below,
          below);
    }
  }
}
