package org.hyperslab.plugins.forwarding.server;

import org.hyperslab.vol.Uninterrupted;

/**
 * What sessions have been granted of a server's memory, in bytes. A session's share comes back when
 * the session has ended, however it ended: a share that stayed away would make the server's closing
 * wait for ever.
 *
 * <p>Invariant: {@code 0 <= granted}. Thread rule: any thread.
 */
final class Grants {

  private final long memoryBytes;

  /** Guarded by this where it changes. */
  private volatile long granted;

  /** Nothing granted of so many bytes. */
  Grants(long memoryBytes) {
    this.memoryBytes = memoryBytes;
  }

  /** What is granted, in bytes. */
  long granted() {
    return granted;
  }

  /** What is left to grant, in bytes. */
  long left() {
    return memoryBytes - granted;
  }

  /**
   * The window that a new session gets, in bytes; twice as much is to be granted for it. A quarter
   * of the memory is for least windows. Of the rest a session gets what it wishes up to half of
   * what is left, so that the more there are the less is the next one's.
   *
   * @return less than {@link ServerOptions#LEAST_WINDOW_BYTES} if there is no room
   */
  synchronized long window(long wished) {
    long least = ServerOptions.LEAST_WINDOW_BYTES;
    long rest = (left() - memoryBytes / 4) / 2;
    long shared = granted == 0 ? rest : rest / 2;
    long window = Math.max(least, Math.min(wished, shared));
    return 2 * window <= left() ? window : 0;
  }

  /** Grants so many bytes; its user sees that they are left. */
  synchronized void grant(long bytes) {
    granted += bytes;
  }

  private synchronized void giveBack(long bytes) {
    granted -= bytes;
    notifyAll();
  }

  /**
   * Has something run in a thread of its own, for it may block, and takes so many bytes back when
   * it has ended; at once if there is no thread to be had.
   *
   * @throws OutOfMemoryError if the system has no more threads; what was to run has not run
   */
  void giveBackAfter(Runnable ending, long bytes) {
    boolean started = false;
    try {
      Thread.ofPlatform()
          .daemon()
          .name("hyperslab-stage-end")
          .start(() -> {
            try {
              ending.run();
            } finally {
              giveBack(bytes);
            }
          });
      started = true;
    } finally {
      if (!started) {
        giveBack(bytes);
      }
    }
  }

  /** Waits until all has come back. */
  synchronized void awaitNone() {
    Uninterrupted.await(this, () -> granted > 0);
  }
}
