package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.AllSelection;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.SharedMemory;

/**
 * The elements that move between a dataset and memory, checked: both selections lie in their
 * extents and select the same number of elements, and the memory is large enough. A selection of
 * all means every element of its extent.
 *
 * @param fileSelection the elements of the dataset
 * @param fileExtent the dataset's extent in elements; empty for a scalar
 * @param memorySelection the elements in memory
 * @param memoryExtent the memory's extent in elements
 * @param memory the memory, with elements in row-major order
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
              + " as in the file selection; select the same number on both sides");
    }
    fileSelection.requireWithin(fileExtent);
    memorySelection.requireWithin(memoryExtent);
  }

  /**
   * {@return whether every element of both extents is moved, so that element n in memory is element
   * n of the dataset}
   */
  public boolean isWhole() {
    return fileSelection instanceof AllSelection && memorySelection instanceof AllSelection;
  }

  /** {@return the number of elements to move} */
  public long elements() {
    return fileSelection.elementCount(fileExtent);
  }

  /**
   * Requires that the memory is large enough for its extent.
   *
   * @param elementSize the size of an element in memory, in bytes
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

  /**
   * Returns whether several threads may move the elements: each needs a fork of the mover and
   * access to the memory, which a confined arena gives to its owner alone.
   */
  boolean mayBeShared(ElementMover mover) {
    return mover.parallel() && SharedMemory.isShared(memory);
  }

  /** Returns the runs of a chunk's part of the transfer, paired with those of memory. */
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
