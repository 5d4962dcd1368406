package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Programs of the HDF5 library that judge what this connector writes, where they are installed. */
final class Judge {

  private static final Path PYTHON = Path.of("/usr/bin/python3");

  private Judge() {}

  /**
   * Runs a Python script with h5py, numpy as np and the given arguments; returns what it prints.
   */
  static String python(String script, Object... arguments) {
    Assumptions.assumeTrue(
        Files.isExecutable(PYTHON) && run(List.of(PYTHON.toString(), "-c", "import h5py")).ok,
        "python3 with h5py is not installed");
    List<String> command = new ArrayList<>();
    command.add(PYTHON.toString());
    command.add("-c");
    command.add("import sys, h5py, numpy as np\n" + script);
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Result result = run(command);
    assertThat(result.ok).as(result.output).isTrue();
    return result.output.strip();
  }

  /** Runs h5dump and requires that it understands the file; returns what it prints. */
  static String h5dump(Path file, String... options) {
    List<String> command = new ArrayList<>(List.of("h5dump"));
    command.addAll(List.of(options));
    command.add(file.toString());
    Result result = tool(command);
    assertThat(result.ok).as(result.output).isTrue();
    return result.output;
  }

  /** Whether h5dump refuses a file. */
  static boolean refuses(Path file) {
    return !tool(List.of("h5dump", file.toString())).ok;
  }

  private static Result tool(List<String> command) {
    Result result;
    try {
      result = run(command);
    } catch (IllegalStateException absent) {
      Assumptions.abort(command.getFirst() + " is not installed");
      return new Result(false, "");
    }
    return result;
  }

  private record Result(boolean ok, String output) {}

  private static Result run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor() == 0, output);
    } catch (IOException absent) {
      throw new IllegalStateException(absent);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stop);
    }
  }
}
