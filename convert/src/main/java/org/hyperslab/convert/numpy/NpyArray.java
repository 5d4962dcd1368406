package org.hyperslab.convert.numpy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.convert.model.BoxBytes;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.model.Variable.Traits;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;

/**
 * Reads the elements of one array.
 *
 * @param bytes the array with its header
 * @param header its header
 * @param type the type of its elements
 * @param text the positions of text in an element
 */
record NpyArray(InputBytes bytes, NpyHeader header, Datatype type, Optional<UcsText> text)
    implements ElementReader {

  /** Reads the header of an array and returns the array as a variable. */
  static Variable variable(String path, InputBytes bytes) {
    return variable(path, bytes, NpyHeader.read(bytes));
  }

  /** Returns the elements that a header describes as a variable. */
  static Variable variable(String path, InputBytes bytes, NpyHeader header) {
    NumpyType type = NumpyType.of(header.parsed(), bytes.name());
    header.requireElements(bytes, type.type().size());
    long[] shape = header.shape();
    Dataspace space = shape.length == 0 ? Dataspace.scalar() : Dataspace.simple(shape);
    Traits traits =
        Traits.NONE.withAttributes(
            NumpyAttribute.keep(header.descr(), header.parsed(), type.type(), bytes.name()));
    return new Variable(
        path, type.type(), space, traits, new NpyArray(bytes, header, type.type(), type.text()));
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    int size = type.size();
    long[] dims = header.shape();
    if (header.fortran() && dims.length > 1) {
      MemorySegment inFile =
          MemorySegment.ofArray(new byte[Math.toIntExact(Dataspace.product(count) * size)]);
      long[] counts = Boxes.reversed(count);
      new BoxBytes(Boxes.reversed(dims), header.dataOffset(), size)
          .read(bytes, Boxes.reversed(start), counts, inFile);
      BoxBytes.transpose(inFile, counts, target.elements(), size);
    } else {
      new BoxBytes(dims, header.dataOffset(), size).read(bytes, start, count, target.elements());
    }
    text.ifPresent(where -> convert(where, Dataspace.product(count), target.elements()));
  }

  private void convert(UcsText where, long count, MemorySegment elements) {
    for (long i = 0; i < count; i++) {
      where.toUtf8(elements, i * type.size(), bytes.name());
    }
  }

  @Override
  public long[] block(long[] dims, long most) {
    if (!header.fortran() || dims.length < 2) {
      return Boxes.rows(dims, most);
    }
    // similar lengths in the first and the last dimension, so that neither order has tiny runs
    long[] block = new long[dims.length];
    Arrays.fill(block, 1);
    long side = Math.max(1, (long) Math.sqrt((double) most));
    block[0] = Math.max(1, Math.min(dims[0], side));
    return Boxes.ofUnits(dims, block, most);
  }
}
