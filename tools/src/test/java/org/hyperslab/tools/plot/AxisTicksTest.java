package org.hyperslab.tools.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

final class AxisTicksTest {

  private static List<String> labels(AxisTicks ticks) {
    return ticks.ticks().stream().map(AxisTicks.Tick::label).toList();
  }

  @Test
  void labelsAreNumbersOfFewDigits() {
    assertThat(labels(AxisTicks.linear(0, 199, 7, true))).containsExactly("0", "50", "100", "150");
    assertThat(labels(AxisTicks.linear(0, 3, 9, true))).containsExactly("0", "1", "2", "3");
    assertThat(labels(AxisTicks.linear(-0.1, 0.31, 5, false)))
        .containsExactly("-0.1", "0", "0.1", "0.2", "0.3");
    assertThat(labels(AxisTicks.linear(5, 5, 5, false))).containsExactly("5");
    assertThat(labels(AxisTicks.logarithmic(1e-3, 2e2, 9)))
        .containsExactly("0.001", "0.01", "0.1", "1", "10", "100");
    assertThat(labels(AxisTicks.logarithmic(2, 3, 9))).containsExactly("2", "3");
  }

  @Test
  void ticksAreMultiplesWithinTheRange() {
    long seed = Seeds.draw();
    System.out.println("hyperslab.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      double size = Math.pow(10, random.nextInt(14) - 6);
      double low = (random.nextDouble() - 0.5) * size * 100;
      double high = low + random.nextDouble() * size + size * 1e-3;
      int most = 1 + random.nextInt(12);
      boolean whole = random.nextBoolean();
      if (whole) {
        low = Math.rint(low);
        high = low + 1 + random.nextInt(1000);
      }
      List<AxisTicks.Tick> ticks = AxisTicks.linear(low, high, most, whole).ticks();
      String what = low + " to " + high + ", " + most + ", seed " + seed;
      assertThat(ticks.size()).as(what).isLessThanOrEqualTo(most + 1);
      double slack = (high - low) * 1e-5;
      for (AxisTicks.Tick tick : ticks) {
        assertThat(tick.value()).as(what).isBetween(low - slack, high + slack);
        assertThat(new BigDecimal(tick.label()).doubleValue()).as(what).isEqualTo(tick.value());
        if (whole) {
          assertThat(tick.value()).as(what).isEqualTo(Math.rint(tick.value()));
        }
      }
      if (ticks.size() > 1) {
        BigDecimal step =
            new BigDecimal(ticks.get(1).label()).subtract(new BigDecimal(ticks.get(0).label()));
        assertThat(step.stripTrailingZeros().unscaledValue().intValue()).as(what).isIn(1, 2, 5);
      }
    }
  }
}
