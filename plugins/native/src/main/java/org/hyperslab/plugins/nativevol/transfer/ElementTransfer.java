package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.space.Selection;

/**
 * Which elements move between a dataset and memory, checked: both selections lie in their extents
 * and select equally many, and the memory is large enough. A selection of all in the file takes the
 * shape of what memory selects and the other way round, as extents say.
 *
 * @param fileSelection the elements of the dataset
 * @param fileExtent the dataset's extent in elements; empty for a scalar
 * @param memorySelection the elements of the memory
 * @param memoryExtent the memory's extent in elements
 * @param memory the memory's bytes, elements in row-major order
 */
public record ElementTransfer(
    Selection fileSelection,
    long[] fileExtent,
    Selection memorySelection,
    long[] memoryExtent,
    MemorySegment memory) {

  /** Checks selections and sizes; see {@link #elements}. */
  public ElementTransfer {
    long inFile = fileSelection.elementCount(fileExtent);
    long inMemory = memorySelection.elementCount(memoryExtent);
    if (inFile != inMemory) {
      throw new InvalidUseException(
          "selected elements: actual="
              + inMemory
              + " in memory, expected="
              + inFile
              + " as in the file selection; select equally many on both sides");
    }
    fileSelection.requireWithin(fileExtent);
    memorySelection.requireWithin(memoryExtent);
  }

  /** {@return how many elements move} */
  public long elements() {
    return fileSelection.elementCount(fileExtent);
  }

  /**
   * Checks that the memory holds its extent.
   *
   * @param elementSize bytes of an element in memory
   */
  public void requireMemory(int elementSize) {
    long needed = elementSize;
    for (long dim : memoryExtent) {
      needed = Math.multiplyExact(needed, dim);
    }
    if (memory.byteSize() < needed) {
      throw new InvalidUseException(
          "memory: actual="
              + memory.byteSize()
              + " bytes, expected=at least "
              + needed
              + " for its extent of elements of "
              + elementSize
              + " bytes");
    }
  }

  /** Returns the runs of a chunk's part of the transfer, beside those of memory. */
  RunPairs pairs(ChunkPiece piece) {
    return piece.pairs(memorySelection, memoryExtent);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
