package org.hyperslab.plugins.nativevol.file;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;

/**
 * Reads a file that another process is changing. A SWMR writer writes every block in one request,
 * referred-to blocks first; a reader may still find a block half-written, or two blocks that do not
 * match, which a checksum reveals. It then discards its decoded data and reads again, as the HDF5
 * library does with single blocks (H5Cint.c, H5C__load_entry; 100 attempts).
 *
 * <p>Thread rule: no state.
 */
final class ReadRetry {

  private static final int ATTEMPTS = 100;
  private static final int HASTY_ATTEMPTS = 10;
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private ReadRetry() {}

  /**
   * Runs an action that keeps nothing of what it reads until it succeeds, at most 100 times within
   * about two seconds.
   *
   * @throws CorruptFileException the failure of the last attempt
   */
  static <T> T attempt(Supplier<T> action) {
    for (int attempt = 1; ; attempt++) {
      try {
        return action.get();
      } catch (CorruptFileException | StorageException torn) {
        if (isLast(attempt)) {
          throw torn;
        }
      }
      pause(attempt);
    }
  }

  /** Returns whether the attempt of a number, from 1, is the last. */
  static boolean isLast(int attempt) {
    return attempt == ATTEMPTS;
  }

  /** Waits before another attempt, except after the first few. */
  static void pause(int attempt) {
    if (attempt > HASTY_ATTEMPTS) {
      LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, 50_000L * attempt));
    }
  }
}
