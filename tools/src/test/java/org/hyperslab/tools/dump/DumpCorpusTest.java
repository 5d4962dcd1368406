package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.VersionTally;
import org.junit.jupiter.api.Test;

/** Compares the dump of the C library's own test files with the expected output of its h5dump. */
final class DumpCorpusTest {

  private static final Path CORPUS = Corpus.folder();
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  /** Lines that do not match yet, by expected output; everything else must. */
  private static final Set<String> KNOWN_DIFFERENT =
      Set.of(
          // Revisions that stand in .onion files, which the corpus does not hold.
          "tst_onion_dset_ext.ddl",
          "tst_onion_dset_1d.ddl",
          "tst_onion_revision_count.ddl",
          // Printed on a big-endian machine.
          "tbitnopaque_be.ddl",
          // Names files that the corpus does not hold.
          "tmultifile.ddl");

  private static final String ALIKE_BY_VERSION = "0: 53 of 58, 2: 2 of 2";

  @Test
  void printsTheSameAsTheCLibrary() throws IOException {
    Path commands = CORPUS.resolve("ddl-h5dump/commands.tsv");
    assumeTrue(Files.exists(commands), "no corpus at " + CORPUS);
    List<String> regressions = new ArrayList<>();
    Set<String> different = new TreeSet<>();
    int matching = 0;
    VersionTally byVersion = new VersionTally();
    List<String> lines = Files.readAllLines(commands);
    for (String line : lines) {
      String[] parts = line.split("\t", 2);
      String difference = difference(parts[0], parts[1]);
      byVersion.add(file(parts[1]), difference == null);
      if (difference == null) {
        matching++;
        continue;
      }
      different.add(line + "\n    " + difference);
      if (!KNOWN_DIFFERENT.contains(parts[0])) {
        regressions.add(line + ": " + difference);
      }
    }
    System.out.println("h5dump lines that match: " + matching + " of " + lines.size());
    System.out.println("  by the version of the superblock: " + byVersion);
    different.forEach(one -> System.out.println("  differs: " + one));
    assertThat(regressions).isEmpty();
    assertThat(byVersion).hasToString(ALIKE_BY_VERSION);
  }

  /** Returns the file that a line prints: its last word, or the first that is a file. */
  private static Path file(String words) {
    Path folder = CORPUS.resolve("h5dump");
    List<String> all = split(words);
    return all.stream()
        .map(folder::resolve)
        .filter(Files::isRegularFile)
        .findFirst()
        .orElse(folder.resolve(all.getLast()));
  }

  private static String difference(String expectedName, String words) throws IOException {
    String expected = Files.readString(CORPUS.resolve("ddl-h5dump").resolve(expectedName));
    StringBuilder actual = new StringBuilder();
    PrintStream quiet =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    try (Session session = Hdf5.session("native")) {
      new Dump((name, options) -> open(session, name), quiet).run(split(words), actual);
    } catch (RuntimeException failure) {
      return failure.toString();
    }
    String seen = actual.toString().replace(CORPUS.resolve("h5dump") + "/", "");
    return firstDifference(expected, seen);
  }

  private static H5File open(Session session, String name) {
    return session.open(CORPUS.resolve("h5dump").resolve(name).toString(), OpenOptions.READ);
  }

  private static String firstDifference(String expected, String actual) {
    List<String> expectedLines = expected.lines().toList();
    List<String> actualLines = actual.lines().toList();
    int most = Math.max(expectedLines.size(), actualLines.size());
    for (int i = 0; i < most; i++) {
      String want = i < expectedLines.size() ? expectedLines.get(i) : "(end)";
      String have = i < actualLines.size() ? actualLines.get(i) : "(end)";
      if (!want.equals(have)) {
        return "line " + (i + 1) + ": expected [" + want + "], actual [" + have + "]";
      }
    }
    return null;
  }

  private static List<String> split(String words) {
    List<String> all = new ArrayList<>();
    Matcher matcher = WORD.matcher(words);
    while (matcher.find()) {
      String word = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
      // One line of the list lost the name of its first option.
      if (!word.startsWith("=")) {
        all.add(word);
      }
    }
    return all;
  }
}
