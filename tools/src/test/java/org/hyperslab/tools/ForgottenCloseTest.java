package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.ChildJvm;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the files of a program which does not close them are saved, however it ends. */
@Timeout(300)
final class ForgottenCloseTest {

  private static final String WARNING = "hyperslab: warning: ";
  private static final String LAST = "(" + (ForgetfulProgram.COUNT - 1) + ".0, 7)";

  @TempDir private Path folder;

  /** What a program left behind. */
  private record End(int exitCode, String said) {}

  private static List<String> command(Map<String, String> properties, String... arguments) {
    List<String> command =
        new ArrayList<>(ChildJvm.command(256, ForgetfulProgram.class, arguments));
    properties.forEach((name, value) -> command.add(1, "-D" + name + "=" + value));
    return command;
  }

  private static Process start(Map<String, String> properties, String... arguments)
      throws IOException {
    // A shell's background jobs, and their children, ignore SIGINT.
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,TERM,HUP"));
    words.addAll(command(properties, arguments));
    return new ProcessBuilder(words).redirectErrorStream(true).start();
  }

  private static End end(Process child) throws IOException, InterruptedException {
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new End(child.waitFor(), said);
  }

  private static End run(String... arguments) throws IOException, InterruptedException {
    return end(start(Map.of(), arguments));
  }

  private Path file() {
    return folder.resolve("forgotten.h5");
  }

  /** Returns the last element of a dataset and an attribute, as h5py reads them. */
  private static String h5py(Path file) {
    String script =
        """
        import h5py, sys
        f = h5py.File(sys.argv[1])
        print((float(f['x'][-1]), int(f.attrs['k'])))
        """;
    return Oracle.h5py().run(script, file.toString()).orFail().output().strip();
  }

  private void requireSaved() {
    assertThat(h5py(file())).isEqualTo(LAST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "async | native", "caching | compacting | native"})
  void aFileIsSavedAtTheEndOfMain(String connector) throws Exception {
    End end = run("main", connector, file().toString());
    assertThat(end.exitCode).as(end.said).isZero();
    requireSaved();
    assertThat(end.said)
        .contains(WARNING + file())
        .contains("opened at org.hyperslab.tools.ForgetfulProgram.written(ForgetfulProgram.java:")
        .hasLineCount(1);
  }

  @Test
  void aFileOfAStagingServerIsSaved() throws Exception {
    try (TemporaryFolder sockets = TemporaryFolder.create("forgotten");
        StageServer server =
            StageServer.start(
                ServerOptions.of(new Address.Unix(sockets.file("socket").toString()), folder))) {
      String connector = "forwarding servers=" + server.address();
      End end = run("main", connector, "forgotten.h5");
      assertThat(end.exitCode).as(end.said).isZero();
      assertThat(end.said).contains(WARNING + "forgotten.h5").hasLineCount(1);
      requireSaved();
    }
  }

  @Test
  void editsInPlaceAndNewObjectsAreSaved() throws Exception {
    End end = run("edit", "native", file().toString());
    assertThat(end.exitCode).as(end.said).isZero();
    requireSaved();
    assertThat(
            Oracle.h5dump()
                .run("-d", "/y", "-s", "5", "-c", "1", file().toString())
                .orFail()
                .output())
        .contains("(5): 10");
  }

  @Test
  void aFileIsSavedBySystemExit() throws Exception {
    End end = run("exit", "native", file().toString());
    assertThat(end.exitCode).as(end.said).isEqualTo(3);
    requireSaved();
  }

  @Test
  void aFileIsSavedIfMainFails() throws Exception {
    End end = run("throw", "native", file().toString());
    assertThat(end.exitCode).isOne();
    assertThat(end.said).contains("thrown by main").contains(WARNING + file());
    requireSaved();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT", "HUP"})
  void aFileIsSavedOnASignal(String signal) throws Exception {
    Process child = start(Map.of(), "signal", "native", file().toString());
    try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("written");
      new ProcessBuilder("kill", "-" + signal, Long.toString(child.pid())).start().waitFor();
      assertThat(lines.readLine()).contains(WARNING + file());
      assertThat(child.waitFor()).isGreaterThan(128);
    }
    requireSaved();
  }

  @Test
  void aFileThatAnotherThreadWritesIsClosedAllTheSame() throws Exception {
    End end = run("busy", "native", file().toString());
    assertThat(end.exitCode).as(end.said).isZero();
    requireSaved();
  }

  @Test
  void aHookOfTheProgramMayUseAndCloseItsFile() throws Exception {
    End end = run("hook", "native", file().toString());
    assertThat(end.said.strip()).isEqualTo("closed by the program");
    assertThat(
            Oracle.h5dump()
                .run("-d", "/log", "-s", "499", "-c", "1", file().toString())
                .orFail()
                .output())
        .contains("(499): 499");
  }

  @Test
  void aFileThatCannotBeClosedDoesNotKeepTheProgram() throws Exception {
    Process child =
        start(Map.of("hyperslab.exitSeconds", "1"), "stuck", "native", file().toString());
    End end = end(child);
    assertThat(end.exitCode).isZero();
    assertThat(end.said).contains("could not be closed within 1 s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "async | native", "compacting | native"})
  void anUnreachableFileIsClosedSoThatItsNameCanBeUsed(String connector) throws Exception {
    End end = run("lost", connector, file().toString());
    assertThat(end.exitCode).as(end.said).isZero();
    assertThat(end.said).contains("replaced");
    assertThat(end.said.lines().filter(line -> line.contains("became unreachable")))
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(Oracle.h5dump().run("-d", "/x", file().toString()).orFail().output())
        .contains("(0): 2");
  }

  @Test
  void aFileRemainsOpenWhileATransferIsUnderWay() throws Exception {
    End end = run("lost-during", "async | native", file().toString());
    assertThat(end.said).contains("joined").doesNotContain("Exception");
    assertThat(end.exitCode).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "memory", "read"})
  void nothingIsReportedWhereNothingCouldBeLost(String how) throws Exception {
    End end = run(how, "native", file().toString());
    assertThat(end).isEqualTo(new End(0, ""));
  }

  @Test
  void allOpenFilesAreReportedWithTheirCalls() throws Exception {
    Process child = start(Map.of("hyperslab.leaks", "trace"), "main", "native", file().toString());
    End end = end(child);
    assertThat(end.said)
        .contains(WARNING + file())
        .contains("at org.hyperslab.tools.ForgetfulProgram.main(ForgetfulProgram.java:");
    requireSaved();
  }

  @Test
  void reportsCanBeSwitchedOff() throws Exception {
    Process child = start(Map.of("hyperslab.leaks", "off"), "main", "native", file().toString());
    assertThat(end(child)).isEqualTo(new End(0, ""));
    requireSaved();
  }

  @Test
  void aFileOfRanksIsReportedAndNotClosed() throws Exception {
    End end = run("main", "mpiio", file().toString());
    assertThat(end.exitCode).as(end.said).isZero();
    assertThat(end.said).contains(WARNING + file()).contains("close a file together");
  }
}
