package org.hyperslab.format.space;

import org.hyperslab.error.InvalidUseException;

/**
 * Iterates over two selections of equal size in parallel: {@link #length()} elements at {@link
 * #fileOffset()} in one space correspond to those at {@link #memoryOffset()} in the other.
 *
 * <p>{@link #nextGroup()} moves by groups of {@link #repeats()} such pairs, each {@link
 * #fileStride()} and {@link #memoryStride()} elements after the previous one, for copy loops.
 * {@link #next()} moves by single pairs. Use only one of the two.
 *
 * <p>Thread rule: confined to one thread. Moving allocates nothing.
 */
public final class RunPairs {

  private final OrdinalRuns file;
  private final RunCursor memory;

  // The file's current group. `fileDone` elements of its first run are already paired.
  private long fileAt;
  private long fileLength;
  private long fileStep;
  private long fileRepeats;
  private long fileOrdinal;
  private long fileOrdinalStep;
  private long fileDone;

  // The memory's current group, likewise.
  private long memoryAt;
  private long memoryLength;
  private long memoryStep;
  private long memoryRepeats;
  private long memoryOrdinal;
  private long memoryDone;

  // The values that the caller sees.
  private long fileOffset;
  private long memoryOffset;
  private long length;
  private long fileStride;
  private long memoryStride;
  private long repeats;
  private long left;

  RunPairs(OrdinalRuns file, RunCursor memory) {
    this.file = file;
    this.memory = memory;
  }

  /**
   * Pairs the elements of two selections in the order of transfer.
   *
   * @param file the elements in the file
   * @param fileExtent the shape of the dataspace in the file
   * @param memory the elements in memory
   * @param memoryExtent the shape of the dataspace in memory
   * @return the pairs
   * @throws InvalidUseException if a selection is not within its extent, or the numbers of selected
   *     elements differ
   */
  public static RunPairs of(
      Selection file, long[] fileExtent, Selection memory, long[] memoryExtent) {
    long inFile = file.elementCount(fileExtent);
    long inMemory = memory.elementCount(memoryExtent);
    if (inFile != inMemory) {
      throw new InvalidUseException(
          "elements selected in memory: actual="
              + inMemory
              + ", expected="
              + inFile
              + " as in the file selection");
    }
    return new RunPairs(file.runs(fileExtent), memory.runs(memoryExtent));
  }

  /**
   * Pairs {@code count} elements from position {@code first} in the order of transfer on, so that
   * several threads can share a transfer.
   *
   * @param file the elements in the file
   * @param fileExtent the shape of the dataspace in the file
   * @param memory the elements in memory
   * @param memoryExtent the shape of the dataspace in memory
   * @param first the position of the first element
   * @param count the number of elements
   * @return the pairs
   */
  public static RunPairs of(
      Selection file,
      long[] fileExtent,
      Selection memory,
      long[] memoryExtent,
      long first,
      long count) {
    return new RunPairs(
        file.runs(fileExtent, first, count), memory.runs(memoryExtent, first, count));
  }

  /**
   * Moves to the next pair of runs; returns false at the end.
   *
   * @return whether there is a next pair
   */
  public boolean next() {
    if (left > 0) {
      left--;
      fileOffset += fileStride;
      memoryOffset += memoryStride;
      return true;
    }
    if (!nextGroup()) {
      return false;
    }
    left = repeats - 1;
    return true;
  }

  /**
   * Moves to the next group of pairs; returns false at the end.
   *
   * @return whether there is a next group
   */
  public boolean nextGroup() {
    if (fileRepeats == 0 && !loadFile()) {
      return false;
    }
    long ordinal = fileOrdinal + fileDone;
    if (memoryRepeats == 0 || memoryOrdinal + memoryDone != ordinal) {
      loadMemory(ordinal);
    }
    fileOffset = fileAt + fileDone;
    memoryOffset = memoryAt + memoryDone;
    long inFile = fileLength - fileDone;
    long inMemory = memoryLength - memoryDone;
    if (inFile <= inMemory) {
      pairWholeFileRuns(inFile, inMemory);
    } else {
      pairWholeMemoryRuns(inFile, inMemory);
    }
    return true;
  }

