package org.hyperslab.convert.table;

import java.lang.foreign.MemorySegment;
import org.hyperslab.convert.bytes.InputBytes;

/**
 * Reads the bytes of a table one after the other, starting at a position.
 *
 * <p>Thread rule: confined to one thread.
 */
final class TableBytes {

  /** The value of {@link #peek} at the end of the file. */
  static final int END = -1;

  private final InputBytes file;
  private final byte[] buffer;
  private long bufferStart;
  private int length;
  private int next;

  /**
   * Creates a reader.
   *
   * @param file the file
   * @param position the position of the first byte
   * @param bufferBytes the number of bytes read at once
   */
  TableBytes(InputBytes file, long position, int bufferBytes) {
    this.file = file;
    this.bufferStart = position;
    this.buffer = new byte[bufferBytes];
  }

  /** Returns the position of the next byte. */
  long position() {
    return bufferStart + next;
  }

  /** Returns the next byte, 0 to 255, without passing it; {@link #END} at the end. */
  int peek() {
    if (next == length && !fill()) {
      return END;
    }
    return buffer[next] & 0xFF;
  }

  private boolean fill() {
    bufferStart += length;
    next = 0;
    length = (int) Math.max(0, Math.min(buffer.length, file.size() - bufferStart));
    if (length == 0) {
      return false;
    }
    file.read(bufferStart, MemorySegment.ofArray(buffer).asSlice(0, length));
    return true;
  }

  /** Passes the next byte, which {@link #peek} has returned. */
  void pass() {
    next++;
  }
}
