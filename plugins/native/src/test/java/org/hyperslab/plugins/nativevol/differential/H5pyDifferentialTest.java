package org.hyperslab.plugins.nativevol.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that random files, made here and by h5py from the same edits, give the same four readings
 * by both. A failing case is reduced to the fewest edits that still fail.
 *
 * <p>Structures of HDF5 2.0 are unknown to h5py's library, so tools of HDF5 2.x stand in: h5repack
 * writes h5py's file anew with the newest structures for us, and h5dump has to print the same of
 * our file as of h5py's.
 *
 * <p>The system property {@code hyperslab.differential.cases} says how many edit lists there are,
 * by default 1,000, each of them two files and four readings.
 */
@Campaign
final class H5pyDifferentialTest {

  private static final int CASES = Integer.getInteger("hyperslab.differential.cases", 1000);
  private static final int MAX_EDITS = 24;
  private static final int WORKERS = 2;
  private static final int MAX_PROBLEMS = 8;

  private static final List<FormatVersion> GENERATIONS =
      List.of(FormatVersion.EARLIEST, FormatVersion.V18, FormatVersion.V110, FormatVersion.V200);

  @TempDir Path folder;

  @Test
  void bothLibrariesMakeAndReadTheSame() {
    long seed = Seeds.draw();
    List<String> problems =
        IntStream.range(0, WORKERS)
            .parallel()
            .mapToObj(worker -> work(seed, worker))
            .flatMap(List::stream)
            .toList();
    System.out.printf(
        "differential cases: %d edit lists, %d files, %d readings, %d differ, seed %d%n",
        CASES, 2 * CASES, 4 * CASES, problems.size(), seed);
    assertThat(problems).as("seed %d", seed).isEmpty();
  }

  private List<String> work(long seed, int worker) {
    List<String> problems = new ArrayList<>();
    try (Session session = Hdf5.session("native");
        Judge judge = new Judge(folder.resolve("worker" + worker), session)) {
      for (int i = worker; i < CASES && problems.size() < MAX_PROBLEMS; i += WORKERS) {
        Random random = Seeds.random(seed, i);
        FormatVersion low = GENERATIONS.get(random.nextInt(judge.generations()));
        boolean repacked = low == FormatVersion.V200;
        List<String> edits = Edits.of(random, 3 + random.nextInt(MAX_EDITS), repacked);
        String problem = judge.problem(low, edits);
        if (problem != null) {
          List<String> few = judge.shrunk(low, edits);
          problems.add(
              "case "
                  + i
                  + ", "
                  + low
                  + ": "
                  + judge.problem(low, few)
                  + ", at first "
                  + problem
                  + "\n    "
                  + String.join("\n    ", few));
        }
      }
    }
    return problems;
  }

  /** Compares what both make and read. Confined to one thread. */
  private static final class Judge implements AutoCloseable {
    private final Path ours;
    private final Path theirs;
    private final OurSide us;
    private final Optional<Oracle> h5repack = Oracle.newest("h5repack");
    private final Dialogue python;

