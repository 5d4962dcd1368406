package org.hyperslab.plugins.forwarding.world;

import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.world.WorldError;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a staging server in a simulated world; testkit/WORLD.md says how to replay.
 */
class HistoriesTest {

  private static final int HISTORIES = 60;
  private static final int FULL = 200;

  @Test
  void whatWasPromisedIsThere() {
    Long one = Long.getLong("hyperslab.seed");
    long first = one != null ? one : 1;
    long end = one != null ? one + 1 : first + (Effort.isFull() ? FULL : HISTORIES);
    for (long seed = first; seed < end; seed++) {
      StagedHistory history = new StagedHistory(seed);
      try {
        history.run();
      } catch (RuntimeException | Error failure) {
        throw new WorldError("seed " + seed + ", trouble " + history.trouble(), failure);
      }
    }
  }
}
