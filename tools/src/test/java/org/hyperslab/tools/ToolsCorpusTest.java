package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares ls, diff, copy and stat with the C library's tools (1.10) on its own test files. */
final class ToolsCorpusTest {

  private static final Path CORPUS = Corpus.folder().toAbsolutePath().normalize();

  /** Every listing of these differs. */
  private static final Set<String> OTHERWISE_LISTED =
      Set.of(
          // Found by name or superblock here; h5ls needs a pattern.
          "h5dump/tfamily00000.h5",
          "h5dump/tmulti-s.h5",
          "h5dump/tsplit_file-m.h5",
          "lib/family_v16-000000.h5",
          "lib/multi_file_v16-s.h5",
          "misc/family_file00000.h5",
          // Damaged: shown by the exit code here.
          "h5repack/h5repack_CVE-2018-14460.h5",
          "h5stat/h5stat_err_old_fill.h5",
          "h5stat/h5stat_err_old_layout.h5",
          "lib/bad_compound.h5",
          "lib/bad_offset.h5",
          "lib/th5s.h5",
          "lib/tmisc38a.h5",
          // Damaged: not opened at all here.
          "lib/corrupt_stab_msg.h5",
          "lib/cve_2020_10812.h5",
          "misc/h5clear_fsm_persist_less.h5",
          "misc/h5clear_fsm_persist_noclose.h5",
          // Damaged: more can be listed here.
          "h5stat/h5stat_err_refcount.h5",
          "lib/tbogus.h5");

  /** With -v these differ too. */
  private static final Set<String> OTHERWISE_TOLD =
      Set.of(
          // An attribute that cannot be read.
          "h5dump/tCVE-2021-37501_attr_decode.h5",
          // h5ls prints memory behind its array of 20 numbers.
          "h5repack/h5repack_nested_8bit_enum_deflated.h5",
          // Attributes of types that 1.10 cannot read.
          "hl/test_ds_be_new_ref-32bit.h5",
          "hl/test_ds_be_new_ref.h5",
          "hl/test_ds_le_new_ref.h5",
          // An index that reaches beyond the end of the file, of which h5ls says nothing.
          "real/PureHDF_blosc.h5");

  /** The distance between two files that the ordinary gate compares; the full gate compares all. */
  private static final int STEP = Effort.times(3, 1);

  private record Outcome(int code, String text) {}

  @TempDir private Path folder;

  private static List<String> files() {
    assumeTrue(Corpus.isPresent(), "no corpus at " + CORPUS);
    return Corpus.files("", ".h5").stream()
        .map(file -> CORPUS.relativize(file.toAbsolutePath().normalize()).toString())
        .filter(name -> !name.startsWith("cve/"))
        .toList();
  }

  private static Outcome library(String... words) {
    Oracle.Outcome said =
        Oracle.program(words[0]).runIn(CORPUS, Arrays.copyOfRange(words, 1, words.length));
    return new Outcome(said.exitCode(), said.output());
  }

  private static Outcome ours(String... words) {
    CommandRun run = CommandRun.of(words);
    return new Outcome(run.code(), run.out());
  }

  private static String inCorpus(String name) {
    return CORPUS.resolve(name).toString();
  }

  @Test
  void listsTheSameAsTheLibrary() throws IOException {
    for (String option : List.of("-f", "-r", "-rv")) {
      List<String> different = new ArrayList<>();
      int same = 0;
      // The output of -rv contains that of -r.
      int of = option.equals("-rv") ? STEP : Effort.times(8, 1);
      List<String> files = files();
      for (int i = 0; i < files.size(); i += of) {
        String name = files.get(i);
        Outcome theirs = library("h5ls", option, inCorpus(name));
        if (theirs.equals(ours("ls", option, inCorpus(name)))) {
          same++;
        } else if (!OTHERWISE_LISTED.contains(name)
            && !(option.equals("-rv") && OTHERWISE_TOLD.contains(name))) {
          different.add(name);
        }
      }
      System.out.println("ls " + option + ": " + same + " files listed as h5ls lists them");
      assertThat(different).as("ls " + option).isEmpty();
    }
  }

  /** Files that h5stat counts differently, with the reasons. */
  private static final Set<String> OTHERWISE_COUNTED =
      Set.of(
          // It counts the index block of an extensible array before it knows the number of
          // super blocks (H5EA__cache_hdr_deserialize): 29 addresses, 232 bytes, less.
          "convert/h5fc_ext1_f.h5",
          "convert/h5fc_ext1_i.h5",
          "convert/h5fc_ext1_s.h5",
          "convert/h5fc_ext2_is.h5",
          "convert/h5fc_ext2_sf.h5",
          "convert/h5fc_ext3_isf.h5",
          "convert/h5fc_non_v3.h5",
          "lib/h5fc_ext1_f.h5",
          "lib/h5fc_ext1_i.h5",
          "lib/h5fc_ext2_sf.h5",
          "lib/h5fc_ext3_isf.h5",
          // Damaged: not opened here.
          "misc/h5clear_fsm_persist_user_less.h5");

  /** Sizes of references in memory, which are specific to 2.x. */
  private static final Pattern REFERENCE_SIZE =
      Pattern.compile("\\(desc\\./elmt\\) = \\(10/\\d+\\)");

  private static String comparable(String text) {
    return REFERENCE_SIZE.matcher(text).replaceAll("(reference)");
  }

