package org.hyperslab.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MessageCosts;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.StorageCosts;
import org.junit.jupiter.api.Test;

/**
 * Compares LogGP with LogGOPSim, whose times of the same schedules {@code loggopsim.tsv} has. The
 * main method writes the schedules; {@code benchmarks/judges/loggopsim.sh} makes the table.
 */
final class LogGopSimTest {

  private static final int SCHEDULES = 50;

  /** Parameters of LogGOPSim are whole numbers: L = 2000, o = 500, g = 300, G = 1. */
  private static RankMap ranks(int count) {
    Machine base = Machine.oneSwitch("judged", count, 1);
    return RankMap.bySlot(
        new Machine(
            "judged",
            base.network(),
            base.node(),
            new MessageCosts(500, 300),
            List.of(),
            new StorageServers(4, 1 << 16, 1e9)),
        count);
  }

  /** Returns the time of a schedule in nanoseconds, and writes it. */
  private static double judged(int number, Appendable goal) throws IOException {
    Random random = new Random(number);
    int count = 2 + random.nextInt(number % 5 == 0 ? 100 : 15);
    String collective = number % 4 == 3 ? "dynamic" : "two-phase";
    String domains = List.of("even", "cyclic", "balanced", "layout").get(random.nextInt(4));
    Hints hints =
        Hints.parse(
            "hyperslab_collective="
                + collective
                + " hyperslab_domains="
                + domains
                + " cb_nodes="
                + (1 + random.nextInt(count))
                + " cb_buffer_size="
                + (2_000 + random.nextInt(200_000)));
    long piece = 1 + random.nextInt(4_000);
    int pieces = 1 + random.nextInt(12);
    long skew = random.nextInt(3) * (long) random.nextInt(500);
    return new SimulatedCollective(
            random.nextBoolean(),
            hints,
            FileSystemTraits.local().with(StorageCosts.REMOTE),
            ranks(count),
            SimulatedNetwork.LOGGP)
        .runToGoal(
            rank ->
                ExtentRuns.strided(
                    rank * piece, piece, (count + skew) * piece, 1 + (rank + pieces) % pieces),
            new UnstatedCosts(20_000, 1e9, 10e9),
            goal)
        .nanos();
  }

  /**
   * Writes the schedules as GOAL, for LogGOPSim.
   *
   * @param arguments the folder
   */
  public static void main(String[] arguments) throws IOException {
    for (int number = 0; number < SCHEDULES; number++) {
      Path file = Path.of(arguments[0]).resolve(number + ".goal");
      try (Writer text = Files.newBufferedWriter(file)) {
        judged(number, text);
      }
    }
  }

  @Test
  void timesAreThoseOfLogGopSimWithinAPercent() throws IOException {
    List<String> lines = new ArrayList<>();
    try (BufferedReader table =
        new BufferedReader(
            new InputStreamReader(
                LogGopSimTest.class.getResourceAsStream("loggopsim.tsv"),
                StandardCharsets.UTF_8))) {
      table.lines().filter(line -> !line.startsWith("#")).forEach(lines::add);
    }
    assertThat(lines).hasSize(SCHEDULES);
    for (String line : lines) {
      String[] words = line.split("\t", -1);
      double theirs = Double.parseDouble(words[1]);
      assertThat(judged(Integer.parseInt(words[0]), new StringBuilder()))
          .as("schedule %s", words[0])
          .isCloseTo(theirs, Percentage.withPercentage(1));
    }
  }

  @Test
  void goalHasOperationsAndWhatTheyRequire() throws IOException {
    ByteLocation here = new ByteLocation.Memory(0);
    List<List<Step>> steps =
        List.of(
            List.of(new Step.Send(1, here, 1000, 7), new Step.Await(7)),
            List.of(
                new Step.Receive(0, here, 1000, 3),
                new Step.Await(3),
                new Step.Copy(here, here, 500),
                new Step.Write(ExtentRuns.of(0, 100), here)));
    GoalText text = new GoalText(2, new UnstatedCosts(0, 1e9, 1e9));
    text.ended(1, steps.get(1).get(3), 100, 350);
    StringBuilder goal = new StringBuilder();
    text.write(rank -> new Schedule("test", rank, List.of(steps.get(rank))), goal);
    assertThat(goal.toString())
        .isEqualTo(
            """
            num_ranks 2

            rank 0 {
            l1: send 1000b to 1 tag 0
            }

            rank 1 {
            l1: recv 1000b from 0 tag 0
            l2: calc 0
            l2 requires l1
            l3: calc 500
            l3 requires l2
            l4: calc 250
            l4 requires l3
            }
            """);
  }

  @Test
  void stepWithoutAFormInGoalIsRefused() {
    GoalText text = new GoalText(1, UnstatedCosts.DEFAULT);
    assertThatThrownBy(() ->
            text.write(
                rank -> new Schedule("test", rank, List.of(List.of(new Step.Barrier()))),
                new StringBuilder()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("GOAL: actual=Barrier on rank 0");
  }
}
