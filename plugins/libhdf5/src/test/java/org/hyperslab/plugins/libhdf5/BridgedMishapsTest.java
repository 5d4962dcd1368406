package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what happens to the bridge in programs and on machines that are not as it expects. */
final class BridgedMishapsTest {

  @TempDir private static Path folder;
  private static BridgedPrograms programs;

  @BeforeAll
  static void build() {
    programs = new BridgedPrograms(folder);
  }

  /** A folder of plugins on the path changes nothing for a program that chooses no connector. */
  @Test
  void programsThatDoNotChooseItAreNotAffected() {
    String bystander = programs.compile("bystander.c").toString();
    String plugin =
        BridgeLibrary.build(folder, BridgeLibrary.Binding.ofThisProcess(Optional.empty()))
            .toString();
    Oracle run = programs.alone("h5run");
    Outcome without = run.runIn(folder, bystander).orFail();
    Outcome with = run.with(Map.of("HDF5_PLUGIN_PATH", plugin)).runIn(folder, bystander).orFail();
    assertThat(without.output()).contains("not there: errno 2", "JVM 0");
    assertThat(with.output()).isEqualTo(without.output());
    assertThat(with.errors()).isEqualTo(without.errors());

    Outcome chosen =
        run.with(Map.of("HDF5_PLUGIN_PATH", plugin)).runIn(folder, bystander, "chosen").orFail();
    assertThat(chosen.output()).isEqualTo("accessible 1, 0\nJVM 1\n");
  }

  @Test
  void programThatHidesItsLibraryIsToldHowToLinkIt() {
    Path source = BridgedPrograms.copied("static.c", folder);
    Path program = folder.resolve("static");
    Oracle.program("gcc").run("-o", program.toString(), source.toString(), "-ldl").orFail();
    Path plugin =
        BridgeLibrary.build(folder, BridgeLibrary.Binding.ofThisProcess(Optional.empty()));
    Outcome outcome =
        programs
            .alone("h5run")
            .with(Map.of("HDF5_VOL_CONNECTOR", "hyperslab native"))
            .run(program.toString(), plugin.resolve("libhyperslab.so").toString())
            .orFail();
    assertThat(outcome.output()).isEqualTo("connector 0\n");
    assertThat(outcome.errors()).contains("contains libhdf5", "h5cc -shlib", "-rdynamic");
  }

  @Test
  void forkedChildIsRefusedAndTheParentContinues() {
    Path file = folder.resolve("fork.h5");
    Outcome outcome =
        programs
            .bridged("h5run", "native")
            .run(programs.compile("fork.c").toString(), file.toString())
            .orFail();
    assertThat(outcome.output())
        .isEqualTo("before 1\nchild: uses 0, opens 0\nchild exited 7\nafter 1\nclosed 1\n");
    assertThat(outcome.errors())
        .containsOnlyOnce("hyperslab: a process that forked after the connector was loaded");
    assertThat(programs.alone("h5ls").run(file.toString()).orFail().output().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("after") || line.startsWith("before"));
  }

  @Test
  void handlersOfTheProgramAreKept() {
    Path program = programs.compile("signals.c");
    assertThat(
            programs
                .bridged("h5run", "native")
                .run(program.toString(), folder + "/signals.h5")
                .orFail()
                .output())
        .isEqualTo("heard 1 1 1 1\nfaults 0\nmade 1\n");
  }

  @Test
  void faultsReachTheProgramIfTheJvmsLibraryForThemIsPreloaded() {
    String library = System.getProperty("java.home") + "/lib/libjsig.so";
    Outcome outcome =
        programs
            .bridged("h5run", "native", Map.of("LD_PRELOAD", library))
            .run(programs.compile("signals.c").toString(), folder + "/faults.h5", "faults")
            .orFail();
    assertThat(outcome.output()).isEqualTo("heard 1 1 1 1\nfaults 2\nmade 1\n");
  }

  @Test
  void nothingIsLeftInTmp() {
    Path program = programs.compile("sockets.c");
    Outcome outcome =
        programs.bridged("h5run", "native").run(program.toString(), folder + "/sockets.h5");
    assertThat(outcome.orFail().output()).isEqualTo("socket 0\n");
  }

