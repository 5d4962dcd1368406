package org.hyperslab.convert;

import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;

/** Reads the elements of a dataset, in whole chunks if it is chunked. */
record Hdf5Elements(Dataset dataset, Datatype type, long[] chunk) implements ElementReader {

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    if (start.length == 0) {
      dataset.readInto(
          Selection.all(), new Memory(type, Dataspace.scalar(), Selection.all(), target));
      return;
    }
    Memory memory = new Memory(type, Dataspace.simple(count), Selection.all(), target);
    dataset.readInto(Selection.box(start, count), memory);
  }

  @Override
  public long[] block(long[] dims, long most) {
    return chunk.length == 0 ? Boxes.rows(dims, most) : Boxes.ofUnits(dims, chunk, most);
  }
}
