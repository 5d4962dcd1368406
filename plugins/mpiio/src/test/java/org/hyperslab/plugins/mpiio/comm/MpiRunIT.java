package org.hyperslab.plugins.mpiio.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of real MPI processes under {@code mpirun.openmpi} and {@code mpirun.mpich}: the contract of
 * communicators, the binding's own checks, and how jobs end. A job that does not end is killed and
 * fails. Where a launcher is not installed its tests are skipped, unless {@code hyperslab.strict}
 * is true.
 */
final class MpiRunIT {

  private static final long SEED = Long.getLong("hyperslab.seed", 20261121L);
  private static final long LIMIT_SECONDS = 240;

  @TempDir private static Path folder;

  /** A launcher and the ranks it is asked for; MPICH does not yield, so no more than two. */
  private record Launcher(String name, int ranks, List<String> options) {
    boolean isInstalled() {
      return Stream.of(System.getenv("PATH").split(":"))
          .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }
  }

  private static final List<Launcher> LAUNCHERS =
      List.of(
          new Launcher(
              "mpirun.openmpi",
              4,
              List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")),
          new Launcher("mpirun.mpich", 2, List.of()));

  /** How a job ended and what it printed. */
  private record Outcome(int code, String text) {}

  @TestFactory
  Stream<DynamicTest> jobsUnderBothLaunchers() {
    return LAUNCHERS.stream()
        .flatMap(launcher ->
            Stream.of(
                test(launcher, "keepsTheContract", () -> comesThrough(launcher, "contract")),
                test(launcher, "passesTheBindingsChecks", () -> comesThrough(launcher, "binding")),
                test(launcher, "readsAndWritesFiles", () -> comesThrough(launcher, "files")),
                test(launcher, "endsCleanlyWhenMainReturns", () -> comesThrough(launcher, "quiet")),
                test(launcher, "endsCleanlyAtExitZero", () -> comesThrough(launcher, "exit-zero")),
                test(
                    launcher,
                    "keepsTheJvmsNullChecks",
                    () -> comesThrough(launcher, "null-checks")),
                test(launcher, "exceptionOfOneRankEndsTheJob", () -> throwing(launcher)),
                test(launcher, "exitCodeOfOneRankIsTheJobs", () -> exiting(launcher, "exit", 3)),
                test(launcher, "deathOfOneRankEndsTheJob", () -> exiting(launcher, "halt", 4))));
  }

  private static DynamicTest test(Launcher launcher, String behaviour, Executable body) {
    return DynamicTest.dynamicTest(
        behaviour + " under " + launcher.name,
        () -> {
          String absent = launcher.name + " is not installed: this test is skipped";
          if (Boolean.getBoolean("hyperslab.strict")) {
            assertThat(launcher.isInstalled()).as(absent).isTrue();
          }
          assumeTrue(launcher.isInstalled(), absent);
          body.execute();
        });
  }

  private void comesThrough(Launcher launcher, String what) throws Exception {
    Outcome outcome =
        run(launcher, what, what.equals("files") ? folder.toString() : Long.toString(SEED));
    assertThat(outcome.code).as(outcome.text).isZero();
    for (int rank = 0; rank < launcher.ranks; rank++) {
      assertThat(outcome.text)
          .contains("done " + what + " MPI_COMM_WORLD " + rank + " of " + launcher.ranks);
    }
  }

  private void throwing(Launcher launcher) throws Exception {
    Outcome outcome = run(launcher, "throw");
    assertThat(outcome.code).as(outcome.text).isNotZero();
    assertThat(outcome.text)
        .contains("rank 1 of " + launcher.ranks + " aborts")
        .contains("rank one gives up")
        .doesNotContain("done");
  }

  private void exiting(Launcher launcher, String what, int code) throws Exception {
    Outcome outcome = run(launcher, what);
    assertThat(outcome.code).as(outcome.text).isEqualTo(code);
    assertThat(outcome.text).doesNotContain("done");
  }

  private static Outcome run(Launcher launcher, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(launcher.name);
    command.addAll(launcher.options);
    command.addAll(List.of("-n", Integer.toString(launcher.ranks)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(MpiRank.class.getName());
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(folder, "job", ".txt");
    Process job =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return outcome(job, output, String.join(" ", command.subList(0, 6)));
  }

  private static Outcome outcome(Process job, Path output, String what)
      throws IOException, InterruptedException {
    boolean ended = job.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      job.descendants().forEach(ProcessHandle::destroyForcibly);
      job.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(ended).as("%s has not ended in %s s: %s", what, LIMIT_SECONDS, text).isTrue();
    return new Outcome(job.exitValue(), text);
  }
}
