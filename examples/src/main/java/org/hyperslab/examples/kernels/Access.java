package org.hyperslab.examples.kernels;

import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.file.FileView;

/**
 * One access of one rank.
 *
 * @param view the rank's view of the file
 * @param offset the offset of the access in the view, in etypes
 * @param memory the rank's memory
 * @param pieces the bytes of the file that the memory holds, computed without the view
 */
public record Access(FileView view, long offset, Memory memory, Pieces pieces) {

  /**
   * The memory of an access.
   *
   * @param bytes its length
   * @param count the number of elements to move
   * @param type their type; bytes in its gaps are not accessed
   */
  public record Memory(long bytes, long count, DerivedType type) {

    /**
     * Describes memory without gaps.
     *
     * @param bytes its size
     * @return the memory
     */
    public static Memory dense(long bytes) {
      return new Memory(bytes, bytes, DerivedType.BYTE);
    }
  }

  /** A mapping of bytes of the file to memory. */
  @FunctionalInterface
  public interface Pieces {

    /**
     * Visits all runs of bytes that are contiguous in both file and memory.
     *
     * @param piece is called for each run
     */
    void forEach(Piece piece);
  }

  /** Receives runs of bytes. */
  @FunctionalInterface
  public interface Piece {

    /**
     * Receives a run of bytes.
     *
     * @param fileByte its offset in the file
     * @param memoryByte its offset in memory
     * @param length its number of bytes
     */
    void at(long fileByte, long memoryByte, long length);
  }
}
