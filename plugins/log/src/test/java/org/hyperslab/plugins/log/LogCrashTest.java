package org.hyperslab.plugins.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldDisk;
import org.junit.jupiter.api.Test;

/**
 * Programs are killed at any point, with and without a power cut that loses, tears and reorders
 * what was not forced: nothing that was promised is lost, and the file has the state of a flush.
 */
class LogCrashTest {

  private static final int FEW = Effort.times(150, 600);
  private static final int MANY = 4000;

  /** Room for a few writes. */
  private static final long FULL = (1L << 16) + 4096;

  @Test
  void afterAnyCrashTheFileHasTheStateOfAFlush() {
    Seeds.run(FEW, random -> check(random.nextLong() >>> 16, 64L << 20));
  }

  @Test
  void afterAnyCrashOfAFullLogTheFileHasTheStateAfterSomeEdit() {
    Seeds.run(FEW, random -> check(random.nextLong() >>> 16, FULL));
  }

  @Campaign
  @Test
  void manyCrashes() {
    Seeds.run(
        MANY, random -> check(random.nextLong() >>> 16, random.nextBoolean() ? 64L << 20 : FULL));
  }

  private static void check(long seed, long capacity) {
    World world = new World(seed);
    try (WorldDisk disk = new WorldDisk(world)) {
      assertThat(new CrashHistory(seed, world, disk, capacity).run()).as("trouble").isEmpty();
    }
  }
}
