package org.hyperslab.convert.bytes;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.CorruptFileException;

/**
 * A sequence of bytes that can be read at any position: a file or a part of one.
 *
 * <p>Thread rule: any thread.
 */
public interface InputBytes {

  /**
   * Returns the name of the input, for messages.
   *
   * @return a path
   */
  String name();

  /**
   * Returns the number of bytes.
   *
   * @return the length in bytes
   */
  long size();

  /**
   * Reads bytes from a position, as many as the target has.
   *
   * @param position of the first
   * @param target filled to its end
   * @throws CorruptFileException if the bytes end before
   * @throws org.hyperslab.error.StorageException if the file cannot be read
   */
  void read(long position, MemorySegment target);

  /**
   * Reads a small number of bytes into a new array.
   *
   * @param position of the first
   * @param count how many; checked against the length before memory is allocated
   * @return the bytes
   * @throws CorruptFileException if the bytes end before
   */
  default byte[] read(long position, int count) {
    requireWithin(position, count);
    byte[] bytes = new byte[count];
    read(position, MemorySegment.ofArray(bytes));
    return bytes;
  }

  /**
   * Checks that a range of bytes exists.
   *
   * @param position of the first
   * @param count how many
   * @throws CorruptFileException if the bytes end before
   */
  default void requireWithin(long position, long count) {
    if (position < 0 || count < 0 || position > size() || count > size() - position) {
      throw new CorruptFileException(
          name(),
          "length",
          position,
          "actual=" + size() + " bytes in all, expected=" + count + " bytes from " + position);
    }
  }

  /**
   * Returns a part of this sequence.
   *
   * @param from the position of its first byte
   * @param length its length in bytes
   * @param partName its name, for messages
   * @return the part
   * @throws CorruptFileException if the bytes end before
   */
  default InputBytes slice(long from, long length, String partName) {
    requireWithin(from, length);
    InputBytes whole = this;
    return new InputBytes() {
      @Override
      public String name() {
        return partName;
      }

      @Override
      public long size() {
        return length;
      }

      @Override
      public void read(long position, MemorySegment target) {
        requireWithin(position, target.byteSize());
        whole.read(from + position, target);
      }
    };
  }
}
