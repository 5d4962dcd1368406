package org.hyperslab.plugins.compacting.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares the outcome of random histories with that of the same requests executed one by one. */
final class CompactorRandomTest {

  private static final int HISTORIES = Effort.times(10_000, 100_000);

  @Test
  void everyHistoryEndsAsIfCarriedOutOneByOne() {
    long first = Seeds.draw();
    boolean replay = System.getProperty(Seeds.PROPERTY) != null;
    System.out.println("CompactorRandomTest: " + HISTORIES + " histories from seed " + first);
    Map<RequestOutcome, Long> outcomes = new EnumMap<>(RequestOutcome.class);
    for (long seed = first; seed < first + (replay ? 1 : HISTORIES); seed++) {
      RequestHistory history = new RequestHistory(new Random(seed));
      try {
        history.run();
        history.outcomes().forEach((each, number) -> outcomes.merge(each, number, Long::sum));
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError(
            "failed with seed "
                + seed
                + "; run it again with -D"
                + Seeds.PROPERTY
                + "="
                + seed
                + "\n"
                + history.describe(),
            failure);
      }
    }
    System.out.println("CompactorRandomTest: " + outcomes);
    if (!replay) {
      Set<RequestOutcome> unseen = EnumSet.allOf(RequestOutcome.class);
      unseen.removeAll(outcomes.keySet());
      unseen.remove(RequestOutcome.UNLIKE); // needs more runs than small datasets have
      assertThat(unseen).isEmpty();
    }
  }
}
