package org.hyperslab.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.MpiJob;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;

/**
 * Tests a job of more processes than notify each other directly, all on the cores of this machine.
 */
@Campaign
final class MeetingIT {

  private static final int RANKS = 33;

  @Test
  void thirtyThreeProcessesMeetAndGiveUpOneThatStaysAway() {
    Oracle.Outcome said = new MpiJob("openmpi", RANKS).run(MeetingRank.class);
    assertThat(said.exitCode()).as(said.text()).isZero();
    assertThat(said.output().lines().filter(line -> line.contains("done")))
        .as(said.text())
        .hasSize(RANKS)
        .allMatch(line -> line.endsWith("missing") || line.endsWith("absent"));
  }
}
