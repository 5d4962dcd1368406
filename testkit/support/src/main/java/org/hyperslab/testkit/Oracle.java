package org.hyperslab.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Another program that judges files: {@code h5dump}, {@code h5diff}, or Python with h5py. A test
 * that needs one which is not installed is skipped, naming it; with {@code -Dhyperslab.strict=true}
 * it fails.
 *
 * <p>Thread rule: any thread.
 */
public final class Oracle {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String OPEN_MPI = "mpirun.openmpi";

  /** The variable with the folder in which Open MPI creates, and deletes, session directories. */
  private static final String SESSIONS = "OMPI_MCA_orte_tmpdir_base";

  private static final String LOCKING = "HDF5_USE_FILE_LOCKING";

  private final String name;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Optional<PythonServer> server;

  private Oracle(String name, List<String> command) {
    this(name, command, Map.of(), Optional.empty());
  }

  private Oracle(
      String name,
      List<String> command,
      Map<String, String> environment,
      Optional<PythonServer> server) {
    this.name = name;
    this.command = command;
    this.environment = environment;
    this.server = server;
  }

  /**
   * {@return the same program, run with some variables of the environment}
   *
   * @param variables the variables, by name
   */
  public Oracle with(Map<String, String> variables) {
    // A library that is loaded has read its environment.
    return new Oracle(name, command, Map.copyOf(variables), Optional.empty());
  }

  /**
   * The outcome of a program.
   *
   * @param exitCode its exit code
   * @param output its standard output
   * @param errors its standard error
   */
  public record Outcome(int exitCode, String output, String errors) {

    /** {@return its standard output, followed by its standard error} */
    public String text() {
      return output + errors;
    }

    /**
     * Requires that the exit code is 0; fails with the program's output otherwise.
     *
     * @return this outcome
     */
    public Outcome orFail() {
      if (exitCode != 0) {
        throw new AssertionError("exit code " + exitCode + "\n" + text());
      }
      return this;
    }
  }

  /** {@return the h5dump of this machine} */
  public static Oracle h5dump() {
    return program("h5dump");
  }

  /**
   * {@return the h5diff of this machine, which ends with 0 if files are equal and with 1 if they
   * differ}
   */
  public static Oracle h5diff() {
    return program("h5diff");
  }

  /**
   * Returns a tool of the newest HDF5, such as {@code h5diff}. It is in the folder that the system
   * property {@code hyperslab.hdf5.newest} names, or otherwise in the folder that the program
   * {@code newest-hdf5} beside the corpus fetches once for a machine.
   *
   * @param tool the name of the tool
   * @return the tool; empty if there is neither folder
   */
  public static Optional<Oracle> newest(String tool) {
    return NewestHdf5.folder()
        .map(folder -> folder.resolve("bin").resolve(tool))
        .filter(Files::isExecutable)
        .map(path -> new Oracle(tool + " of the newest HDF5", List.of(path.toString())));
  }

  /** {@return Python with h5py and NumPy; its first argument is the text of a script} */
  public static Oracle h5py() {
    return pythonWith("h5py", "-c");
  }

  /**
   * Returns Python with h5py and NumPy, which runs a script in a file.
   *
   * @param script the file
   * @return the program
   */
  public static Oracle h5py(Path script) {
    return pythonWith("h5py", script.toString());
  }

  /**
   * Returns Python with the modules that the table of judges lists for a name, which runs a script
   * in a file.
   *
   * @param name a judge of the kind {@code python}
   * @param script the script
   * @return the judge; the test is skipped if a module is not installed
   * @throws AssertionError if the table, {@code judges.tsv}, does not list it
   */
  public static Oracle python(String name, Path script) {
    return pythonWith(name, script.toString());
  }

  private static Oracle pythonWith(String name, String script) {
    Optional<PythonServer> server =
        find(python())
            .map(path -> PythonServer.of(path.toString(), Judges.pythonModules(name), variables()))
            .filter(PythonServer::isReady);
    skipUnless(name, server.isPresent());
    return new Oracle(name, List.of(python(), script), Map.of(), server);
  }

  /**
   * Returns a program on the path that the table of judges lists; skips the test if it is not
   * installed.
   *
   * @param name the name of the program
   * @return the program
   * @throws AssertionError if the table, {@code judges.tsv}, does not list it
   */
  public static Oracle program(String name) {
    Judges.requireListed(name.substring(name.lastIndexOf('/') + 1));
    Optional<Path> path = find(name);
    skipUnless(name, path.isPresent());
    return new Oracle(name, List.of(path.orElseThrow().toString()));
  }

