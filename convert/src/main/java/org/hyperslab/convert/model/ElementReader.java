package org.hyperslab.convert.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.format.type.DataBuffer;

/**
 * Reads boxes of elements of a variable.
 *
 * <p>Thread rule: any thread.
 */
public interface ElementReader {

  /**
   * Reads a box of elements.
   *
   * @param start the first index in each dimension
   * @param count how many indices in each dimension, at least 1
   * @param target receives the elements in row-major order, in the memory form of the variable's
   *     type, from byte 0
   */
  void read(long[] start, long[] count, DataBuffer target);

  /**
   * Returns the shape of blocks that this reader can read most efficiently.
   *
   * @param dims the variable's shape
   * @param most how many elements a block may have
   * @return the shape of a block, at least 1 in each dimension
   */
  default long[] block(long[] dims, long most) {
    return Boxes.rows(dims, most);
  }

  /**
   * Returns the regions in which elements are stored, if elements elsewhere have the fill value.
   *
   * @return boxes that contain all stored elements; empty if all elements are stored
   */
  default Optional<List<Boxes.Box>> stored() {
    return Optional.empty();
  }

  /**
   * Returns the size of the stored elements as they are encoded.
   *
   * @return a size in bytes; empty if it is not known
   */
  default OptionalLong encodedBytes() {
    return OptionalLong.empty();
  }
}
