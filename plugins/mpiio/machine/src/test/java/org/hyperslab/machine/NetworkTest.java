package org.hyperslab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares distances and routes of networks with a search for shortest paths. */
final class NetworkTest {

  private static final Level LINK = new Level("link", 1e9, 100);

  @Test
  void hopsOfATorusAreShortestPaths() {
    Seeds.run(20, random -> checkTorus(randomExtents(random)));
  }

  private static int[] randomExtents(Random random) {
    int[] extents = new int[1 + random.nextInt(4)];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = 1 + random.nextInt(5);
    }
    return extents;
  }

  private static void checkTorus(int[] extents) {
    Network torus = Network.torus(LINK, extents);
    int[] apart = search(torus, extents);
    for (int node = 0; node < torus.nodes(); node++) {
      assertThat(torus.hops(0, node)).as(Arrays.toString(extents)).isEqualTo(apart[node]);
      checkRoute(torus, 0, node, apart[node]);
      checkRoute(torus, node, torus.nodes() - 1 - node, torus.hops(node, torus.nodes() - 1 - node));
    }
  }

  /** Returns the distances from node 0, by steps of one in one coordinate. */
  private static int[] search(Network torus, int[] extents) {
    int[] apart = new int[torus.nodes()];
    Arrays.fill(apart, -1);
    Queue<Integer> queue = new ArrayDeque<>(List.of(0));
    apart[0] = 0;
    while (!queue.isEmpty()) {
      int node = queue.remove();
      for (int dimension = 0; dimension < extents.length; dimension++) {
        for (int step : new int[] {1, extents[dimension] - 1}) {
          int[] at = torus.coordinates(node);
          at[dimension] = (at[dimension] + step) % extents[dimension];
          int next = 0;
          for (int i = 0; i < extents.length; i++) {
            next = next * extents[i] + at[i];
          }
          if (apart[next] < 0) {
            apart[next] = apart[node] + 1;
            queue.add(next);
          }
        }
      }
    }
    return apart;
  }

  /** Checks that a route is a chain of links from one node to the other. */
  private static void checkRoute(Network network, int from, int to, int links) {
    List<Long> route = new ArrayList<>();
    network.route(from, to, (link, width, bandwidth) -> route.add(link));
    assertThat(route).hasSize(links);
    int at = from;
    for (long link : route) {
      assertThat((int) (link >>> Integer.SIZE)).isEqualTo(at);
      at = (int) link;
    }
    assertThat(at).isEqualTo(to);
  }

  @Test
  void hopsOfATreeCountUpAndDown() {
    Network tree =
        Network.tree(11, List.of(new Tier(2, 1, LINK), new Tier(3, 1, LINK), new Tier(2, 4, LINK)));
    assertThat(tree.hops(4, 4)).isZero();
    assertThat(tree.hops(0, 1)).isEqualTo(2);
    assertThat(tree.hops(1, 2)).isEqualTo(4);
    assertThat(tree.hops(5, 6)).isEqualTo(6);
    assertThat(tree.coordinates(9)).containsExactly(1, 1, 1);
    for (int a = 0; a < 11; a++) {
      for (int b = 0; b < 11; b++) {
        checkRoute(tree, a, b, tree.hops(a, b));
        assertThat(tree.hops(a, b)).isEqualTo(tree.hops(b, a));
      }
    }
  }

  @Test
  void cablesOfALinkAreVisited() {
    List<Integer> widths = new ArrayList<>();
    Network tree = Network.tree(4, List.of(new Tier(2, 1, LINK), new Tier(2, 4, LINK)));
    tree.route(0, 3, (link, width, bandwidth) -> widths.add(width));
    assertThat(widths).containsExactly(1, 4, 4, 1);
  }

  @Test
  void routesOfADragonflyAreMinimal() {
    checkDragonfly(new DragonflyShape(3, 1, 8, 2, 1), 3);
    checkDragonfly(new DragonflyShape(9, 4, 3, 1, 5), 5);
  }

  private static void checkDragonfly(DragonflyShape shape, int farthest) {
    Network dragonfly = new Dragonfly(shape, LINK, LINK);
    int most = 0;
    for (int a = 0; a < dragonfly.nodes(); a++) {
      for (int b = 0; b < dragonfly.nodes(); b++) {
        int hops = dragonfly.hops(a, b);
        most = Math.max(most, hops);
        boolean sameRouter = a / shape.nodesPerRouter() == b / shape.nodesPerRouter();
        // The links between node and router are not counted as hops.
        checkRoute(dragonfly, a, b, a == b ? 0 : (sameRouter ? 0 : hops) + 2);
        int group = shape.routersPerGroup() * shape.nodesPerRouter();
        assertThat(dragonfly.level(a, b)).isEqualTo(a / group == b / group ? 0 : 1);
      }
    }
    assertThat(most).isEqualTo(farthest);
  }

  @Test
  void hopByteSumsEqualThoseOfEachDistance() {
    Seeds.run(30, random -> checkSums(randomNetwork(random), random));
  }

  private static Network randomNetwork(Random random) {
    Tier tier = new Tier(1 + random.nextInt(5), 1, LINK);
    return switch (random.nextInt(3)) {
      case 0 -> Network.torus(LINK, randomExtents(random));
      case 1 -> new Dragonfly(new DragonflyShape(3, 2, 3, 2, 2), LINK, LINK);
      default ->
          Network.tree(
              tier.arity() * 2 * 3, List.of(tier, new Tier(2, 1, LINK), new Tier(3, 1, LINK)));
    };
  }

  private static void checkSums(Network network, Random random) {
    int[] to = random.ints(20, 0, network.nodes()).distinct().toArray();
    long[] bytes = random.longs(to.length, 0, 1 << 20).toArray();
    for (int node = 0; node < network.nodes(); node++) {
      double sum = 0;
      for (int i = 0; i < to.length; i++) {
        sum += bytes[i] * network.hops(node, to[i]);
      }
      assertThat(network.hopBytes(to, bytes).applyAsDouble(node)).isEqualTo(sum);
    }
  }

  @Test
  void refusesInvalidValues() {
    assertThatThrownBy(() -> Network.torus(LINK))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("0 dimensions");
    assertThatThrownBy(() -> Network.torus(LINK, 4, 0)).isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> Network.torus(LINK, 1 << 20, 1 << 20))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("more than " + Network.MAX_NODES);
    assertThatThrownBy(() -> Network.tree(5, List.of(new Tier(4, 1, LINK))))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("5 nodes");
    assertThatThrownBy(() -> new Level("link", Double.NaN, 0))
        .isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> new DragonflyShape(1 << 12, 1 << 12, 1, 1, 1))
        .isInstanceOf(InvalidUseException.class);
  }
}
