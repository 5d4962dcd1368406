package org.hyperslab.simulation.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests rates of flows against closed forms, and against progressive filling of all flows. */
final class FairSharesTest {

  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private static IntList route(int... links) {
    IntList route = new IntList();
    Arrays.stream(links).forEach(route::add);
    return route;
  }

  @Test
  void flowsOfOneLinkShareItAndTakeWhatAnEndedOneLeaves() {
    FairShares shares = new FairShares();
    int link = shares.addLink(12);
    for (int flow = 0; flow < 4; flow++) {
      shares.start(flow, route(link), NO_LIMIT);
    }
    shares.settle();
    assertThat(shares.rate(0)).isEqualTo(3);
    shares.end(2);
    shares.settle();
    assertThat(shares.rate(0)).isEqualTo(4);
    assertThat(shares.changed().size()).isEqualTo(3);
  }

  @Test
  void flowTakesWhatSlowerFlowsLeaveOfALink() {
    // Bertsekas and Gallager's example: one flow over both links, others on one each.
    FairShares shares = new FairShares();
    int narrow = shares.addLink(1);
    int wide = shares.addLink(3);
    shares.start(0, route(narrow, wide), NO_LIMIT);
    shares.start(1, route(narrow), NO_LIMIT);
    shares.start(2, route(wide), NO_LIMIT);
    shares.settle();
    assertThat(new double[] {shares.rate(0), shares.rate(1), shares.rate(2)})
        .containsExactly(0.5, 0.5, 2.5);
    shares.end(1);
    shares.settle();
    assertThat(new double[] {shares.rate(0), shares.rate(2)}).containsExactly(1, 2);
  }

  @Test
  void flowIsNoFasterThanItsLimit() {
    FairShares shares = new FairShares();
    int cables = shares.addLink(10);
    shares.start(0, route(cables), 2);
    shares.start(1, route(cables), 4);
    shares.start(2, route(cables), 9);
    shares.settle();
    assertThat(new double[] {shares.rate(0), shares.rate(1), shares.rate(2)})
        .containsExactly(2, 4, 4);
  }

  @Test
  void rateFarAwayChangesOnlyIfItMust() {
    FairShares shares = new FairShares();
    int[] links = new int[1000];
    for (int i = 0; i < links.length; i++) {
      links[i] = shares.addLink(1);
      shares.start(2 * i, route(links[i]), NO_LIMIT);
      shares.start(2 * i + 1, route(links[i]), NO_LIMIT);
    }
    shares.settle();
    shares.end(0);
    shares.settle();
    assertThat(shares.changed().size()).isEqualTo(1);
  }

  @Test
  void ratesAreThoseOfProgressiveFillingOfAllFlows() {
    Seeds.runFixed(Effort.times(20, 500), FairSharesTest::compare);
  }

  private static void compare(Random random) {
    FairShares shares = new FairShares();
    double[] capacity = new double[2 + random.nextInt(12)];
    for (int link = 0; link < capacity.length; link++) {
      capacity[link] = 1 + random.nextInt(20);
      shares.addLink(capacity[link]);
    }
    TreeMap<Integer, int[]> routes = new TreeMap<>();
    TreeMap<Integer, Double> limits = new TreeMap<>();
    for (int turn = 0; turn < 60; turn++) {
      for (int change = random.nextInt(3); change >= 0; change--) {
        int flow = random.nextInt(40);
        if (routes.containsKey(flow)) {
          if (shares.rate(flow) > 0) {
            shares.end(flow);
            routes.remove(flow);
          }
        } else {
          int[] links =
              random.ints(0, capacity.length).distinct().limit(1 + random.nextInt(2)).toArray();
          double limit = random.nextInt(4) == 0 ? 0.5 + random.nextInt(6) : NO_LIMIT;
          shares.start(flow, route(links), limit);
          routes.put(flow, links);
          limits.put(flow, limit);
          shares.settle();
        }
      }
      shares.settle();
      TreeMap<Integer, Double> expected = filled(capacity, routes, limits);
      for (int flow : routes.keySet()) {
        assertThat(shares.rate(flow))
            .as("flow %d of %s", flow, routes.keySet())
            .isCloseTo(expected.get(flow), within(1e-6));
      }
    }
  }

  /** Raises all rates alike; those of a full link, and of flows at their limits, stay. */
  private static TreeMap<Integer, Double> filled(
      double[] capacity, TreeMap<Integer, int[]> routes, TreeMap<Integer, Double> limits) {
    TreeMap<Integer, Double> rates = new TreeMap<>();
    double[] left = capacity.clone();
    List<Integer> rising = new ArrayList<>(routes.keySet());
    while (!rising.isEmpty()) {
      double level = NO_LIMIT;
      for (int link = 0; link < left.length; link++) {
        int at = link;
        long count =
            rising.stream()
                .filter(flow -> Arrays.stream(routes.get(flow)).anyMatch(one -> one == at))
                .count();
        level = count == 0 ? level : Math.min(level, left[link] / count);
      }
      for (int flow : rising) {
        level = Math.min(level, limits.get(flow));
      }
      double[] before = left.clone();
      List<Integer> staying = new ArrayList<>();
      for (int flow : rising) {
        boolean full = limits.get(flow) <= level;
        for (int link : routes.get(flow)) {
          int at = link;
          long count =
              rising.stream()
                  .filter(other -> Arrays.stream(routes.get(other)).anyMatch(one -> one == at))
                  .count();
          full |= before[link] / count <= level * (1 + 1e-12);
        }
        if (full) {
          staying.add(flow);
        }
      }
      for (int flow : staying) {
        rates.put(flow, level);
        for (int link : routes.get(flow)) {
          left[link] -= level;
        }
      }
      rising.removeAll(staying);
    }
    return rates;
  }
}