  private boolean loadFile() {
    if (!file.nextGroup()) {
      return false;
    }
    fileAt = file.offset();
    fileLength = file.length();
    fileStep = file.stride();
    fileRepeats = file.repeats();
    fileOrdinal = file.ordinal();
    fileOrdinalStep = file.ordinalStride();
    fileDone = 0;
    return true;
  }

  private void loadMemory(long ordinal) {
    if (memoryRepeats > 0 && moveWithinMemoryGroup(ordinal)) {
      return;
    }
    long inside = 0;
    if (!memory.nextGroup() || memory.ordinal() != ordinal) {
      inside = memory.seekRun(ordinal);
      if (!memory.nextGroup()) {
        throw new InvalidUseException(
            "elements selected in memory: actual=fewer than "
                + (ordinal + 1)
                + ", expected=as many as in the file selection");
      }
    }
    memoryAt = memory.offset();
    memoryLength = memory.length();
    memoryStep = memory.stride();
    memoryRepeats = memory.repeats();
    memoryOrdinal = memory.ordinal();
    memoryDone = inside;
  }

  private boolean moveWithinMemoryGroup(long ordinal) {
    long ahead = ordinal - memoryOrdinal;
    if (ahead < 0 || ahead >= memoryLength * memoryRepeats) {
      return false;
    }
    long runs = ahead / memoryLength;
    skipMemory(runs);
    memoryDone = ahead - runs * memoryLength;
    return true;
  }

  private void skipMemory(long runs) {
    memoryAt += runs * memoryStep;
    memoryOrdinal += runs * memoryLength;
    memoryRepeats -= runs;
    memoryDone = 0;
  }

  private void skipFile(long runs) {
    fileAt += runs * fileStep;
    fileOrdinal += runs * fileOrdinalStep;
    fileRepeats -= runs;
    fileDone = 0;
  }

  /**
   * Pairs whole file runs: the rest of the file's run fits in the memory's run, and possibly
   * further runs do.
   */
  private void pairWholeFileRuns(long inFile, long inMemory) {
    length = inFile;
    fileStride = fileStep;
    memoryStride = fileOrdinalStep;
    repeats = 1;
    if (fileDone == 0 && fileRepeats > 1) {
      long inSameRun = (inMemory - inFile) / fileOrdinalStep + 1;
      if (inSameRun > 1) {
        repeats = Math.min(fileRepeats, inSameRun);
      } else if (fileOrdinalStep == memoryLength) {
        repeats = Math.min(fileRepeats, memoryRepeats);
        memoryStride = memoryStep;
        skipFile(repeats);
        passMemoryRuns();
        return;
      }
    }
    memoryDone += (repeats - 1) * memoryStride + inFile;
    skipFile(repeats);
    if (memoryDone == memoryLength) {
      skipMemory(1);
    }
  }

  /** Skips the memory runs of pairs that each lie in one run. */
  private void passMemoryRuns() {
    long done = memoryDone + length;
    skipMemory(repeats - 1);
    memoryDone = done;
    if (done == memoryLength) {
      skipMemory(1);
    }
  }

  /**
   * Pairs whole memory runs: the rest of the memory's run is shorter than the file's, and possibly
   * further runs are.
   */
  private void pairWholeMemoryRuns(long inFile, long inMemory) {
    length = inMemory;
    repeats = memoryDone == 0 ? Math.min(memoryRepeats, inFile / inMemory) : 1;
    fileStride = inMemory;
    memoryStride = memoryStep;
    fileDone += repeats * inMemory;
    if (fileDone == fileLength) {
      skipFile(1);
    }
    skipMemory(repeats);
  }

  /**
   * {@return the element offset in the file's space, or in the chunk, of the pair or of the group's
   * first pair}
   */
  public long fileOffset() {
    return fileOffset;
  }

  /**
   * {@return the element offset in the memory's space of the pair, or of the group's first pair}
   */
  public long memoryOffset() {
    return memoryOffset;
  }

  /** {@return the number of elements in each pair} */
  public long length() {
    return length;
  }

  /**
   * {@return the distance in elements from one pair of the group to the next in the file's space}
   */
  public long fileStride() {
    return fileStride;
  }

  /**
   * {@return the distance in elements from one pair of the group to the next in the memory's space}
   */
  public long memoryStride() {
    return memoryStride;
  }

  /** {@return the number of pairs of the group} */
  public long repeats() {
    return repeats;
  }
}
