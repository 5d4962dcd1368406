package org.hyperslab.format.filter.blosc;

import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * The metalayer "b2nd" (or its forerunner "caterva") of a frame: the array is divided into blocks
 * of several dimensions, each of them stored whole, so that those at the end of a dimension are
 * padded.
 *
 * <p>Source: README_B2ND_METALAYER.rst of c-blosc2.
 */
final class Blosc2Blocks {

  private static final int MAXIMUM_RANK = 32;
  private static final int MAXIMUM_LAYERS = 16;

  private final int[] shape;
  private final int[] block;

  private Blosc2Blocks(int[] shape, int[] block) {
    this.shape = shape;
    this.block = block;
  }

  /**
   * {@return the division of a frame's array; null if its elements are in the order of the array}
   *
   * @param frame the frame
   * @param headerLength the length of its header
   * @throws MalformedDataException if the metalayer is damaged
   */
  static Blosc2Blocks in(Span frame, int headerLength) throws MalformedDataException {
    MessagePack header = new MessagePack(frame.slice(0, headerLength), Blosc2Frame.METALAYERS_AT);
    header.array();
    header.number();
    int layers = header.map();
    for (int i = 0; i < Math.min(layers, MAXIMUM_LAYERS); i++) {
      String name = header.text();
      long at = header.number();
      if (name.equals("b2nd") || name.equals("caterva")) {
        MessagePack layer = new MessagePack(frame.slice(0, headerLength), at);
        layer.binary();
        return parse(layer);
      }
    }
    return null;
  }

  private static Blosc2Blocks parse(MessagePack layer) throws MalformedDataException {
    layer.array();
    layer.number();
    long rank = layer.number();
    if (rank < 1 || rank > MAXIMUM_RANK) {
      throw new MalformedDataException("b2nd: actual=rank " + rank + ", expected=1 to 32");
    }
    int[] shape = new int[(int) rank];
    int[] chunk = new int[(int) rank];
    int[] block = new int[(int) rank];
    extents(layer, shape);
    extents(layer, chunk);
    extents(layer, block);
    for (int i = 0; i < rank; i++) {
      if (shape[i] != chunk[i] || block[i] > chunk[i]) {
        throw new MalformedDataException(
            "b2nd: actual=extent "
                + shape[i]
                + ", chunk "
                + chunk[i]
                + ", block "
                + block[i]
                + ", expected=an array in one chunk");
      }
    }
    return new Blosc2Blocks(shape, block);
  }

  private static void extents(MessagePack layer, int[] extents) throws MalformedDataException {
    layer.array();
    for (int i = 0; i < extents.length; i++) {
      long extent = layer.number();
      if (extent < 1 || extent > Integer.MAX_VALUE) {
        throw new MalformedDataException(
            "b2nd: actual=extent " + extent + ", expected=1 to 2^31-1");
      }
      extents[i] = (int) extent;
    }
  }

  /**
   * Decodes a chunk and puts its elements in the order of the array.
   *
   * @param chunk the chunk
   * @param typeBytes the size of an element in bytes
   * @param out receives the elements
   * @return the number of bytes produced
   * @throws MalformedDataException if the chunk has other blocks than the array
   */
  int decode(Blosc2Chunk chunk, int typeBytes, FilterOutput out) throws MalformedDataException {
    long bytes = product(shape, typeBytes);
    long blockBytes = product(block, typeBytes);
    byte[] target = out.array(bytes);
    long blocks = 1;
    for (int i = 0; i < shape.length; i++) {
      blocks *= count(i);
    }
    boolean same = chunk.repeats() || chunk.blockBytes() == blockBytes;
    if (typeBytes < 1 || !same || chunk.length() != blocks * blockBytes) {
      throw new MalformedDataException(
          "b2nd: actual=chunk of "
              + chunk.length()
              + " bytes in blocks of "
              + chunk.blockBytes()
              + ", expected="
              + blocks
              + " blocks of "
              + blockBytes);
    }
    Span room = new Span(new byte[(int) blockBytes], 0, (int) blockBytes);
    int[] first = new int[shape.length];
    for (int i = 0; i < blocks; i++) {
      chunk.decodeBlock(i, room, out.scratch());
      place(room.array(), 0, 0, first, new Place(target, out.arrayOffset(), typeBytes));
      next(first);
    }
    return (int) bytes;
  }

  private int count(int dimension) {
    return (shape[dimension] - 1) / block[dimension] + 1;
  }

  /** Moves to the first element of the next block, the last dimension fastest. */
  private void next(int[] first) {
    for (int i = first.length - 1; i >= 0; i--) {
      first[i] += block[i];
      if (first[i] < shape[i]) {
        return;
      }
      first[i] = 0;
    }
  }

  private record Place(byte[] array, long from, int typeBytes) {}

  /** Copies the rows of a block that lie in the array, from dimension {@code dimension} on. */
  private void place(byte[] rows, int at, int dimension, int[] first, Place to) {
    int inside = Math.min(block[dimension], shape[dimension] - first[dimension]);
    if (dimension == shape.length - 1) {
      int index = (int) (to.from + (long) first[dimension] * to.typeBytes);
      System.arraycopy(rows, at, to.array, index, inside * to.typeBytes);
      return;
    }
    long stride = to.typeBytes;
    int rowBytes = to.typeBytes;
    for (int i = dimension + 1; i < shape.length; i++) {
      stride *= shape[i];
      rowBytes *= block[i];
    }
    for (int i = 0; i < inside; i++) {
      long from = to.from + stride * (first[dimension] + i);
      place(rows, at + i * rowBytes, dimension + 1, first, new Place(to.array, from, to.typeBytes));
    }
  }

  private static long product(int[] extents, int size) throws MalformedDataException {
    try {
      long product = size;
      for (int extent : extents) {
        product = Math.multiplyExact(product, extent);
      }
      return product;
    } catch (ArithmeticException overflow) {
      throw new MalformedDataException("b2nd: actual=too large, expected=below 2 GiB", overflow);
    }
  }
}
