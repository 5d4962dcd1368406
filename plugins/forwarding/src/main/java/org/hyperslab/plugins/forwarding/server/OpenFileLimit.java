package org.hyperslab.plugins.forwarding.server;

import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.error.StorageException;

/**
 * Bounds the number of files that all sessions of a server have open, so that the process does not
 * run out of file descriptors.
 *
 * <p>Thread rule: any thread.
 */
final class OpenFileLimit {

  private final int max;
  private final AtomicInteger open = new AtomicInteger();

  /**
   * Creates a limit.
   *
   * @param max the largest number of open files
   */
  OpenFileLimit(int max) {
    this.max = max;
  }

  /**
   * Counts a file that is about to be opened.
   *
   * @throws StorageException if the limit has been reached
   */
  void acquire() {
    if (open.incrementAndGet() > max) {
      open.decrementAndGet();
      throw new StorageException(
          "open files of the server: actual="
              + max
              + " in all sessions, expected=fewer; try again when other clients have closed "
              + "files, or raise the server's limit of open files (ulimit -n)");
    }
  }

  /** Counts a file that was closed, or could not be opened. */
  void release() {
    open.decrementAndGet();
  }
}