  @Test
  void missingJvmIsReported() throws IOException {
    Path home = folder.resolve("jdk");
    Path real = Path.of(System.getProperty("java.home"));
    Path machine = home.resolve("lib/server/libjvm.so");
    Files.createDirectories(machine.getParent());
    Files.createSymbolicLink(home.resolve("include"), real.resolve("include"));
    Files.createFile(machine);
    Path plugin =
        BridgeLibrary.build(
            folder, new BridgeLibrary.Binding(home, "nothing.jar", Optional.empty()));
    Files.delete(machine);
    Files.delete(home.resolve("include"));

    Outcome outcome = opened(plugin, Map.of("HYPERSLAB_JAVA_HOME", home.toString()));
    assertThat(outcome.errors()).contains("hyperslab: no JVM: ", "run \"hyperslab bridge --path\"");
    assertThat(outcome.exitCode()).isEqualTo(3);

    Map<String, String> other = Map.of("JAVA_HOME", System.getProperty("java.home"));
    assertThat(opened(plugin, other).errors())
        .as("another JVM is found, and the class path is missing")
        .contains("the class path has no bridge: ");
  }

  /** All that the plugin needs is named relative to it; nobody but its owner may write there. */
  @Test
  void aMovedPackageRunsForAnotherUser() throws IOException {
    openToAll(folder);
    Path made = Files.createDirectory(folder.resolve("made here"));
    List<String> copies = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(":")) {
      copies.add(copied(Path.of(each), made.resolve("lib" + copies.size())).toString());
    }
    BridgeLibrary.buildPackage(
        made.resolve("plugin"),
        new BridgeLibrary.Binding(
            Path.of(System.getProperty("java.home")),
            String.join(":", copies),
            Optional.of(made.resolve("not there.aot"))));
    Path moved = Files.move(made, folder.resolve("moved"));
    Path file = openToAll(Files.createDirectory(folder.resolve("of all"))).resolve("a.h5");
    String program = programs.compile("another_user.c").toString();

    Outcome outcome =
        programs
            .alone("h5run")
            .with(variables(moved.resolve("plugin")))
            .run(program, file.toString())
            .orFail();

    assertThat(outcome.errors()).isEmpty();
    assertThat(outcome.output()).isEqualTo("root 0, made 1\n");
    assertThat(programs.alone("h5ls").run(file.toString()).orFail().output()).startsWith("g");
  }

  private static Path copied(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
    return to;
  }

  private static Path openToAll(Path folder) throws IOException {
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @Test
  void missingClassPathIsReported() {
    Path plugin =
        BridgeLibrary.build(
            folder,
            new BridgeLibrary.Binding(
                Path.of(System.getProperty("java.home")), "/nowhere/a.jar", Optional.empty()));

    Outcome outcome = opened(plugin, Map.of());
    assertThat(outcome.errors()).contains("the class path has no bridge: /nowhere/a.jar");
    assertThat(outcome.exitCode()).isEqualTo(3);
  }

  /** Runs a program that opens a file which is not there, with a plugin. */
  private static Outcome opened(Path plugin, Map<String, String> more) {
    Map<String, String> variables = variables(plugin);
    variables.putAll(more);
    return programs
        .alone("h5run")
        .with(variables)
        .run(programs.compile("errors.c").toString(), folder + "/none.h5");
  }

  private static Map<String, String> variables(Path plugin) {
    Map<String, String> variables = new HashMap<>();
    variables.put("HDF5_PLUGIN_PATH", plugin.toString());
    variables.put("HDF5_VOL_CONNECTOR", "hyperslab native");
    return variables;
  }

  @Test
  void missingServerIsReported() {
    Outcome outcome =
        programs
            .bridged("h5run", "forwarding servers=127.0.0.1:1 reconnect=1")
            .run(programs.compile("errors.c").toString(), "none.h5");
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.errors()).contains("Hyperslab-DIAG", "127.0.0.1:1");
  }

  @Test
  void lostServerFailsCallsAndTheProgramCanEnd() {
    Path sign = folder.resolve("sign");
    Path program = programs.compile("gone.c");
    StageServer server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.resolve("served")));
    String connector = "forwarding reconnect=1 servers=" + server.address();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> closeAt(sign, server));

    Outcome outcome =
        programs.bridged("h5run", connector).run(program.toString(), "gone.h5", sign.toString());

    closing.join();
    assertThat(outcome.output())
        .as("exit code " + outcome.exitCode() + ", " + outcome.errors())
        .startsWith("before 1\nflushed 0\nread 0\nclosed ");
    assertThat(outcome.errors()).contains("Hyperslab-DIAG", server.address().toString());
    assertThat(outcome.exitCode()).isZero();
  }

  /** Closes a server once a file is there, and deletes the file. */
  private static void closeAt(Path sign, StageServer server) {
    long end = System.nanoTime() + 100_000_000_000L;
    while (!Files.exists(sign) && System.nanoTime() < end) {
      LockSupport.parkNanos(10_000_000);
    }
    server.close();
    try {
      Files.deleteIfExists(sign);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
