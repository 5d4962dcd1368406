package org.hyperslab.plugins.forwarding.server;

import java.time.Duration;
import org.hyperslab.vol.base.Scheduling;

/**
 * Tracks the memory that a server has granted to its sessions, in bytes. A session's share is
 * returned when the session has ended, even by a failure; otherwise closing the server would wait
 * forever.
 *
 * <p>A session keeps its share as long as it lives: clients rely on the window of their welcome,
 * and a window with requests in it cannot shrink. Instead, the rule for new sessions leaves room:
 * three tenths of the memory are reserved for the smallest windows, and of the remainder a session
 * gets at most half of what is left. A server with the default memory of 1 GiB admits 128 clients
 * at a time.
 *
 * <p>Invariant: {@code 0 <= granted}. Thread rule: any thread.
 */
final class MemoryGrants {

  private final long memoryBytes;
  private final Scheduling scheduling;

  /** Changed with the lock held. */
  private volatile long granted;

  /**
   * Creates grants with nothing granted.
   *
   * @param memoryBytes the memory that may be granted
   * @param scheduling gives the threads of actions
   */
  MemoryGrants(long memoryBytes, Scheduling scheduling) {
    this.memoryBytes = memoryBytes;
    this.scheduling = scheduling;
  }

  /** {@return the memory for open files and objects of a session with a given window} */
  static long holdingsBytes(long window) {
    return window / 2;
  }

  /**
   * Returns the memory that a session is granted in total.
   *
   * @param window the session's window
   * @return the window for requests, the same amount for replies, and memory for open files and
   *     objects
   */
  static long sessionBytes(long window) {
    return 2 * window + holdingsBytes(window);
  }

  /** {@return the memory that has been granted} */
  long granted() {
    return granted;
  }

  /** {@return the memory that can still be granted} */
  long left() {
    return memoryBytes - granted;
  }

  /**
   * Returns the window of a new session. Three tenths of the memory are reserved for the smallest
   * windows. Of the remainder a session gets the size that it requests, up to half of what is left.
   *
   * @param wished the window that the client requests
   * @return the window; 0 if there is no room
   */
  synchronized long window(long wished) {
    long least = ServerOptions.MIN_WINDOW_BYTES;
    long rest = (left() - memoryBytes / 10 * 3) / 5 * 2;
    long shared = granted == 0 ? rest : rest / 2;
    long window = Math.max(least, Math.min(wished, shared));
    return sessionBytes(window) <= left() ? window : 0;
  }

  /** Grants memory; the caller has checked that it is available. */
  synchronized void grant(long bytes) {
    granted += bytes;
  }

  private synchronized void release(long bytes) {
    granted -= bytes;
    notifyAll();
  }

  /**
   * Runs an action in a new thread, because it may block, and returns memory when the action has
   * ended, or at once if no thread can be started.
   *
   * @param ending the action
   * @param bytes the memory
   * @throws OutOfMemoryError if no thread can be started; the action has then not run
   */
  void releaseAfter(Runnable ending, long bytes) {
    boolean started = false;
    try {
      scheduling.start(
          "hyperslab-stage-end",
          () -> {
            try {
              ending.run();
            } finally {
              release(bytes);
            }
          });
      started = true;
    } finally {
      if (!started) {
        release(bytes);
      }
    }
  }

  /**
   * Waits until all memory has been returned.
   *
   * @param longest the longest time to wait
   * @return whether it has been returned
   */
  synchronized boolean awaitNone(Duration longest) {
    scheduling.await(this, () -> granted > 0, longest.toMillis());
    return granted == 0;
  }
}
