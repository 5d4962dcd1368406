package org.hyperslab.tools.repack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.VersionTally;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repacks every file of the corpus and compares the copy with the original by the C library's
 * h5diff: that of the machine, and the newest one if the machine's does not read the original.
 *
 * <p>A file counts as readable by an h5diff that finds it equal to a copy of its bytes. (h5diff
 * always finds a file equal to itself under the same name, without reading it.)
 */
@Campaign
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RepackCorpusTest {

  private static final List<String> FOLDERS =
      List.of(
          "h5dump",
          "lib",
          "h5diff",
          "h5repack",
          "misc",
          "convert",
          "h5import",
          "flt",
          "hl",
          "h5stat",
          "h5copy",
          "h5jam",
          "flash-io");

  /** The names of files that consist of several members. */
  private static final List<String> IN_MEMBERS =
      List.of(
          "h5dump/tfamily%05d.h5",
          "lib/family_v16-%06d.h5",
          "misc/family_file%05d.h5",
          "h5dump/tsplit_file",
          "h5dump/tmulti",
          "lib/multi_file_v16");

  /** The members of such files, which are not files by themselves. */
  private static final Pattern MEMBER =
      Pattern.compile(
          "h5dump/tfamily\\d+\\.h5|lib/family_v16-\\d+\\.h5|misc/family_file\\d+\\.h5"
              + "|h5dump/tsplit_file-[mr]\\.h5|h5dump/tmulti-[a-z]\\.h5|lib/multi_file_v16-[rs]\\.h5");

  /** The suffixes of the member that holds the superblock. */
  private static final List<String> MEMBERS_WITH_SUPERBLOCK = List.of("", "-m.h5", "-s.h5");

  private static final String CLEAN_BY_VERSION =
      "0: 207 of 239, 1: 1 of 1, 2: 25 of 30, 3: 12 of 16";

  /** Files that are compared by other means, because h5diff would read terabytes of fill values. */
  private static final Set<String> TOO_LARGE = Set.of("h5dump/tbigdims.h5");

  private enum Verdict {
    CLEAN(true, "clean by the machine's h5diff"),
    CLEAN_BY_NEWEST(true, "clean by the newest h5diff, not readable by the machine's"),
    STRUCTURE_ONLY(true, "too large for h5diff, headers equal by h5dump"),
    UNREADABLE_COPIED(false, "not readable by any h5diff, copied by us"),
    UNREADABLE_REFUSED(false, "not readable by any h5diff, refused by us"),
    BAD(false, "readable, not clean");

    private final boolean clean;
    private final String text;

    Verdict(boolean clean, String text) {
      this.clean = clean;
      this.text = text;
    }
  }

  private record Finding(String file, Verdict verdict, String detail) {}

  private Path folder;

  /** What was found of each file, in their order. */
  private List<Finding> findings = List.of();

  @BeforeAll
  void repackAll(@TempDir Path temporary) throws IOException {
    folder = temporary;
    assumeTrue(Corpus.isPresent(), "no corpus at " + Corpus.folder());
    Oracle h5diff = Oracle.h5diff();
    Optional<Oracle> newest = Oracle.newest("h5diff");
    findings = copyCorpus().parallelStream().map(file -> judge(file, h5diff, newest)).toList();
    print();
  }

  @TestFactory
  Stream<DynamicTest> copiesAreEqualAccordingToTheCLibrary() {
    return findings.stream()
        .map(finding ->
            DynamicTest.dynamicTest(
                finding.file,
                () ->
                    assertThat(finding.verdict)
                        .as("%s", finding.detail)
                        .isNotEqualTo(Verdict.BAD)));
  }

  @Test
  void filesOfEverySuperblockAreAmongThoseThatAreClean() {
    assertThat(tally().toString()).contains("0: ", "1: ", "2: ", "3: ");
  }

  @Test
  void asManyFilesAreCleanAsBefore() {
    assumeTrue(Oracle.newest("h5diff").isPresent(), "the newest h5diff");
    assertThat(tally()).hasToString(CLEAN_BY_VERSION);
  }

  private VersionTally tally() {
    VersionTally tally = new VersionTally();
    findings.forEach(finding -> tally.add(first(finding.file), finding.verdict.clean));
    return tally;
  }

  /** Returns the file, or the member of it, that holds the superblock. */
  private Path first(String file) {
    return MEMBERS_WITH_SUPERBLOCK.stream()
        .map(ending -> folder.resolve(String.format(file, 0) + ending))
        .filter(Files::isRegularFile)
        .findFirst()
        .orElse(folder.resolve(file));
  }

  private void print() {
    System.out.println("repack of " + findings.size() + " files of the corpus");
    Map<Verdict, Map<String, String>> found = new EnumMap<>(Verdict.class);
    findings.forEach(each ->
        found.computeIfAbsent(each.verdict, _ -> new TreeMap<>()).put(each.file, each.detail));
    found.forEach((verdict, some) -> {
      System.out.println("  " + verdict.text + ": " + some.size());
      if (verdict != Verdict.CLEAN) {
        some.forEach((file, detail) -> System.out.println("    " + file + " " + detail));
      }
    });
    System.out.println("  clean, by the version of the superblock: " + tally());
  }

  private List<String> copyCorpus() throws IOException {
    List<String> files = new ArrayList<>();
    for (String part : FOLDERS) {
      try (Stream<Path> all = Files.walk(Corpus.folder().resolve(part))) {
        for (Path from : (Iterable<Path>) all.sorted()::iterator) {
          String name = Corpus.folder().relativize(from).toString();
          Path to = folder.resolve(name);
          if (Files.isDirectory(from)) {
            Files.createDirectories(to);
            continue;
          }
          Files.copy(from, to);
          boolean file = name.endsWith(".h5") || name.startsWith("flash-io/");
          if (file && !MEMBER.matcher(name).matches()) {
            files.add(name);
          }
        }
      }
    }
    files.addAll(IN_MEMBERS);
    return files;
  }

  private Finding judge(String file, Oracle h5diff, Optional<Oracle> newest) {
    Path in = folder.resolve(file);
    Path out = in.resolveSibling("copy-of-" + in.getFileName().toString().replace("%", ""));
    Path bytes = in.resolveSibling("bytes-of-" + in.getFileName());
    String refused = repack(in, out);
    try {
      if (refused == null && TOO_LARGE.contains(file)) {
        return new Finding(file, Verdict.STRUCTURE_ONLY, sameHeaders(in, out));
      }
      if (Files.exists(in)) {
        Files.copy(in, bytes);
      }
      boolean readable = understood(in) && readable(h5diff, in, bytes);
      if (refused == null && readable && equal(h5diff, in, out, bytes)) {
        return new Finding(file, Verdict.CLEAN, "");
      }
      boolean readableByNewest = newest.isPresent() && readable(newest.get(), in, bytes);
      if (!readable && !readableByNewest) {
        return refused == null
            ? new Finding(file, Verdict.UNREADABLE_COPIED, "")
            : new Finding(file, Verdict.UNREADABLE_REFUSED, refused);
      }
      if (!readable && refused == null && equal(newest.orElseThrow(), in, out, bytes)) {
        return new Finding(file, Verdict.CLEAN_BY_NEWEST, "");
      }
      Oracle.Outcome outcome = h5diff.run(in.toString(), out.toString());
      String said = "exit code " + outcome.exitCode() + " " + outcome.output() + outcome.errors();
      return new Finding(file, Verdict.BAD, refused == null ? said : refused);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      delete(out);
      delete(bytes);
    }
  }

  /** Repacks a file; returns the reason of a failure, or null. */
  private static String repack(Path in, Path out) {
    try (H5File source = Hdf5.open(in);
        H5File target = Hdf5.create(out, RepackPlan.AS_IS.creation(source.info().creation()))) {
      new Repack(source, target, RepackPlan.AS_IS, RepackListener.SILENT).run();
      return null;
    } catch (HyperslabException typed) {
      return typed.toString();
    }
  }

  /**
   * Returns whether the machine's library supports everything in a file, including revised
   * references.
   */
  private static boolean understood(Path in) {
    Oracle.Outcome header = Oracle.h5dump().run("-H", in.toString());
    return header.exitCode() == 0 && !header.output().contains("H5T_REFERENCE { UNDEFINED }");
  }

  /**
   * Returns whether h5diff finds a file equal to a copy of its bytes; assumed for files of several
   * members.
   */
  private static boolean readable(Oracle h5diff, Path in, Path bytes) {
    return !Files.exists(bytes) || h5diff.run(in.toString(), bytes.toString()).exitCode() == 0;
  }

  /**
   * Returns whether h5diff finds no difference, and no more incomparable objects than in a copy of
   * the bytes.
   */
  private static boolean equal(Oracle h5diff, Path in, Path out, Path bytes) {
    Oracle.Outcome outcome = h5diff.run(in.toString(), out.toString());
    if (outcome.exitCode() != 0 || outcome.output().isEmpty()) {
      return outcome.exitCode() == 0;
    }
    Oracle.Outcome expected = h5diff.run("-c", in.toString(), bytes.toString());
    Oracle.Outcome actual = h5diff.run("-c", in.toString(), out.toString());
    return actual.output().equals(expected.output());
  }

  private static String sameHeaders(Path in, Path out) {
    String expected = header(in);
    assertThat(header(out)).isEqualTo(expected);
    return expected.lines().count() + " lines";
  }

  private static String header(Path file) {
    return Oracle.h5dump()
        .run("-H", file.toString())
        .orFail()
        .output()
        .lines()
        .skip(1)
        .reduce("", (all, line) -> all + line + "\n");
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
