package org.hyperslab.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * A Python that has loaded some modules once and forks itself for each program: loading h5py and
 * NumPy takes ten times as long as most programs of tests. A program notices no difference from a
 * process of its own: it has its own arguments, folder, output and exit, and may crash.
 *
 * <p>Thread rule: any thread; one program at a time.
 */
final class PythonServer {

  private static final Map<String, PythonServer> SERVERS = new ConcurrentHashMap<>();

  private final ReentrantLock one = new ReentrantLock();
  private final Process process;
  private final BufferedReader answers;
  private final Writer requests;
  private final boolean ready;

  private PythonServer(ProcessBuilder builder) throws IOException {
    process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    requests = process.outputWriter(StandardCharsets.UTF_8);
    ready = "ready".equals(answers.readLine());
  }

  /**
   * Returns the server that has loaded the modules, started if it is the first use in this process.
   *
   * @param python the interpreter
   * @param modules the names of the modules, separated by commas
   * @param environment the variables that programs have beyond those of this process
   * @return the server, which is not ready if a module is missing
   */
  static PythonServer of(String python, String modules, Map<String, String> environment) {
    return SERVERS.computeIfAbsent(
        modules,
        key -> {
          ProcessBuilder builder = new ProcessBuilder(python, "-c", script(), modules);
          builder.environment().putAll(environment);
          try {
            return new PythonServer(builder);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static String script() {
    try (InputStream in = PythonServer.class.getResourceAsStream("python_server.py")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return whether all modules are installed} */
  boolean isReady() {
    return ready;
  }

  /**
   * Runs a program.
   *
   * @param folder its folder
   * @param limit the longest time, after which the server and the program are killed
   * @param argv the path of a script, or {@code -c} and its text; then its arguments
   * @return its outcome; empty if the server is at another program, or was killed
   * @throws TimeoutException if the program does not end in time
   */
  Optional<Oracle.Outcome> run(Path folder, Duration limit, List<String> argv)
      throws IOException, InterruptedException, TimeoutException {
    if (!one.tryLock()) {
      return Optional.empty();
    }
    try {
      if (!process.isAlive()) {
        return Optional.empty();
      }
      Path output = Files.createTempFile("hyperslab-python", ".out");
      Path errors = Files.createTempFile("hyperslab-python", ".err");
      try {
        ask(folder, argv, output, errors);
        int exitCode = answer(limit);
        return Optional.of(new Oracle.Outcome(exitCode, read(output), read(errors)));
      } finally {
        Files.delete(output);
        Files.delete(errors);
      }
    } finally {
      one.unlock();
    }
  }

  private void ask(Path folder, List<String> argv, Path output, Path errors) throws IOException {
    String words = argv.stream().map(PythonServer::quoted).collect(Collectors.joining(","));
    requests.write(
        "{\"argv\":[%s],\"folder\":%s,\"output\":%s,\"errors\":%s}\n"
            .formatted(
                words,
                quoted(folder.toAbsolutePath().toString()),
                quoted(output.toString()),
                quoted(errors.toString())));
    requests.flush();
  }

  private int answer(Duration limit) throws InterruptedException, TimeoutException {
    CompletableFuture<String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return answers.readLine();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> Thread.ofVirtual().start(task));
    try {
      return Integer.parseInt(line.get(limit.toSeconds(), TimeUnit.SECONDS));
    } catch (TimeoutException late) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw late;
    } catch (ExecutionException e) {
      throw new AssertionError("the Python that runs programs ended", e);
    }
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || c > '~') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
