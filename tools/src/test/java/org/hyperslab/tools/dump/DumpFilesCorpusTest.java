package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.VersionTally;
import org.junit.jupiter.api.Test;

/**
 * Prints every file of the corpus and compares the text, word for word, and the success with those
 * of the newest h5dump.
 */
final class DumpFilesCorpusTest {

  /**
   * The greatest number of elements compared; of files with more, only the description is compared:
   * some have 2<sup>60</sup> elements.
   */
  private static final double MAX_ELEMENTS = 50_000;

  /** Files of which only the description is compared because h5dump takes a minute for each. */
  private static final Set<String> SLOW =
      Set.of("h5diff/h5diff_dset1.h5", "h5diff/h5diff_dset2.h5", "h5repack/h5repack_objs.h5");

  private static final String MEMBER = "a member, which h5dump opens only by the name of all";
  private static final String FILTER = "h5dump lacks the filter";
  private static final String MEMORY = "lines break with addresses from h5dump's own memory";

  private static final Map<String, String> KNOWN =
      Map.ofEntries(
          Map.entry("flt/h5ex_d_bshuf.h5", FILTER),
          Map.entry("flt/h5ex_d_bzip2.h5", FILTER),
          Map.entry("flt/h5ex_d_lzf.h5", FILTER),
          Map.entry("flt/h5ex_d_zstd.h5", FILTER),
          Map.entry("h5dump/tfamily00000.h5", MEMBER),
          Map.entry("h5dump/tmulti-s.h5", MEMBER),
          Map.entry("h5dump/tsplit_file-m.h5", MEMBER),
          Map.entry("lib/family_v16-000000.h5", MEMBER),
          Map.entry("lib/multi_file_v16-s.h5", MEMBER),
          Map.entry("misc/family_file00000.h5", MEMBER),
          Map.entry("h5stat/h5stat_err_refcount.h5", "damaged in a part that only h5dump reads"),
          Map.entry("hl/test_ds_be.h5", MEMORY),
          Map.entry("hl/test_ds_le.h5", MEMORY),
          Map.entry("real/PureHDF_bzip2.h5", FILTER),
          Map.entry("real/PureHDF_lzf.h5", FILTER),
          Map.entry("real/PyTables_b2nd-no-chunkshape.h5", FILTER),
          Map.entry("real/kerchunk_hdf5_compression_lz4.h5", FILTER),
          Map.entry("real/kerchunk_hdf5_compression_zstd.h5", FILTER),
          Map.entry("real/kerchunk_hdf5_mini_lz4.h5", FILTER),
          Map.entry("real/kerchunk_hdf5_mini_shuffle_zstd.h5", FILTER),
          Map.entry("real/kerchunk_hdf5_mini_zstd.h5", FILTER));

  private static final String ALIKE_BY_VERSION =
      "0: 276 of 296, 1: 1 of 1, 2: 32 of 32, 3: 17 of 17, none: 37 of 37";

  /** Numbers of objects that h5dump takes from its own memory. */
  private static final Pattern ADDRESS =
      Pattern.compile("((?:DATASET|GROUP|DATATYPE) |\"/#)\\d+(?= \"|\")");

  @Test
  void printsEveryFileAsTheNewestH5dump() {
    Optional<Oracle> newest = Oracle.newest("h5dump");
    assumeTrue(newest.isPresent(), "no newest HDF5");
    List<Path> files =
        Corpus.files("", ".h5").stream()
            .filter(path -> !Corpus.folder().relativize(path).startsWith("cve"))
            .toList();
    VersionTally byVersion = new VersionTally();
    Map<String, String> different = new ConcurrentSkipListMap<>();
    try (Session session = Hdf5.session("native")) {
      files.parallelStream()
          .forEach(path -> {
            String name = Corpus.folder().relativize(path).toString();
            String difference = difference(session, newest.get(), path);
            byVersion.add(path, difference == null);
            if (difference != null) {
              different.put(name, difference);
            }
          });
    }
    System.out.println(
        "files printed as by h5dump: " + (files.size() - different.size()) + " of " + files.size());
    System.out.println("  by the version of the superblock: " + byVersion);
    different.forEach((name, first) -> System.out.println("  " + name + " " + first));
    Map<String, String> unexpected = new TreeMap<>(different);
    unexpected.keySet().removeAll(KNOWN.keySet());
    assertThat(unexpected).isEmpty();
    assertThat(byVersion).hasToString(ALIKE_BY_VERSION);
  }

  private static boolean isLarge(Session session, Path path) {
    if (SLOW.contains(Corpus.folder().relativize(path).toString())) {
      return true;
    }
    double[] elements = new double[1];
    try (H5File file = session.open(path.toString(), OpenOptions.READ)) {
      file.root()
          .visit((_, object) -> {
            if (object instanceof Dataset dataset) {
              elements[0] += dataset.space().elementCount();
            }
            return true;
          });
    } catch (HyperslabException damaged) {
      return false;
    }
    return elements[0] > MAX_ELEMENTS;
  }

  private static String difference(Session session, Oracle h5dump, Path file) {
    String name = file.toString();
    String[] words = isLarge(session, file) ? new String[] {"-H", name} : new String[] {name};
    Oracle.Outcome expected = h5dump.run(words);
    StringBuilder text = new StringBuilder();
    PrintStream quiet =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    int exit = new Dump(session::open, quiet).run(List.of(words), text);
    if (exit != 0 && expected.exitCode() != 0) {
      return null; // the output for unreadable parts is unspecified
    }
    if (exit != expected.exitCode()) {
      return "exit code actual=" + exit + ", expected=" + expected.exitCode();
    }
    List<String> ours = lines(text.toString());
    List<String> theirs = lines(expected.output());
    for (int i = 0; i < Math.max(ours.size(), theirs.size()); i++) {
      String actual = i < ours.size() ? ours.get(i) : "(end)";
      String wanted = i < theirs.size() ? theirs.get(i) : "(end)";
      if (!actual.equals(wanted)) {
        return "line " + (i + 1) + " actual=[" + actual + "], expected=[" + wanted + "]";
      }
    }
    return null;
  }

  /** Returns the lines without irrelevant differences. */
  private static List<String> lines(String text) {
    return text.lines()
        .filter(line -> !line.isBlank())
        .map(line -> ADDRESS.matcher(line).replaceAll("$1").replace("\"  {", "\" {"))
        .map(String::stripTrailing)
        .toList();
  }
}
