package org.hyperslab.mpiio.driver;

import java.util.function.BooleanSupplier;
import org.hyperslab.mpiio.waiting.Backoff;
import org.hyperslab.mpiio.waiting.Ticker;

/** Advances transfers as a rank does that waits for them: with pauses when there is no progress. */
public final class Driving {

  private Driving() {}

  /**
   * Advances a transfer until it has ended.
   *
   * @param advance goes on without waiting, and returns whether the transfer has ended
   */
  public static void toEnd(BooleanSupplier advance) {
    Backoff pauses = new Backoff(Ticker.SYSTEM);
    while (!advance.getAsBoolean()) {
      pauses.pause();
    }
  }
}
