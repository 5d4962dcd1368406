package org.hyperslab.simulation.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.data.Percentage;
import org.hyperslab.machine.Level;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.Network;
import org.hyperslab.machine.NodeShape;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.machine.Tier;
import org.junit.jupiter.api.Test;

/**
 * Compares the times of flows with those of SimGrid's model CM02, which {@code simgrid.tsv} has.
 * The main method writes platforms and flows; {@code benchmarks/judges/simgrid.sh} makes the table.
 */
final class SimGridTest {

  private static final int SCHEDULES = 32;

  private record Flow(double startNanos, int from, int to, long bytes) {}

  private static Network network(int number, Random random) {
    int gigabytes = 1 + random.nextInt(3);
    Level slow = new Level("slow", 1e9 * gigabytes, 0);
    return switch (number % 4) {
      case 0 -> Network.tree(24, List.of(new Tier(24, 1, slow)));
      case 1 ->
          Network.tree(
              48,
              List.of(
                  new Tier(8, 1, slow),
                  new Tier(3, 1 + random.nextInt(4), slow),
                  new Tier(2, 1 + random.nextInt(8), slow)));
      case 2 -> Network.torus(slow, 2 + random.nextInt(3), 4, 5);
      default ->
          MachineDescription.parse(
                  "dragonfly",
                  ("machine name=judged\nshare name=node arity=1 bandwidth=1GB/s\n"
                          + "network kind=dragonfly groups=4 routers=2x3 nodes=2 links=%d"
                          + " local=%dGB/s global=%dGB/s\n")
                      .formatted(1 + random.nextInt(2), 2 + random.nextInt(4), gigabytes))
              .network();
    };
  }

  private static Flow[] flows(Network network, Random random) {
    Flow[] flows = new Flow[20 + random.nextInt(150)];
    int few = 1 + random.nextInt(network.nodes() - 1);
    for (int i = 0; i < flows.length; i++) {
      int from = random.nextInt(network.nodes());
      int to = random.nextInt(few); // some aggregate
      flows[i] =
          new Flow(
              random.nextInt(3) == 0 ? 0 : random.nextInt(3_000_000),
              from == to ? (to + 1) % network.nodes() : from,
              to,
              10_000L + random.nextInt(2_000_000));
    }
    Arrays.sort(flows, Comparator.comparingDouble(Flow::startNanos));
    return flows;
  }

  private static double[] ends(Network network, Flow[] flows) {
    return ends(network, flows, FlowMessages.CROWD);
  }

  /** Returns the end of each flow in nanoseconds. */
  private static double[] ends(Network network, Flow[] flows, int crowd) {
    Machine machine =
        new Machine(
            "judged",
            network,
            NodeShape.flat(1, new Level("node", 1e9, 0), 1),
            List.of(),
            StorageServers.UNKNOWN);
    double[] ends = new double[flows.length];
    FlowMessages messages =
        new FlowMessages(
            RankMap.bySlot(machine, machine.nodes()),
            1e9,
            (flow, at, received) -> ends[flow] = at,
            crowd);
    for (int i = 0; i < flows.length; i++) {
      Flow flow = flows[i];
      messages.start(i, flow.from, flow.to, flow.bytes, flow.startNanos);
    }
    while (messages.nextTime() < Double.POSITIVE_INFINITY) {
      messages.advance();
    }
    return ends;
  }

  /**
   * Writes platforms and flows for {@code replay.c}.
   *
   * @param arguments the folder
   */
  public static void main(String[] arguments) throws IOException {
    for (int number = 0; number < SCHEDULES; number++) {
      Random random = new Random(number);
      Network network = network(number, random);
      Flow[] flows = flows(network, random);
      Path folder = Path.of(arguments[0]);
      Files.writeString(folder.resolve(number + ".xml"), platform(network, flows));
      StringBuilder text = new StringBuilder();
      for (Flow each : flows) {
        text.append(
            String.format(
                Locale.ROOT,
                "%.9f %d %d %d%n",
                each.startNanos / 1e9,
                each.from,
                each.to,
                each.bytes));
      }
      Files.writeString(folder.resolve(number + ".flows"), text);
    }
  }

