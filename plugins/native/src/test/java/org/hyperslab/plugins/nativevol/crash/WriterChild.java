package org.hyperslab.plugins.nativevol.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.ChildJvm;

/** A process, to be killed, that edits a file and prints a line after every flush. */
public final class WriterChild {

  private static final int MAX_FLUSHES = 10_000;
  private static final int EDITS = 5;

  private final Process process;
  private final BufferedReader lines;

  private WriterChild(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts one on a file that is there. */
  static WriterChild start(Path file, long seed) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildJvm.command(256, WriterChild.class, file.toString(), Long.toString(seed)));
    builder.redirectErrorStream(true);
    return new WriterChild(builder.start());
  }

  /**
   * Kills it some time after a number of flushes, like kill -9.
   *
   * @return the number of flushes that it had completed and reported
   */
  int kill(int afterFlushes, int thenMillis) throws IOException, InterruptedException {
    int flushes = 0;
    List<String> other = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("flushed " + (flushes + 1))) {
        flushes++;
      } else {
        other.add(line);
      }
      if (flushes == afterFlushes && process.isAlive()) {
        process.waitFor(thenMillis, TimeUnit.MILLISECONDS);
        process.toHandle().destroyForcibly(); // the process itself would close its output too
      }
    }
    process.waitFor();
    if (!other.isEmpty()) {
      throw new AssertionError("the writer failed: " + String.join("\n", other));
    }
    return flushes;
  }

  /** Returns the expected states after the first flushes of a writer; the one at 0 is given. */
  static List<Recording.Flushed> expected(byte[] before, long seed, int flushes) {
    Recording.Amount amount = new Recording.Amount(1, flushes, EDITS);
    return Recording.ofEdits(
            before, new Random(seed), CutJudge.EDIT, amount, UnaryOperator.identity())
        .flushed();
  }

  /** The writing process: file and seed. */
  public static void main(String[] arguments) {
    Random random = new Random(Long.parseLong(arguments[1]));
    try (H5File file = Hdf5.open(Path.of(arguments[0]), OpenOptions.EDIT)) {
      Workload workload = new Workload(random, State.of(file));
      for (int flush = 1; flush <= MAX_FLUSHES; flush++) {
        Recording.editAndFlush(file, workload, random, EDITS);
        System.out.println("flushed " + flush);
        System.out.flush();
      }
    }
  }
}
