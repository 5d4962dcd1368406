package org.hyperslab.plugins.nativevol.transfer;

import org.hyperslab.format.space.RunPairs;

/**
 * The common part of reading and writing runs: the current group of run pairs, in bytes, and the
 * progress of the transfer within it.
 *
 * <p>File access is <i>sieved</i>: runs with small holes between them are moved through a window
 * that is read, and written, in one request, holes included (Thakur, Gropp, Lusk: Data Sieving and
 * Collective I/O in ROMIO, 1999). The window grows while runs follow each other closely. After a
 * longer hole it is as long as the stretch of such runs before it, and no longer than the run if
 * there was none.
 */
abstract class RunTransfer {

  /** The size of the largest window in bytes. */
  static final int WINDOW_BYTES = 1 << 20;

  /** The least size in bytes of a run that is moved without a window if it needs no conversion. */
  static final int DIRECT_BYTES = 64 << 10;

  /** The size in bytes of the largest hole that is moved together with the runs around it. */
  static final int HOLE_BYTES = 16 << 10;

  private static final int FIRST_READ_AHEAD = 4 << 10;

  final RunPairs pairs;
  final int fileSize;
  final int memorySize;

  /** The end, exclusive, of the file offsets that this transfer may touch. */
  final long limit;

  // The current group, in bytes; runElements counts elements.
  long fileAt;
  long memoryAt;
  long runElements;
  long runBytes;
  long fileStride;
  long memoryStride;
  long repeats;

  private long readAhead;

  // A stretch is a part of the file in which runs follow each other closely.
  private long stretchStart = -1;
  private long lastStretch;

  RunTransfer(RunPairs pairs, int fileSize, int memorySize, long limit) {
    this.pairs = pairs;
    this.fileSize = fileSize;
    this.memorySize = memorySize;
    this.limit = limit;
  }

  /**
   * Advances to the next group; a group is a single run if its runs are contiguous on both sides.
   */
  final boolean nextGroup() {
    long previousAt = fileAt;
    if (!pairs.nextGroup()) {
      return false;
    }
    fileAt = pairs.fileOffset() * fileSize;
    memoryAt = pairs.memoryOffset() * memorySize;
    runElements = pairs.length();
    fileStride = pairs.fileStride() * fileSize;
    memoryStride = pairs.memoryStride() * memorySize;
    repeats = pairs.repeats();
    if (repeats > 1 && pairs.fileStride() == runElements && pairs.memoryStride() == runElements) {
      runElements *= repeats;
      repeats = 1;
    }
    runBytes = runElements * fileSize;
    noteStretch(previousAt);
    return true;
  }

  /** Notes where stretches begin and how long the last one was: the next is often as long. */
  private void noteStretch(long previousAt) {
    long hole = fileAt - previousAt;
    if (stretchStart < 0 || hole < 0 || hole > HOLE_BYTES) {
      lastStretch = stretchStart < 0 ? 0 : Math.max(0, previousAt - stretchStart);
      stretchStart = fileAt;
    }
  }

  /** Skips whole runs of the group. */
  final void passRuns(long count) {
    fileAt += count * fileStride;
    memoryAt += count * memoryStride;
    repeats -= count;
  }

  /** Skips the first elements of the group's last run. */
  final void passElements(long count) {
    fileAt += count * fileSize;
    memoryAt += count * memorySize;
    runElements -= count;
    runBytes = runElements * fileSize;
  }

  /**
   * Returns whether the runs of the group are close enough to each other to be moved together with
   * their holes.
   */
  final boolean isDense() {
    return repeats > 1 && fileStride >= runBytes && fileStride - runBytes <= HOLE_BYTES;
  }

  /**
   * Returns the number of bytes that a window at the current position should hold.
   *
   * @param previousEnd the end of the previous window
   */
  final long windowBytes(long previousEnd) {
    long needed = runBytes;
    if (isDense()) {
      needed = (repeats - 1) * fileStride + runBytes;
    }
    long hole = fileAt - previousEnd;
    readAhead =
        hole >= 0 && hole <= HOLE_BYTES
            ? Math.min(WINDOW_BYTES, Math.max(FIRST_READ_AHEAD, 2 * readAhead))
            : fileAt == stretchStart ? Math.min(WINDOW_BYTES, lastStretch) : 0;
    long wanted = Math.max(Math.min(needed, WINDOW_BYTES), Math.min(readAhead, limit - fileAt));
    // A window holds whole elements only, and at least one, however large it is.
    return Math.max(fileSize, wanted / fileSize * fileSize);
  }

  /** Returns the number of whole runs of the group that end at or before {@code end}. */
  final long wholeRunsBefore(long end) {
    long room = end - fileAt - runBytes;
    if (room < 0) {
      return 0;
    }
    if (repeats == 1 || fileStride <= 0) {
      return 1;
    }
    return Math.min(repeats, room / fileStride + 1);
  }
}
