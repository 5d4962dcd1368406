package org.hyperslab.convert.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.hyperslab.format.space.Dataspace;

/**
 * Performs arithmetic on boxes, given as arrays with one number for each dimension, slowest first.
 *
 * <p>Thread rule: stateless.
 */
public final class Boxes {

  private Boxes() {}

  /**
   * A box of an array.
   *
   * @param start the first index in each dimension
   * @param count how many indices in each dimension
   */
  public record Box(long[] start, long[] count) {

    /**
     * Counts the elements.
     *
     * @return the product of the counts
     */
    public long elements() {
      return Dataspace.product(count);
    }
  }

  /**
   * The intersection of a chunk and a box of the same array.
   *
   * @param inChunk the first index in the chunk, in each dimension
   * @param inBox the first index in the box, in each dimension
   * @param count how many indices in each dimension
   */
  public record Common(long[] inChunk, long[] inBox, long[] count) {

    /**
     * Intersects a chunk with a box.
     *
     * @param chunk the shape of a chunk
     * @param number the number of the chunk in each dimension
     * @param box the box, which must intersect the chunk
     * @return the intersection
     */
    public static Common of(long[] chunk, long[] number, Box box) {
      int rank = chunk.length;
      Common common = new Common(new long[rank], new long[rank], new long[rank]);
      for (int d = 0; d < rank; d++) {
        long first = number[d] * chunk[d];
        long low = Math.max(box.start[d], first);
        common.inChunk[d] = low - first;
        common.inBox[d] = low - box.start[d];
        common.count[d] = Math.min(box.start[d] + box.count[d], first + chunk[d]) - low;
      }
      return common;
    }
  }

  /** Receives runs of elements that are contiguous both in an array and in a box of it. */
  @FunctionalInterface
  public interface RunVisitor {

    /**
     * Receives one run.
     *
     * @param inArray the index of its first element in the array, in row-major order
     * @param inBox the index of its first element in the box, in row-major order
     * @param length how many elements
     */
    void run(long inArray, long inBox, long length);
  }

  /**
   * Chooses the shape of blocks that are contiguous in row-major order.
   *
   * @param dims the array's shape
   * @param most how many elements a block may have
   * @return the shape of a block, at least 1 in each dimension
   */
  public static long[] rows(long[] dims, long most) {
    long[] block = new long[dims.length];
    long left = Math.max(1, most);
    for (int d = dims.length - 1; d >= 0; d--) {
      block[d] = Math.max(1, Math.min(dims[d], left));
      left = block[d] < dims[d] ? 1 : Math.max(1, left / block[d]);
    }
    return block;
  }

  /**
   * Chooses the shape of blocks that consist of whole units, such as chunks.
   *
   * @param dims the array's shape
   * @param unit the shape of a unit
   * @param most how many elements a block may have
   * @return the shape of a block: several units, or part of one if a unit has more elements
   */
  public static long[] ofUnits(long[] dims, long[] unit, long most) {
    long[] block = new long[dims.length];
    long size = 1;
    for (int d = 0; d < dims.length; d++) {
      block[d] = Math.max(1, Math.min(dims[d], unit[d]));
      size = Math.multiplyExact(size, block[d]);
    }
    if (size > most) {
      return rows(block, most);
    }
    for (int d = dims.length - 1; d >= 0; d--) {
      long factor = Math.max(1, most / size);
      long wanted = block[d] > Long.MAX_VALUE / factor ? Long.MAX_VALUE : block[d] * factor;
      size /= block[d];
      block[d] = Math.max(1, Math.min(dims[d], wanted));
      size *= block[d];
    }
    return block;
  }

  /**
   * Divides an array into blocks.
   *
   * @param dims the array's shape; empty for a scalar, which is one box
   * @param block the shape of a block
   * @return the boxes in row-major order, clipped at the upper edges; each call of {@code iterator}
   *     starts again
   */
  public static Iterable<Box> cut(long[] dims, long[] block) {
    return () -> new Cutting(dims.clone(), block.clone());
  }

