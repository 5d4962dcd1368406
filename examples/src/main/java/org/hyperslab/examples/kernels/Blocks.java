package org.hyperslab.examples.kernels;

import java.util.Arrays;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.file.FileView;

/** Blocks of arrays that are divided among a grid of ranks, as accesses. */
final class Blocks {

  private Blocks() {}

  /**
   * Returns the access of a rank's block of an array.
   *
   * @param base the offset of the array in the file, in bytes
   * @param shape the array's lengths, slowest dimension first
   * @param start the coordinates of the block's first element
   * @param count the block's lengths
   * @param elementBytes bytes of an element
   */
  static Access of(long base, long[] shape, long[] start, long[] count, int elementBytes) {
    DerivedType element = DerivedType.contiguous(elementBytes, DerivedType.BYTE);
    DerivedType block =
        DerivedType.subarray(
            LongList.of(shape), LongList.of(count), LongList.of(start), ArrayOrder.C, element);
    long elements = Arrays.stream(count).reduce(1, Math::multiplyExact);
    return new Access(
        FileView.of(base, element, block),
        0,
        Access.Memory.dense(elements * elementBytes),
        piece -> rows(piece, base, shape, start, count, elementBytes));
  }

  private static void rows(
      Access.Piece piece, long base, long[] shape, long[] start, long[] count, int elementBytes) {
    int last = shape.length - 1;
    long[] at = new long[shape.length];
    long memory = 0;
    long length = count[last] * elementBytes;
    while (at[0] < count[0]) {
      long file = 0;
      for (int d = 0; d < shape.length; d++) {
        file = file * shape[d] + start[d] + at[d];
      }
      piece.at(base + file * elementBytes, memory, length);
      memory += length;
      int d = Math.max(0, last - 1);
      for (at[d] += last == 0 ? count[0] : 1; d > 0 && at[d] == count[d]; at[--d]++) {
        at[d] = 0;
      }
    }
  }
}
