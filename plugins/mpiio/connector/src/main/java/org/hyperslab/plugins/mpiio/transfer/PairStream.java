package org.hyperslab.plugins.mpiio.transfer;

import java.util.Iterator;
import org.hyperslab.format.space.RunPairs;

/**
 * Walks the pairs of all pieces of a transfer in the order of the file, in groups of equal pairs at
 * equal distances, limited by the room for elements. Offsets and strides are in bytes; file offsets
 * count from the start of the file.
 *
 * <p>Thread rule: confined to one thread.
 */
final class PairStream {

  private final Iterator<TransferPieces.Piece> pieces;
  private final int fileSize;
  private final int memorySize;
  private RunPairs pairs;
  private long base;

  // The rest of the current group; `done` elements of its first pair were returned.
  private long leftFileAt;
  private long leftMemoryAt;
  private long leftElements;
  private long leftRepeats;
  private long done;

  // The values that the caller sees.
  private long fileAt;
  private long memoryAt;
  private long elements;
  private long fileStride;
  private long memoryStride;
  private long repeats;

  PairStream(Iterator<TransferPieces.Piece> pieces, int fileSize, int memorySize) {
    this.pieces = pieces;
    this.fileSize = fileSize;
    this.memorySize = memorySize;
  }

  /** Returns whether there are more pairs. */
  boolean hasMore() {
    return leftRepeats > 0 || load();
  }

  /**
   * Moves to the next pairs; returns false at the end.
   *
   * @param room the greatest number of elements, at least 1
   */
  boolean next(long room) {
    if (!hasMore()) {
      return false;
    }
    fileAt = leftFileAt + done * fileSize;
    memoryAt = leftMemoryAt + done * memorySize;
    if (done > 0 || leftElements > room) {
      elements = Math.min(leftElements - done, room);
      repeats = 1;
      done += elements;
      if (done == leftElements) {
        done = 0;
        pass(1);
      }
    } else {
      elements = leftElements;
      repeats = Math.min(leftRepeats, room / leftElements);
      pass(repeats);
    }
    return true;
  }

  private void pass(long count) {
    leftFileAt += count * fileStride;
    leftMemoryAt += count * memoryStride;
    leftRepeats -= count;
  }

  private boolean load() {
    while (pairs == null || !pairs.nextGroup()) {
      if (!pieces.hasNext()) {
        return false;
      }
      TransferPieces.Piece piece = pieces.next();
      base = piece.offset();
      pairs = piece.pairs().get();
    }
    leftFileAt = base + pairs.fileOffset() * fileSize;
    leftMemoryAt = pairs.memoryOffset() * memorySize;
    leftElements = pairs.length();
    fileStride = pairs.fileStride() * fileSize;
    memoryStride = pairs.memoryStride() * memorySize;
    leftRepeats = pairs.repeats();
    return true;
  }

  /** Returns the file offset of the first pair. */
  long fileAt() {
    return fileAt;
  }

  /** Returns the memory offset of the first pair. */
  long memoryAt() {
    return memoryAt;
  }

  /** Returns the elements of each pair. */
  long elements() {
    return elements;
  }

  /** Returns the distance from one pair to the next in the file. */
  long fileStride() {
    return fileStride;
  }

  /** Returns the distance from one pair to the next in memory. */
  long memoryStride() {
    return memoryStride;
  }

  /** Returns the number of pairs. */
  long repeats() {
    return repeats;
  }
}