  private static String platform(Network network, Flow[] flows) {
    Map<Long, Double> links = new TreeMap<>();
    Map<String, String> routes = new LinkedHashMap<>();
    TreeSet<Integer> hosts = new TreeSet<>();
    for (Flow each : flows) {
      hosts.addAll(List.of(each.from, each.to));
      StringBuilder route = new StringBuilder();
      network.route(
          each.from,
          each.to,
          (link, width, bandwidth) -> {
            links.put(link, width * bandwidth);
            route.append("<link_ctn id=\"l").append(link).append("\"/>");
          });
      routes.put("src=\"h" + each.from + "\" dst=\"h" + each.to + "\"", route.toString());
    }
    StringBuilder text =
        new StringBuilder(
            "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM"
                + " \"https://simgrid.org/simgrid.dtd\">\n"
                + "<platform version=\"4.1\">\n<zone id=\"all\" routing=\"Full\">\n");
    hosts.forEach(host -> text.append("<host id=\"h").append(host).append("\" speed=\"1Gf\"/>\n"));
    links.forEach((link, bandwidth) ->
        text.append("<link id=\"l")
            .append(link)
            .append("\" bandwidth=\"")
            .append(Math.round(bandwidth))
            .append("Bps\" latency=\"0s\"/>\n"));
    routes.forEach((ends, route) ->
        text.append("<route ")
            .append(ends)
            .append(" symmetrical=\"NO\">")
            .append(route)
            .append("</route>\n"));
    return text.append("</zone>\n</platform>\n").toString();
  }

  @Test
  void flowsOfACrowdEndAsThoseWhoseRatesFollowEachChange() {
    Random random = new Random(1);
    Network network = Network.torus(new Level("link", 1e9, 0), 6, 6, 6);
    Flow[] flows = new Flow[1500];
    for (int i = 0; i < flows.length; i++) {
      int from = random.nextInt(network.nodes());
      flows[i] =
          new Flow(
              random.nextInt(1000),
              from,
              (from + 1 + random.nextInt(network.nodes() - 1)) % network.nodes(),
              100_000L + random.nextInt(900_000));
    }
    Arrays.sort(flows, Comparator.comparingDouble(Flow::startNanos));
    double[] together = ends(network, flows, 0);
    double[] each = ends(network, flows, flows.length);
    assertThat(Arrays.stream(together).max().orElseThrow())
        .isCloseTo(Arrays.stream(each).max().orElseThrow(), Percentage.withPercentage(1));
    for (int i = 0; i < flows.length; i++) {
      assertThat(together[i]).isCloseTo(each[i], Percentage.withPercentage(5));
    }
    assertThat(together).isNotEqualTo(each);
  }

  @Test
  void flowsEndWhenSimGridSays() throws IOException {
    int compared = 0;
    try (BufferedReader table =
        new BufferedReader(
            new InputStreamReader(
                SimGridTest.class.getResourceAsStream("simgrid.tsv"), StandardCharsets.UTF_8))) {
      for (String line : table.lines().filter(text -> !text.startsWith("#")).toList()) {
        String[] words = line.split("\t", -1);
        int number = Integer.parseInt(words[0]);
        Random random = new Random(number);
        Network network = network(number, random);
        double[] ends = ends(network, flows(network, random));
        assertThat(words).hasSize(1 + ends.length);
        for (int flow = 0; flow < ends.length; flow++) {
          assertThat(ends[flow])
              .as("flow %d of schedule %d, %s", flow, number, network.describe())
              .isCloseTo(1e9 * Double.parseDouble(words[1 + flow]), Percentage.withPercentage(1));
        }
        compared++;
      }
    }
    assertThat(compared).isEqualTo(SCHEDULES);
  }
}
