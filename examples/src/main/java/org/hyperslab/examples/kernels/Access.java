package org.hyperslab.examples.kernels;

import org.hyperslab.mpiio.file.DerivedType;
import org.hyperslab.mpiio.file.FileView;

/**
 * One access of one rank.
 *
 * @param view what the rank sees of the file
 * @param offset where the access begins in the view, in its etypes
 * @param memory what the rank's memory is
 * @param pieces which bytes of the file the memory holds, told without the view
 */
public record Access(FileView view, long offset, Memory memory, Pieces pieces) {

  /**
   * The memory of an access.
   *
   * @param bytes its length
   * @param count elements that are moved
   * @param type their type; what lies in its gaps is left alone
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

  /** A walk over bytes of the file and where they are in memory. */
  @FunctionalInterface
  public interface Pieces {

    /**
     * Visits all runs of bytes that are contiguous in both file and memory.
     *
     * @param piece is called for each run
     */
    void forEach(Piece piece);
  }

  /** Hears of a run of bytes. */
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