    Judge(Path folder, Session session) {
      this.ours = folder.resolve("slabs.h5"); // as long as the other, for h5dump breaks lines
      this.theirs = folder.resolve("h5pys.h5");
      this.us = new OurSide(session);
      try (InputStream script = H5pyDifferentialTest.class.getResourceAsStream("differential.py")) {
        Files.createDirectories(folder);
        String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        this.python = Dialogue.h5py(text, Map.of("HDF5_USE_FILE_LOCKING", "FALSE"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns the number of generations of structures that can be compared. */
    int generations() {
      return h5repack.isPresent() ? GENERATIONS.size() : GENERATIONS.size() - 1;
    }

    /** Copies h5py's file with the newest structures; fails with the errors of h5repack. */
    private Path repacked() {
      Path copy = theirs.resolveSibling("repacked.h5");
      try {
        Files.deleteIfExists(copy);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      h5repack
          .orElseThrow()
          .run("--low=5", "--high=5", theirs.toString(), copy.toString())
          .orFail();
      return copy;
    }

    /**
     * Compares h5dump's output on our file.
     *
     * @param same the result if h5dump prints both files alike
     */
    private List<String> readByDump(List<String> same) {
      List<String> printed = dumped(ours).lines().toList();
      if (printed.isEmpty()) {
        return List.of("h5dump prints nothing of it");
      }
      String difference = difference(dumped(theirs).lines().toList(), printed);
      return difference == null ? same : List.of("other than h5dump of h5py's: " + difference);
    }

    private String dumped(Path file) {
      String[] words = {"-w", "0", file.getFileName().toString()};
      String text = Oracle.newest("h5dump").orElseThrow().runIn(file.getParent(), words).text();
      // Region references name the file, and committed types without a link have only an address.
      return text.substring(text.indexOf('\n') + 1)
          .replace(file.getFileName().toString(), "this file")
          .replaceAll("DATATYPE( +)\"/?#\\d+\"", "DATATYPE$1\"#\"");
    }

    private List<List<String>> readings(FormatVersion low) {
      List<String> right = readByPython(theirs);
      return low == FormatVersion.V200
          ? List.of(read(repacked()), right, read(ours), readByDump(right))
          : List.of(read(theirs), right, read(ours), readByPython(ours));
    }

    /** Returns the problem that some edits cause; null if there is none. */
    String problem(FormatVersion low, List<String> edits) {
      String made = made(low, edits);
      String theirsMade =
          python.ask("make\t" + theirs + "\t" + low + "\t" + String.join("\t", edits));
      if (!made.equals("done") || !theirsMade.equals("done")) {
        return "made by us: " + made + "; by h5py: " + theirsMade;
      }
      List<List<String>> readings;
      try {
        readings = readings(low);
      } catch (AssertionError refused) {
        return "h5repack: " + refused.getMessage();
      }
      String[] names = {
        "h5py's, read by us", "h5py's, read by h5py", "ours, read by us", "ours, read by h5py"
      };
      for (int i = 0; i < readings.size(); i++) {
        String difference = difference(readings.get(1), readings.get(i));
        if (difference != null) {
          return names[i] + ": " + difference;
        }
      }
      return null;
    }

    private String made(FormatVersion low, List<String> edits) {
      try {
        us.make(ours, low, edits);
        return "done";
      } catch (RuntimeException | StackOverflowError failure) {
        return failure.toString();
      }
    }

    private List<String> read(Path path) {
      try {
        return us.describe(path);
      } catch (RuntimeException | AssertionError failure) {
        return List.of("FAILED " + failure);
      }
    }

    private List<String> readByPython(Path path) {
      return List.of(python.ask("read\t" + path).split("\t"));
    }

    private static String difference(List<String> expected, List<String> found) {
      for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
        String one = i < expected.size() ? expected.get(i) : "nothing";
        String other = i < found.size() ? found.get(i) : "nothing";
        if (!one.equals(other)) {
          return "<" + other + ">, expected <" + one + ">";
        }
      }
      return null;
    }

    /** The edits without those that the problem does not need. */
    List<String> shrunk(FormatVersion low, List<String> edits) {
      List<String> few = new ArrayList<>(edits);
      for (int size = Math.max(1, few.size() / 2); size >= 1; size /= 2) {
        for (int at = 0; at < few.size(); ) {
          List<String> fewer = new ArrayList<>(few);
          fewer.subList(at, Math.min(few.size(), at + size)).clear();
          String problem = fewer.isEmpty() ? null : problem(low, fewer);
          // Edits that are impossible because others are missing are a different problem.
          if (problem != null && !isUnmade(problem)) {
            few = fewer;
          } else if (problem != null && oneSided(problem) && isUnmade(problem(low, few))) {
            few = fewer;
          } else {
            at += size;
          }
        }
      }
      return few;
    }

    private static boolean isUnmade(String problem) {
      return problem != null && problem.startsWith("made by us: ");
    }

    private static boolean oneSided(String problem) {
      return problem.contains("made by us: done") || problem.contains("by h5py: done");
    }

    @Override
    public void close() {
      python.close();
    }
  }
}
