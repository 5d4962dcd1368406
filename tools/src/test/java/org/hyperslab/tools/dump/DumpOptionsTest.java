package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests command lines with every option of h5dump, in all spellings, alone and combined, right and
 * wrong: the newest h5dump and this library must print the same on standard output and into files,
 * and end with the same exit code. If h5dump prints its usage, only the code is compared.
 *
 * <p>The lines are in {@code options.txt}; those that begin with {@code !} are known to differ, for
 * the reason above them, and must differ, so that the list stays current.
 */
final class DumpOptionsTest {

  private static final Path FILES = Corpus.folder().resolve("h5dump");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final String FOLDER = "@";

  /** Names of several files together. */
  private static final Set<String> IN_PARTS = Set.of("tsplit_file", "tmulti", "tfamily%05d.h5");

  @TempDir private Path folder;

  /** The result of a command line: exit code, standard output, and files by name. */
  private record Result(int code, byte[] output, Map<String, byte[]> files) {

    boolean isUsage() {
      return output.length > 0 && text(output).contains("usage:");
    }
  }

  @Test
  void outputAndExitCodeMatchTheNewestH5dump() throws IOException {
    var judge = Oracle.newest("h5dump");
    assumeTrue(judge.isPresent() && Files.isDirectory(FILES), "no newest h5dump, or no corpus");
    List<Verdict> all = lines().parallelStream().map(line -> verdict(judge.get(), line)).toList();
    long different = all.stream().filter(one -> one.difference != null).count();
    System.out.printf(
        "h5dump options: %d lines the same, %d different%n", all.size() - different, different);
    assertThat(all.stream().filter(Verdict::isWrong).map(Verdict::text)).isEmpty();
  }

  /** The verdict on a line: the difference, or null. */
  private record Verdict(String words, boolean known, String difference) {
    boolean isWrong() {
      return known == (difference == null);
    }

    String text() {
      return words + "\n    " + (known ? "is equal, but listed as different" : difference);
    }
  }

  private Verdict verdict(Oracle judge, String line) {
    boolean known = line.startsWith("!");
    String words = known ? line.substring(1) : line;
    return new Verdict(words, known, difference(judge, words));
  }

  private static List<String> lines() throws IOException {
    try (var in = DumpOptionsTest.class.getResourceAsStream("options.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    }
  }

  private String difference(Oracle judge, String line) {
    Result expected = judged(judge, split(line, temporary()));
    Result actual = ours(split(line, temporary()));
    if (expected.code != actual.code) {
      return "exit code " + actual.code + ", expected " + expected.code;
    }
    if (expected.isUsage()) {
      return null;
    }
    String text = firstDifference("", expected.output, actual.output);
    if (text != null) {
      return text;
    }
    // Wrong words may end this dump before files are created.
    if (expected.code == 0 && !expected.files.keySet().equals(actual.files.keySet())) {
      return "wrote " + actual.files.keySet() + ", expected " + expected.files.keySet();
    }
    for (var file : expected.files.entrySet()) {
      if (!actual.files.containsKey(file.getKey())) {
        continue;
      }
      text =
          firstDifference(file.getKey() + ": ", file.getValue(), actual.files.get(file.getKey()));
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  private Path temporary() {
    try {
      return Files.createTempDirectory(folder, "out");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The words of a line, and the folder that replaces the sign. */
  private record Words(List<String> all, Path out) {}

  private static Words split(String line, Path out) {
    List<String> all = new ArrayList<>();
    Matcher matcher = WORD.matcher(line);
    while (matcher.find()) {
      String word = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
      all.add(located(word.replace(FOLDER, out.toString())));
    }
    return new Words(all, out);
  }

  /**
   * Returns the full name of a file of the corpus, or any other word unchanged. Both sides must get
   * the same name, because lines of region references break by the length of the file's name.
   */
  private static String located(String word) {
    boolean file = IN_PARTS.contains(word) || Files.isRegularFile(FILES.resolve(word));
    return file ? FILES.resolve(word).toString() : word;
  }

  private static Result judged(Oracle judge, Words words) {
    Oracle.Outcome outcome = judge.runIn(FILES, words.all.toArray(String[]::new));
    return new Result(
        outcome.exitCode(), outcome.output().getBytes(StandardCharsets.UTF_8), files(words.out));
  }

  private static Result ours(Words words) {
    StringBuilder output = new StringBuilder();
    PrintStream quiet =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    int code;
    try (Session session = Hdf5.session("native")) {
      code =
          new Dump((name, options) -> open(session, name, options), quiet).run(words.all, output);
    } catch (RuntimeException failure) {
      code = -1;
      output.append(failure);
    }
    return new Result(code, output.toString().getBytes(StandardCharsets.UTF_8), files(words.out));
  }

  private static H5File open(Session session, String name, OpenOptions options) {
    return session.open(FILES.resolve(name).toString(), options);
  }

  private static Map<String, byte[]> files(Path out) {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(out)) {
      for (Path file : all.toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return files;
  }

  private static String firstDifference(String where, byte[] expected, byte[] actual) {
    if (Arrays.equals(expected, actual)) {
      return null;
    }
    String[] want = lines(text(expected));
    String[] have = lines(text(actual));
    for (int i = 0; i < Math.max(want.length, have.length); i++) {
      String w = i < want.length ? want[i] : "(end)";
      String h = i < have.length ? have[i] : "(end)";
      if (!w.equals(h)) {
        return where + "line " + (i + 1) + ": expected [" + w + "], actual [" + h + "]";
      }
    }
    return null;
  }

  /** Returns the lines, with all object ids replaced, because h5dump prints its handles. */
  private static String[] lines(String text) {
    return text.replaceAll("OBJECTID \\{ \\d+ \\}", "OBJECTID { id }").split("\n", -1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
