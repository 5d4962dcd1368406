package org.hyperslab.format.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * Checks arguments and creates error texts for all stores.
 *
 * <p>Thread rule: no state.
 */
public final class Ranges {

  private Ranges() {}

  /**
   * Requires that {@code offset .. offset + length} lies in {@code 0 .. size}.
   *
   * @param store the name of the store
   * @param offset the first byte
   * @param length the number of bytes
   * @param size the size of the store in bytes
   * @throws StorageException if the range begins before the store or ends behind it
   */
  public static void checkRead(String store, long offset, long length, long size) {
    if (offset < 0 || length > size || offset > size - length) {
      throw new StorageException(
          "read past the end: actual="
              + offset
              + "+"
              + length
              + " bytes, expected=at most "
              + size
              + ", at="
              + store
              + "; the file may be truncated");
    }
  }

  /** Requires that the end of a write is not negative and fits in a long. */
  static void checkWrite(String store, long offset, long length) {
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      throw new StorageException(
          "write outside the address range: actual="
              + offset
              + "+"
              + length
              + " bytes, expected=0 to "
              + Long.MAX_VALUE
              + ", at="
              + store);
    }
  }

  /** Requires that a new length is not negative. */
  static void checkSize(String store, long sizeBytes) {
    if (sizeBytes < 0) {
      throw new StorageException(
          "negative length: actual=" + sizeBytes + ", expected=0 or more, at=" + store);
    }
  }

  /** Requires that a range to be reserved has no negative number and an end that fits in a long. */
  static void checkReserve(String store, long offset, long length) {
    checkSize(store, length);
    checkWrite(store, offset, length);
  }

  /** Requires one segment for each offset. */
  static void checkList(long[] offsets, MemorySegment[] segments) {
    if (offsets.length != segments.length) {
      throw new InvalidUseException(
          "list request: actual="
              + segments.length
              + " segments, expected="
              + offsets.length
              + ", the number of offsets");
    }
  }

  /**
   * Returns the index after the last segment that is adjacent, in the store, to the segments from
   * {@code first} on.
   */
  static int endOfAdjacent(long[] offsets, MemorySegment[] segments, int first) {
    int end = first + 1;
    while (end < segments.length
        && offsets[end] - segments[end - 1].byteSize() == offsets[end - 1]) {
      end++;
    }
    return end;
  }

  /** Returns the sum of the lengths of {@code segments}. */
  static long totalBytes(MemorySegment[] segments) {
    long total = 0;
    for (MemorySegment segment : segments) {
      total = Math.addExact(total, segment.byteSize());
    }
    return total;
  }

  static StorageException readOnly(String store, String operation) {
    return new StorageException(
        operation
            + " refused: actual=store opened for reading only, expected=opened for writing, at="
            + store);
  }

  /**
   * Creates the error of a request to a store that was closed.
   *
   * @param store the name of the store
   * @param operation what was requested
   * @return the error
   */
  public static StorageException closed(String store, String operation) {
    return new StorageException(
        operation + " refused: actual=closed store, expected=open, at=" + store);
  }

  /**
   * Creates the error of a transfer that failed.
   *
   * @param store the name of the store
   * @param operation what was requested
   * @param offset where the transfer began, in bytes
   * @param length its length in bytes
   * @param cause why it failed
   * @return the error
   */
  public static StorageException failed(
      String store, String operation, long offset, long length, Throwable cause) {
    return new StorageException(
        operation
            + " failed: actual="
            + cause
            + ", expected="
            + length
            + " bytes transferred, at="
            + store
            + "@"
            + offset,
        cause);
  }

  /** Returns the error for a file that is absent, or whose folder is. */
  static NotFoundException notFound(Path path, FileAccess access, IOException absent) {
    Path folder = path.toAbsolutePath().getParent();
    if (access.creates() && folder != null && !Files.isDirectory(folder)) {
      return new NotFoundException(
          "folder of the file to create: actual=no such folder "
              + folder
              + ", expected=existing folder, at="
              + path
              + "; create the folder first",
          absent);
    }
    return new NotFoundException(
        "file not found: actual=no such file, expected=an existing file, at=" + path, absent);
  }
}
