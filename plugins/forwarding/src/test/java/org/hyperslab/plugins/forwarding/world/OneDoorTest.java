package org.hyperslab.plugins.forwarding.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The modules of staging start threads, wait for a limited time and ask for the time through {@link
 * org.hyperslab.vol.base.Scheduling} only; otherwise a simulated world would not control them.
 */
class OneDoorTest {

  private static final Pattern BARE =
      Pattern.compile(
          "System\\.(nanoTime|currentTimeMillis)|new Thread\\b|Thread\\.(of|start|sleep|onSpin)"
              + "|Executors?\\.new|new (\\w*Timer|ThreadPoolExecutor|ForkJoinPool)\\b"
              + "|delayedExecutor|orTimeout|completeOnTimeout|parkNanos|(supply|run)Async\\("
              + "|(then|when|handle)\\w*Async\\([^,]*\\)|\\.wait\\([^)]");

  /** The thread of the log calls the program's logger, and no operation waits for it. */
  private static final List<String> APART = List.of("StageLog.java");

  @Test
  void nothingElseStartsThreadsOrTellsTheTime() throws IOException {
    List<String> found = new ArrayList<>();
    Path plugins = Path.of(System.getProperty("hyperslab.root"), "plugins");
    for (String module : List.of("forwarding", "compacting")) {
      try (Stream<Path> files = Files.walk(plugins.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          search(file, found);
        }
      }
    }
    assertThat(found).isEmpty();
  }

  private static void search(Path file, List<String> found) throws IOException {
    if (APART.contains(file.getFileName().toString())) {
      return;
    }
    for (String line : Files.readAllLines(file)) {
      String code = line.strip();
      if (!code.startsWith("*") && !code.startsWith("/") && BARE.matcher(code).find()) {
        found.add(file.getFileName() + ": " + code);
      }
    }
  }
}
