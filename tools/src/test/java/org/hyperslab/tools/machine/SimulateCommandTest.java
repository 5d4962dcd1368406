package org.hyperslab.tools.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that accesses of jobs are simulated on machines that do not exist. */
final class SimulateCommandTest {

  private static final Pattern WRITE =
      Pattern.compile("write: ([0-9.]+) s .*?, ([0-9,]+) requests of ([0-9,]+) bytes");

  private static Matcher simulated(String... arguments) {
    List<String> all = new ArrayList<>(List.of("simulate", "--machine", "crill"));
    all.addAll(List.of(arguments));
    CommandRun run = CommandRun.of(all.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains(" on 256 simulated ranks: ").contains("read: ");
    Matcher write = WRITE.matcher(run.out());
    assertThat(write.find()).as(run.out()).isTrue();
    return write;
  }

  private static long number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }

  @Test
  void aggregatorsMakeFewerRequestsThanRanks() {
    Matcher alone = simulated("--request", "20000", "tile-io", "--ranks", "256", "--independent");
    Matcher together =
        simulated(
            "--request",
            "20000",
            "tile-io",
            "--ranks",
            "256",
            "--connector",
            "hyperslab_collective=two-phase");
    long fileBytes = 256L * 256 * 192 * 32;
    assertThat(number(alone.group(3))).isEqualTo(fileBytes);
    assertThat(number(together.group(3))).isEqualTo(fileBytes);
    assertThat(number(alone.group(2))).as("a request for each row").isEqualTo(256L * 192);
    assertThat(number(together.group(2))).as("requests of buffers").isLessThan(1000);
    assertThat(Double.parseDouble(together.group(1)))
        .isLessThan(Double.parseDouble(alone.group(1)));
  }

  @Test
  void requestsTakeTheGivenTime() {
    String[] kernel = {"latency-io", "--ranks", "256"};
    Matcher quick = simulated("--request", "1", kernel[0], kernel[1], kernel[2]);
    Matcher slow = simulated("--request", "100000", kernel[0], kernel[1], kernel[2]);
    assertThat(Double.parseDouble(slow.group(1)))
        .isGreaterThan(Double.parseDouble(quick.group(1)) + 0.05);
  }

  @Test
  void hintsAndModelsThatAreUnknownAreRefusedByName() {
    String[] wrong = {
      "bogus=1",
      "striping_factor=99",
      "hyperslab_assignment=bogus",
      "hyperslab_shared_memory=disable"
    };
    for (String hint : wrong) {
      CommandRun run =
          CommandRun.of(
              "simulate",
              "--machine",
              "crill",
              "tile-io",
              "--ranks",
              "64",
              "--connector",
              "mpiio hyperslab_collective=two-phase " + hint);
      assertThat(run.code()).as(hint).isNotZero();
      assertThat(run.err()).contains(hint.substring(0, hint.indexOf('='))).contains("expected=");
    }
    CommandRun model =
        CommandRun.of("simulate", "--machine", "crill", "--network", "ideal", "tile-io");
    assertThat(model.code()).isNotZero();
    assertThat(model.err()).contains("actual=ideal, expected=flows or loggp");
  }

  @Test
  void ranksAreWhereThePlacementSays(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("placed.txt");
    CommandRun placed =
        CommandRun.of(
            "place",
            "--machine",
            "crill",
            "--grid",
            "16x16",
            "--method",
            "bynode",
            "--nodes",
            "16",
            "--per-node",
            "16");
    assertThat(placed.code()).as(placed.err()).isZero();
    Files.writeString(file, placed.out());
    String[] kernel = {
      "tile-io", "--ranks", "256", "--connector", "hyperslab_collective=two-phase"
    };
    List<String> byFile = new ArrayList<>(List.of("--placement", file.toString()));
    byFile.addAll(List.of(kernel));
    List<String> byNode = new ArrayList<>(List.of("--nodes", "16"));
    byNode.addAll(List.of(kernel));
    assertThat(simulated(byFile.toArray(String[]::new)).group(1))
        .isEqualTo(simulated(byNode.toArray(String[]::new)).group(1))
        .isNotEqualTo(simulated(kernel).group(1));
    Files.writeString(file, "rank 0: node 0, processor 0\nrank 1: node 16, processor 0\n");
    CommandRun beyond =
        CommandRun.of(
            "simulate",
            "--machine",
            "crill",
            "--placement",
            file.toString(),
            "tile-io",
            "--ranks",
            "2");
    assertThat(beyond.code()).isNotZero();
    assertThat(beyond.err()).contains("actual=node 16, expected=0 to 15").contains("line 2");
  }

  @Test
  void schedulesAreWrittenAsGoal(@TempDir Path folder) throws Exception {
    Path goal = folder.resolve("write.goal");
    simulated(
        "--network",
        "loggp",
        "--goal",
        goal.toString(),
        "tile-io",
        "--ranks",
        "256",
        "--connector",
        "hyperslab_collective=two-phase");
    List<String> lines = Files.readAllLines(goal);
    assertThat(lines.getFirst()).isEqualTo("num_ranks 256");
    long sends = lines.stream().filter(line -> line.contains(": send ")).count();
    assertThat(sends)
        .isPositive()
        .isEqualTo(lines.stream().filter(line -> line.contains(": recv ")).count());
    assertThat(lines.stream().filter(line -> line.startsWith("rank "))).hasSize(256);
  }

  @Test
  void machinesThatAreTooSmallAndLibrariesThatAreNotOursAreRefused() {
    CommandRun tooMany = CommandRun.of("simulate", "--machine", "crill", "ior", "--ranks", "9999");
    assertThat(tooMany.code()).isNotZero();
    assertThat(tooMany.err()).contains("actual=").contains("expected=");
    CommandRun vendor = CommandRun.of("simulate", "--machine", "crill", "tile-io", "--vendor");
    assertThat(vendor.code()).isNotZero();
    assertThat(vendor.err()).contains("--vendor");
  }
}
