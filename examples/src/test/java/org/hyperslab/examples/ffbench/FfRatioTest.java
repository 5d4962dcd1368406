package org.hyperslab.examples.ffbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests the statistics of pairs of runs. */
final class FfRatioTest {

  @Test
  void medianAndIntervalAreOrderStatistics() {
    List<Double> ratios = new ArrayList<>();
    for (int i = 1; i <= 25; i++) {
      ratios.add(i / 10.0);
    }
    Collections.shuffle(ratios, new Random(1));
    // Conover's table for 25: the 8th and the 18th.
    assertThat(FfRatio.of(ratios)).isEqualTo(new FfRatio(1.3, 0.8, 1.8));
    assertThat(FfRatio.of(List.of(3.0, 1.0))).isEqualTo(new FfRatio(2.0, 1.0, 3.0));
  }

  @Test
  void intervalContainsTheMedianInNinetyFivePercent() {
    int[] held = {0};
    Seeds.run(
        1000,
        random -> {
          List<Double> ratios = new ArrayList<>();
          for (int i = 0; i < 15; i++) {
            ratios.add(Math.exp(random.nextGaussian())); // of median 1
          }
          FfRatio ratio = FfRatio.of(ratios);
          held[0] += ratio.low() <= 1 && ratio.high() >= 1 ? 1 : 0;
        });
    assertThat(held[0]).isBetween(920, 995);
  }
}
