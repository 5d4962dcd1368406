package org.hyperslab.testkit.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs campaigns: one child process after the other, each with a heap of 256 MiB.
 *
 * <p>Thread rule: any thread.
 */
public final class Fuzzer {

  private static final int MAX_FAILURES = 100;
  private static final String HEAP = "-Xmx256m";

  private final FuzzOptions options;
  private final List<String> failures = new ArrayList<>();
  private long cases;
  private int edges;
  private int pool;
  private long slowestMillis;
  private int children;

  private Fuzzer(FuzzOptions options) {
    this.options = options;
  }

  /**
   * Runs a campaign to its end.
   *
   * @param options the options of the campaign
   * @return the result
   */
  public static FuzzReport run(FuzzOptions options) {
    return new Fuzzer(options).run();
  }

  private FuzzReport run() {
    long deadline = System.nanoTime() + options.seconds() * 1_000_000_000L;
    long next = 0;
    boolean more = true;
    while (more && failures.size() < MAX_FAILURES && System.nanoTime() < deadline) {
      long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000_000L);
      long before = next;
      next = child(next, (int) left);
      more = next > before && next < total();
    }
    return new FuzzReport(cases, edges, pool, slowestMillis, children, failures);
  }

  private int total() {
    return options.cases() == 0 ? options.seeds().size() : options.cases();
  }

  /** Runs a child from a case on, and returns the next case. */
  private long child(long first, int seconds) {
    children++;
    FuzzOptions now = options.toBuilder().seconds(seconds).build();
    try {
      Files.createDirectories(options.folder());
      Path list = options.folder().resolve("seeds.txt");
      Files.writeString(
          list, options.seeds().stream().map(Path::toString).collect(Collectors.joining("\n")));
      Process process = start(now, list, first);
      long next = total();
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          next = line(line, next);
        }
      }
      int code = process.waitFor();
      if (code != 0 && code != FuzzChild.GO_ON) {
        failures.add("child ended with exit code " + code + " after case " + cases);
      }
      return next;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  private static Process start(FuzzOptions options, Path list, long first) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FuzzChild.class.getName(),
                list.toString(),
                Long.toString(first)));
    command.addAll(options.words());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private long line(String line, long next) {
    String[] words = line.split("\t", -1);
    switch (words[0]) {
      case "end" -> {
        cases += Long.parseLong(words[1]);
        edges = Integer.parseInt(words[2]);
        pool = Integer.parseInt(words[3]);
        slowestMillis = Math.max(slowestMillis, Long.parseLong(words[4]));
        return Long.parseLong(words[5]);
      }
      case "bad" -> failures.add(line.substring(4).replace('\t', ' '));
      default -> System.out.println("  | " + line);
    }
    return next;
  }
}