  /**
   * Returns the blocks of an array that contain some boxes.
   *
   * @param dims the array's shape
   * @param block the shape of a block
   * @param boxes the boxes, none of which is empty
   * @return the blocks, clipped at the upper edges, in the order of the first box of each
   */
  public static List<Box> covering(long[] dims, long[] block, List<Box> boxes) {
    Set<List<Long>> seen = new HashSet<>();
    List<Box> blocks = new ArrayList<>();
    long[] ones = new long[dims.length];
    Arrays.fill(ones, 1);
    for (Box box : boxes) {
      long[] first = new long[dims.length];
      long[] many = new long[dims.length];
      for (int d = 0; d < dims.length; d++) {
        first[d] = box.start[d] / block[d];
        many[d] = (box.start[d] + box.count[d] - 1) / block[d] - first[d] + 1;
      }
      for (Box each : cut(many, ones)) {
        long[] start = new long[dims.length];
        long[] count = new long[dims.length];
        for (int d = 0; d < dims.length; d++) {
          start[d] = (first[d] + each.start[d]) * block[d];
          count[d] = Math.min(block[d], dims[d] - start[d]);
        }
        if (seen.add(Arrays.stream(start).boxed().toList())) {
          blocks.add(new Box(start, count));
        }
      }
    }
    return blocks;
  }

  /**
   * Visits the contiguous runs of a box.
   *
   * @param dims the array's shape
   * @param start the box's first index in each dimension
   * @param count the box's indices in each dimension
   * @param visitor called for each run, in row-major order
   */
  public static void runs(long[] dims, long[] start, long[] count, RunVisitor visitor) {
    if (Dataspace.product(count) == 0) {
      return;
    }
    int inner = dims.length; // dimensions from here on are contiguous together
    long length = 1;
    while (inner > 0) {
      inner--;
      length *= count[inner];
      if (count[inner] != dims[inner]) {
        break;
      }
    }
    long[] at = new long[inner];
    long inBox = 0;
    do {
      visitor.run(offset(dims, start, at), inBox, length);
      inBox += length;
    } while (advance(at, count, inner));
  }

  private static long offset(long[] dims, long[] start, long[] at) {
    long offset = 0;
    for (int d = 0; d < dims.length; d++) {
      offset = offset * dims[d] + start[d] + (d < at.length ? at[d] : 0);
    }
    return offset;
  }

  private static boolean advance(long[] at, long[] count, int rank) {
    for (int d = rank - 1; d >= 0; d--) {
      if (++at[d] < count[d]) {
        return true;
      }
      at[d] = 0;
    }
    return false;
  }

  /**
   * Reverses the order of dimensions.
   *
   * @param dims one number for each dimension
   * @return the numbers, last first
   */
  public static long[] reversed(long... dims) {
    long[] reversed = new long[dims.length];
    for (int d = 0; d < dims.length; d++) {
      reversed[d] = dims[dims.length - 1 - d];
    }
    return reversed;
  }

  private static final class Cutting implements Iterator<Box> {
    private final long[] dims;
    private final long[] block;
    private final long[] next;
    private boolean more;

    Cutting(long[] dims, long[] block) {
      this.dims = dims;
      this.block = block;
      this.next = new long[dims.length];
      this.more = Arrays.stream(dims).noneMatch(dim -> dim == 0);
    }

    @Override
    public boolean hasNext() {
      return more;
    }

    @Override
    public Box next() {
      if (!more) {
        throw new NoSuchElementException();
      }
      long[] count = new long[dims.length];
      for (int d = 0; d < dims.length; d++) {
        count[d] = Math.min(block[d], dims[d] - next[d]);
      }
      Box box = new Box(next.clone(), count);
      more = false;
      for (int d = dims.length - 1; d >= 0 && !more; d--) {
        next[d] += block[d];
        more = next[d] < dims[d];
        if (!more) {
          next[d] = 0;
        }
      }
      return box;
    }
  }
}
