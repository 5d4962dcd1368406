package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/** Translates ranks between groups. */
final class MpiGroups {

  private MpiGroups() {}

  /** Returns the rank in another group of each rank of a group; -1 for those that it lacks. */
  static int[] translate(Library library, long group, long other) {
    int size = library.anInt(Call.GROUP_SIZE, value(group));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from =
          arena.allocateFrom(ValueLayout.JAVA_INT, IntStream.range(0, size).toArray());
      MemorySegment to = arena.allocate((long) Integer.BYTES * size, Integer.BYTES);
      library.call(Call.GROUP_TRANSLATE_RANKS, value(group), value(size), from, value(other), to);
      int[] ranks = to.toArray(ValueLayout.JAVA_INT);
      int undefined = library.constant(Constant.UNDEFINED);
      return IntStream.of(ranks).map(r -> r == undefined ? -1 : r).toArray();
    }
  }
}
