package org.hyperslab.tools.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.assertj.core.data.Percentage;
import org.hyperslab.tools.CommandRun;
import org.hyperslab.tools.figure.Figures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests figures of papers in virtual time, at a small scale, and what is simulated beside them. */
final class SimulatedFigureTest {

  @TempDir private Path folder;

  private static List<String> lines(String... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  @Test
  void aggregationOfDeclaredWritesBeatsCollectiveCallsOnMira() throws IOException {
    Path plot = folder.resolve("figure.png");
    List<String> lines =
        lines("simulate", "--figure", "tapioca-12", "--shrink", "32", "--plot", plot.toString());
    assertThat(lines.getFirst()).contains("Mira, 2048 ranks");
    assertThat(lines).filteredOn(line -> line.startsWith("paper: ")).hasSize(3);
    assertThat(lines)
        .filteredOn(line -> line.startsWith("paper: "))
        .allMatch(line -> line.endsWith("; as asked"));
    assertThat(ImageIO.read(plot.toFile()).getWidth()).isEqualTo(1000);
  }

  @Test
  void figureThatDoesNotComeOutSaysSo() {
    assertThat(lines("simulate", "--figure", "tapioca-table-1", "--shrink", "32"))
        .anyMatch(line -> line.startsWith("paper: 1:1 is best") && line.endsWith("as asked"));
  }

  @Test
  void unknownFigureIsRefusedWithAllNames() {
    CommandRun run = CommandRun.of("simulate", "--figure", "none");
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains(String.join(", ", Figures.names()));
  }

  @Test
  void everyFigureIsInTheReport() throws IOException {
    String report =
        Files.readString(
            Path.of(System.getProperty("hyperslab.root")).resolve("docs").resolve("papers.md"));
    assertThat(Figures.names()).allMatch(name -> report.contains("`" + name + "`"));
  }

  private static double seconds(List<String> lines, String what) {
    String line = lines.stream().filter(each -> each.startsWith(what)).findFirst().orElseThrow();
    return Double.parseDouble(line.substring(what.length(), line.indexOf(" s ")).strip());
  }

  /** Simulates a call on two Psets of Mira. */
  private static List<String> ior(String... more) {
    String[] all =
        Stream.of(
                Stream.of("simulate", "--machine", "mira"),
                Stream.of(more),
                Stream.of("ior", "--block", "65536", "--transfer", "65536", "--ranks", "4096"))
            .flatMap(each -> each)
            .toArray(String[]::new);
    return lines(all);
  }

  @Test
  void declaredWritesFilesOfPsetsAndComputationsAreSimulated() {
    double declared = seconds(ior("--declared"), "declared writes:");
    double ofPsets = seconds(ior("--declared", "--subfiles", "pset"), "declared writes:");
    assertThat(ofPsets).isCloseTo(declared, Percentage.withPercentage(60));
    List<String> started = ior("--subfiles", "pset", "--compute", "2", "--test", "1");
    assertThat(seconds(started, "started writes:")).isGreaterThanOrEqualTo(2);
  }

  @Test
  void hintsAreSearchedInVirtualTime() throws IOException {
    Path file = folder.resolve("hints");
    List<String> lines =
        lines(
            "tune", "--machine", "crill", "--hints", file.toString(), "tile-io", "--ranks", "128");
    assertThat(lines).anyMatch(line -> line.contains("combinations modelled"));
    assertThat(lines).anyMatch(line -> line.contains("defaults"));
    assertThat(file).content().startsWith("# written by hyperslab tune");
  }

  @Test
  void contradictingOptionsAreRefused() {
    for (String[] wrong :
        new String[][] {
          {"simulate", "--declared", "--compute", "1", "ior", "--ranks", "4"},
          {"simulate", "--figure", "tapioca-12", "ior", "--ranks", "4"},
          {"simulate", "--machine", "crill", "--subfiles", "pset", "ior", "--ranks", "4"},
          {"simulate", "--subfiles", "bogus", "ior", "--ranks", "4"},
          {"simulate"},
          {"tune", "--nodes", "2", "ior", "--ranks", "4"}
        }) {
      CommandRun run = CommandRun.of(wrong);
      assertThat(run.code()).as(String.join(" ", wrong)).isNotZero();
      assertThat(run.err()).contains("actual=").contains("expected=");
    }
  }
}
