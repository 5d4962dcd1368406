package org.hyperslab.plugins.forwarding;

import org.hyperslab.vol.Uninterrupted;

/**
 * The memory of a server that has been granted to its sessions, in bytes. A session's share returns
 * when the session has ended, in whatever way; otherwise closing the server would wait for ever.
 *
 * <p>A session keeps its share as long as it lives: clients count on the window of their welcome,
 * and a window with requests in it cannot shrink. Instead, the rule for new sessions leaves room: a
 * quarter and more of the memory is kept for the smallest windows, and of the rest a session gets
 * at most half of what is left. A server with the default memory of 1 GiB admits 128 clients at a
 * time.
 *
 * <p>Invariant: {@code 0 <= granted}. Thread rule: any thread.
 */
final class Grants {

  private final long memoryBytes;

  /** Changed with the lock held. */
  private volatile long granted;

  /**
   * Creates grants with nothing granted.
   *
   * @param memoryBytes the memory that may be granted
   */
  Grants(long memoryBytes) {
    this.memoryBytes = memoryBytes;
  }

  /** {@return the memory for open files and objects of a session with a given window} */
  static long holdingsBytes(long window) {
    return window / 2;
  }

  /**
   * Computes what a session is granted.
   *
   * @param window the session's window
   * @return the window for requests, as much for replies, and memory for open files and objects
   */
  static long sessionBytes(long window) {
    return 2 * window + holdingsBytes(window);
  }

  /** {@return the memory that has been granted} */
  long granted() {
    return granted;
  }

  /** {@return the memory that can be granted} */
  long left() {
    return memoryBytes - granted;
  }

  /**
   * Computes the window of a new session. Three tenths of the memory are kept for the smallest
   * windows. Of the rest a session gets what it asks for, up to half of what is left.
   *
   * @param wished the window that the client asks for
   * @return the window; 0 if there is no room
   */
  synchronized long window(long wished) {
    long least = ServerOptions.LEAST_WINDOW_BYTES;
    long rest = (left() - memoryBytes / 10 * 3) / 5 * 2;
    long shared = granted == 0 ? rest : rest / 2;
    long window = Math.max(least, Math.min(wished, shared));
    return sessionBytes(window) <= left() ? window : 0;
  }

  /** Grants memory; the caller has checked that it is left. */
  synchronized void grant(long bytes) {
    granted += bytes;
  }

  private synchronized void giveBack(long bytes) {
    granted -= bytes;
    notifyAll();
  }

  /**
   * Runs an action in a new thread, because it may block, and takes memory back when the action has
   * ended, or at once if no thread can be started.
   *
   * @param ending the action
   * @param bytes the memory
   * @throws OutOfMemoryError if the system has no more threads; the action has not run then
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

  /** Waits until all memory has been given back. */
  synchronized void awaitNone() {
    Uninterrupted.await(this, () -> granted > 0);
  }
}