  @Test
  void countsTheSameAsTheLibrary() throws IOException {
    Set<String> different = new TreeSet<>();
    Oracle newest = Oracle.newest("h5stat").orElse(null);
    int same = 0;
    int sameAsNewest = 0;
    List<String> files = files();
    for (int i = 0; i < files.size(); i += STEP) {
      String name = files.get(i);
      Outcome here = ours("stat", inCorpus(name));
      if (library("h5stat", inCorpus(name)).equals(here)) {
        same++;
      } else if (!OTHERWISE_LISTED.contains(name) && !OTHERWISE_COUNTED.contains(name)) {
        different.add(name);
      }
      if (newest != null) {
        Oracle.Outcome said = newest.runIn(CORPUS, inCorpus(name));
        boolean equal =
            said.exitCode() == here.code()
                && comparable(said.output()).equals(comparable(here.text()));
        sameAsNewest += equal ? 1 : 0;
      }
    }
    System.out.println("stat: " + same + " files as h5stat 1.10, " + sameAsNewest + " as 2.x");
    assertThat(different).isEmpty();
    assertThat(same).isGreaterThan(285 / STEP);
    assertThat(newest == null || sameAsNewest > 285 / STEP).isTrue();
  }

  @Test
  void findsTheDifferencesThatTheLibraryFinds() throws IOException {
    String[][] pairs = {
      {"h5diff_attr2.h5", "h5diff_attr3.h5"},
      {"h5diff_attr_v_level1.h5", "h5diff_attr_v_level2.h5"},
      {"h5diff_danglelinks1.h5", "h5diff_danglelinks2.h5"},
      {"h5diff_eps1.h5", "h5diff_eps2.h5"},
      {"h5diff_exclude2-1.h5", "h5diff_exclude2-2.h5"},
      {"h5diff_exclude3-1.h5", "h5diff_exclude3-2.h5"},
      {"h5diff_types.h5", "h5diff_basic1.h5"},
      {"h5diff_links.h5", "h5diff_linked_softlink.h5"},
      {"h5diff_dset1.h5", "h5diff_attr2.h5"},
      {"h5diff_grp_recurse1.h5", "h5diff_grp_recurse1.h5"},
      {"h5diff_enum_invalid_values.h5", "h5diff_dset_zero_dim_size2.h5"},
      {"h5diff_strings2.h5", "h5diff_types.h5"},
      {"non_comparables2.h5", "h5diff_basic1.h5"},
    };
    List<String> different = new ArrayList<>();
    int same = 0;
    assumeTrue(Files.isDirectory(CORPUS), "no corpus at " + CORPUS);
    for (String[] pair : pairs) {
      for (String option : List.of("-r", "-v", "-v1", "-v2", "-q", "-c")) {
        String one = inCorpus("h5diff/" + pair[0]);
        String other = inCorpus("h5diff/" + pair[1]);
        if (library("h5diff", option, one, other).equals(ours("diff", option, one, other))) {
          same++;
        } else if (!pair[0].equals("h5diff_attr2.h5")) {
          // attr2: targets of references are named by object here, by reference there.
          different.add(option + " " + pair[0] + " " + pair[1]);
        }
      }
    }
    System.out.println("diff: " + same + " comparisons as h5diff");
    assertThat(different).isEmpty();
  }

  @Test
  void arraysOfOtherElementsAreNotComparableAsInTheLibrary() {
    assumeTrue(Files.isDirectory(CORPUS), "no corpus at " + CORPUS);
    String[][] pairs = {{"tarray1.h5", "tarray7.h5"}, {"tarray3.h5", "tarray6.h5"}};
    for (String[] pair : pairs) {
      for (String option : List.of("-r", "-v", "-q", "-c")) {
        String one = inCorpus("h5dump/" + pair[0]);
        String other = inCorpus("h5dump/" + pair[1]);
        assertThat(ours("diff", option, one, other))
            .as(option + " " + pair[0] + " " + pair[1])
            .isEqualTo(library("h5diff", option, one, other));
      }
    }
  }

  @Test
  void copiesTheSameAsTheLibrary() throws IOException {
    assumeTrue(Files.isDirectory(CORPUS), "no corpus at " + CORPUS);
    String source = inCorpus("h5copy/h5copytst_new.h5");
    String ours = folder.resolve("ours.h5").toString();
    String theirs = folder.resolve("theirs.h5").toString();
    for (String path : List.of("/simple", "/chunk", "/compound", "/compressed", "/nested_vl")) {
      assertThat(ours("copy", "-i", source, "-o", ours, "-s", path, "-d", path).code()).isZero();
      library("h5copy", "-i", source, "-o", theirs, "-s", path, "-d", path);
    }
    assertThat(ours("copy", source, ours, "-p", "-s", "/grp_nested", "-d", "/a/b").code()).isZero();
    library("h5copy", "-p", "-i", source, "-o", theirs, "-s", "/grp_nested", "-d", "/a/b");
    Outcome judged = library("h5diff", ours, theirs);
    assertThat(judged.text()).isEmpty();
    assertThat(judged.code()).isZero();
    assertThat(ours("copy", source, ours, "-s", "/simple", "-d", "/x/y").code()).isEqualTo(1);
  }

  @Test
  void walksDeeplyNestedGroups() {
    Path deep = folder.resolve("deep.h5");
    int depth = 2_000;
    try (H5File file = Hdf5.create(deep)) {
      StringBuilder path = new StringBuilder();
      for (int i = 0; i < depth; i++) {
        path.append("/g");
      }
      file.createGroup(path.toString());
    }
    assertThat(ours("stat", deep.toString()).text()).contains("unique groups: " + (depth + 1));
    assertThat(ours("diff", deep.toString(), deep.toString()).code()).isZero();
    assertThat(ours("ls", "-r", deep.toString()).text().lines()).hasSize(depth + 1);
  }
}
