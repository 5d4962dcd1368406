package org.hyperslab.tools.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command {@code place}: its output, its files with launchers, and its errors. */
final class PlaceCommandTest {

  @TempDir Path folder;

  @Test
  void printsTheSavingsOfAPlacement() throws Exception {
    Path matrix = folder.resolve("order.txt");
    // Two rows of four ranks, in which neighbours in rank are not neighbours in the file.
    Files.writeString(
        matrix, "ranks 8\norder 0 2 4 6 0 2 4 6 0 2 4 6\norder 1 3 5 7 1 3 5 7 1 3 5 7\n");
    CommandRun run =
        CommandRun.of(
            "place", "--machine", "crill", "--per-node", "4", "--matrix", matrix.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("crill: 16 nodes of 48 processors")
        .containsPattern("before, byslot: \\d+ hop-bytes, at most [1-9]\\d* over a link")
        .containsPattern("after, setmatchg: \\d+ hop-bytes, at most 1 over a link");
    String node = run.out().lines().filter(line -> line.startsWith("rank 0:")).findFirst().get();
    assertThat(run.out().lines().filter(line -> line.matches("rank [246]:.*")))
        .allMatch(line -> line.split("node ")[1].charAt(0) == node.split("node ")[1].charAt(0));
  }

  /**
   * Tests that Open MPI starts the job and binds each rank to the processor that the rankfile
   * names.
   */
  @Test
  void openMpiTakesTheRankfile() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "two processors are needed");
    Path rankfile = folder.resolve("ranks.txt");
    CommandRun run = CommandRun.of("place", "--grid", "1x2", "--rankfile", rankfile.toString());
    assertThat(run.err()).isEmpty();
    assertThat(Files.readString(rankfile))
        .isEqualTo("rank 0=localhost slot=0\nrank 1=localhost slot=1\n");
    String report = "echo rank $OMPI_COMM_WORLD_RANK $(grep Cpus_allowed_list /proc/self/status)";
    Oracle.Outcome outcome =
        Oracle.program("mpirun.openmpi")
            .run(
                "--allow-run-as-root",
                "--oversubscribe",
                "-n",
                "2",
                "--rankfile",
                rankfile.toString(),
                "sh",
                "-c",
                report)
            .orFail();
    List<String> ranks = outcome.output().lines().sorted().toList();
    assertThat(ranks).hasSize(2);
    assertThat(ranks.get(0)).startsWith("rank 0 Cpus_allowed_list:");
    assertThat(ranks.get(1)).startsWith("rank 1 Cpus_allowed_list:");
    assertThat(ranks.get(0).substring(7)).isNotEqualTo(ranks.get(1).substring(7));
  }

  @Test
  void mpichTakesTheHostList() throws Exception {
    Path list = folder.resolve("hosts.txt");
    assertThat(
            CommandRun.of("place", "-m", "crill", "--grid", "1x2", "--host-list", list.toString())
                .code())
        .isZero();
    assertThat(Files.readString(list)).isEqualTo("localhost:2\n");
    Oracle.Outcome outcome =
        Oracle.program("mpirun.mpich")
            .run("-f", list.toString(), "-n", "2", "sh", "-c", "echo rank $PMI_RANK")
            .orFail();
    assertThat(outcome.output().lines()).containsExactlyInAnyOrder("rank 0", "rank 1");
  }

  @Test
  void refusesWithLineAndField() throws Exception {
    Path machine = folder.resolve("bad.machine");
    Files.writeString(machine, "machine name=Bad\nnetwork kind=torus extents=4xfour\n");
    CommandRun run = CommandRun.of("place", "-m", machine.toString(), "--grid", "2x2");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("bad.machine, line 2");
    assertThat(CommandRun.of("place", "-m", "nowhere", "--grid", "2x2").err())
        .contains("actual=nowhere");
    assertThat(CommandRun.of("place", "--grid", "2by2").err()).contains("--grid: actual=2by2");
    assertThat(CommandRun.of("place", "-m", "crill", "--grid", "2x2", "--method", "best").err())
        .contains("actual=best");
    assertThat(CommandRun.of("place", "-m", "crill").code()).isEqualTo(2);
    assertThat(CommandRun.of("place", "-m", "crill", "--nodes", "1", "--grid", "7x7").err())
        .contains("49 ranks, expected=at most 48");
    CommandRun none =
        CommandRun.of("place", "-m", "crill", "--matrix", folder.resolve("none").toString());
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("expected=a text file");
  }
}