  /**
   * Returns a file that judges load, such as a plugin of HDF5; skips the test if it is not there.
   *
   * @param name the name in the table of judges
   * @param path the file
   * @return the file
   * @throws AssertionError if the table, {@code judges.tsv}, does not list it
   */
  public static Path file(String name, Path path) {
    Judges.requireListed(name);
    skipUnless(name, Files.isReadable(path));
    return path;
  }

  private static String python() {
    return Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";
  }

  private static Optional<Path> find(String name) {
    if (name.contains(File.separator)) {
      return Optional.of(Path.of(name)).filter(Files::isExecutable);
    }
    String path = System.getenv("PATH");
    if (path == null) {
      return Optional.empty();
    }
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
      if (Files.isExecutable(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private static void skipUnless(String name, boolean present) {
    if (!present && Boolean.getBoolean("hyperslab.strict")) {
      throw new AssertionError(name + " is not installed, and strict mode skips no test");
    }
    assumeTrue(present, () -> name + " is not installed on this machine");
  }

  /**
   * Runs the program for at most five minutes.
   *
   * @param arguments its arguments
   * @return its exit code and output
   */
  public Outcome run(String... arguments) {
    return runIn(null, LIMIT, arguments);
  }

  /**
   * Runs the program in a folder for at most five minutes.
   *
   * @param folder the folder; null for the current folder of this process
   * @param arguments its arguments
   * @return its exit code and output
   */
  public Outcome runIn(Path folder, String... arguments) {
    return runIn(folder, LIMIT, arguments);
  }

  /**
   * Runs the program for at most {@code limit}, after which it and its child processes are killed.
   * Jobs of Open MPI that start or end at the same time must not share a session directory.
   */
  Outcome runIn(Path folder, Duration limit, String... arguments) {
    if (!name.equals(OPEN_MPI)) {
      return execute(folder, limit, arguments);
    }
    try (TemporaryFolder sessions = TemporaryFolder.create("job")) {
      Map<String, String> variables = new HashMap<>(environment);
      variables.put(SESSIONS, sessions.path().toString());
      return with(variables).execute(folder, limit, arguments);
    }
  }

  private Outcome execute(Path folder, Duration limit, String... arguments) {
    try {
      Optional<Outcome> served = serve(folder, limit, arguments);
      if (served.isPresent()) {
        return served.get();
      }
      Process process = builder(folder, arguments).start();
      process.getOutputStream().close();
      CompletableFuture<String> output = text(process.getInputStream());
      CompletableFuture<String> errors = text(process.getErrorStream());
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new AssertionError(
            "%s did not end within %s: %s%n%s%s"
                .formatted(name, limit, String.join(" ", arguments), output.join(), errors.join()));
      }
      return new Outcome(process.exitValue(), output.join(), errors.join());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(name + " was interrupted", e);
    }
  }

  private Optional<Outcome> serve(Path folder, Duration limit, String... arguments)
      throws IOException, InterruptedException {
    if (server.isEmpty()) {
      return Optional.empty();
    }
    List<String> argv = new ArrayList<>(command.subList(1, command.size()));
    argv.addAll(List.of(arguments));
    try {
      return server.get().run(folder == null ? Path.of("") : folder, limit, argv);
    } catch (TimeoutException e) {
      throw new AssertionError(
          "%s did not end within %s: %s".formatted(name, limit, String.join(" ", argv)), e);
    }
  }

  /**
   * Starts the program for a dialogue. Standard error is merged into standard output, and files are
   * locked as the environment specifies.
   *
   * @param environment variables that are added
   */
  Process start(Map<String, String> environment, String... arguments) {
    ProcessBuilder builder = builder(null, arguments).redirectErrorStream(true);
    builder.environment().remove(LOCKING);
    builder.environment().putAll(environment);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ProcessBuilder builder(Path folder, String... arguments) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(whole);
    builder.environment().putAll(variables());
    builder.environment().putAll(environment);
    return builder.directory(folder == null ? null : folder.toFile());
  }

  /** Returns what every program's environment has; a service process answers each line at once. */
  private static Map<String, String> variables() {
    return Map.of(LOCKING, "FALSE", "LC_ALL", "C.UTF-8", "PYTHONUNBUFFERED", "1");
  }

  private static CompletableFuture<String> text(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }
}
