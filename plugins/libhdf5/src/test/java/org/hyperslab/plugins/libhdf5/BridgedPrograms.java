package org.hyperslab.plugins.libhdf5;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.testkit.Oracle;

/** Runs programs of the newest installed HDF5, with and without the bridge. */
final class BridgedPrograms {

  private final Path folder;

  /** Builds the plugin below a folder; skips the test if HDF5 or the compiler is not installed. */
  BridgedPrograms(Path folder) {
    this.folder = folder;
    Oracle.program("gcc"); // which builds the plugin
  }

  /** Returns a tool on libhdf5's native connector. */
  Oracle alone(String tool) {
    Optional<Oracle> found = Oracle.newest(tool);
    assumeTrue(found.isPresent(), "HDF5 2 is not on this machine");
    return found.orElseThrow();
  }

  /** Returns a tool that uses one of this project's connectors through the bridge. */
  Oracle bridged(String tool, String connector) {
    return bridged(tool, connector, Map.of());
  }

  /** Returns a tool that uses a connector through the bridge, with more environment variables. */
  Oracle bridged(String tool, String connector, Map<String, String> more) {
    Path plugin =
        BridgeLibrary.build(folder, BridgeLibrary.Binding.ofThisProcess(Optional.empty()));
    Map<String, String> variables = new HashMap<>(more);
    // Each program starts a JVM, for a second.
    variables.putIfAbsent(
        "HYPERSLAB_JAVA_OPTS",
        "-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote");
    variables.merge("HDF5_PLUGIN_PATH", plugin.toString(), (given, own) -> own + ":" + given);
    variables.put("HDF5_VOL_CONNECTOR", ("hyperslab " + connector).strip());
    return alone(tool).with(variables);
  }

  /** Compiles a program among the test resources. */
  Path compile(String source) {
    Path program = folder.resolve(source.replace(".c", ""));
    Path copy = copied(source, folder);
    alone("h5cc").run("-o", program.toString(), copy.toString()).orFail();
    return program;
  }

  /** Copies a source among the test resources to a folder. */
  static Path copied(String source, Path folder) {
    Path copy = folder.resolve(source);
    try (InputStream in = BridgedPrograms.class.getResourceAsStream(source)) {
      return Files.write(copy, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
