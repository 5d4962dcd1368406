package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.store.ByteStore;

/**
 * The bytes around small pieces of raw data that are read one after the other, so that most need no
 * call of the system. They are read when a piece lies near the one before it. Only for files that
 * nobody changes while they are open.
 *
 * <p>Thread rule: any thread; a window is immutable, and the last one made is kept.
 */
final class RawWindow {

  /** The most bytes of a piece. */
  private static final int PIECE_BYTES = 16 << 10;

  private static final int WINDOW_BYTES = 64 << 10;

  /** Bytes of the store from an offset on. */
  private record Window(long offset, MemorySegment bytes) {
    boolean holds(long at, long length) {
      return at >= offset && at + length <= offset + bytes.byteSize();
    }
  }

  private final ByteStore store;
  private volatile Window window;
  private volatile long last = -1;

  /** Creates a window over a store. */
  RawWindow(ByteStore store) {
    this.store = store;
  }

  /**
   * Reads a piece of the bytes before {@code end}, if it is small and near the last one.
   *
   * @return whether it was read
   */
  boolean read(long offset, MemorySegment target, long end) {
    long length = target.byteSize();
    if (length > PIECE_BYTES) {
      return false;
    }
    Window now = window;
    if (now == null || !now.holds(offset, length)) {
      long before = last;
      last = offset;
      if (before < 0 || Math.abs(offset - before) > WINDOW_BYTES) {
        return false;
      }
      now = load(offset, end);
    }
    MemorySegment.copy(now.bytes, offset - now.offset, target, 0, length);
    return true;
  }

  private Window load(long offset, long end) {
    byte[] bytes = new byte[(int) Math.min(WINDOW_BYTES, end - offset)];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    store.read(offset, segment);
    Window made = new Window(offset, segment);
    window = made;
    return made;
  }

  /** Drops what was read, because the file may have changed since. */
  void forget() {
    window = null;
  }
}
