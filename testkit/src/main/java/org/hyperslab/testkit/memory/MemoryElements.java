package org.hyperslab.testkit.memory;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.convert.Converter;

/** Counts, converts, gathers and scatters elements in memory, one by one. */
final class MemoryElements {

  private MemoryElements() {}

  /** The input and output of a conversion of elements, both in memory form. */
  record Run(Datatype from, DataBuffer source, Datatype to, DataBuffer target) {}

  /** Returns the number of elements of a dataspace. */
  static long count(Dataspace space) {
    return space.kind() == Dataspace.Kind.NULL ? 0 : space.elementCount();
  }

  static void convert(Run run, long count) {
    Converter.between(run.from.inMemory(), run.to.inMemory())
        .open(run.source.heap(), run.target.heap())
        .convert(run.source.elements(), 0, run.target.elements(), 0, count);
  }

  static DataBuffer copy(Datatype type, DataBuffer source, long count) {
    DataBuffer target = DataBuffer.allocate(type, count);
    convert(new Run(type, source, type, target), count);
    return target;
  }

  /** Returns the row-major offsets of the selected elements, in the order of transfer. */
  static long[] offsets(Selection selection, Dataspace space) {
    if (space.kind() == Dataspace.Kind.NULL) {
      return new long[0];
    }
    long[] dims = space.dims();
    long[] offsets = new long[Math.toIntExact(selection.elementCount(dims))];
    RunCursor runs = selection.runs(dims);
    int n = 0;
    while (runs.next()) {
      for (long i = 0; i < runs.length(); i++) {
        offsets[n++] = runs.offset() + i;
      }
    }
    return offsets;
  }

  /** Returns the elements at some offsets, concatenated; slots keep their heap. */
  static DataBuffer gather(Datatype type, DataBuffer source, long[] offsets) {
    int size = type.memorySize();
    MemorySegment packed =
        MemorySegment.ofArray(new byte[Math.multiplyExact(size, offsets.length)]);
    for (int i = 0; i < offsets.length; i++) {
      MemorySegment.copy(source.elements(), offsets[i] * size, packed, (long) i * size, size);
    }
    return new DataBuffer(packed, source.heap());
  }

  /** The inverse of {@link #gather}. */
  static void scatter(Datatype type, DataBuffer packed, DataBuffer target, long[] offsets) {
    int size = type.memorySize();
    for (int i = 0; i < offsets.length; i++) {
      MemorySegment.copy(
          packed.elements(), (long) i * size, target.elements(), offsets[i] * size, size);
    }
  }
}
