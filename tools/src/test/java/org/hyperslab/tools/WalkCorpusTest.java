package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Link;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.VersionTally;
import org.junit.jupiter.api.Test;

/**
 * Describes every object and reads every element and attribute of the corpus as Java values.
 * Unreadable files are listed here with the reason; each must fail with a typed error only.
 */
@Campaign
final class WalkCorpusTest {

  private static final long LARGEST_ELEMENTS = 5_000_000;

  /** Files with something that cannot be read. */
  private static final Map<String, String> KNOWN =
      Map.ofEntries(
          Map.entry("h5dump/3790_infinite_loop.h5", "damaged"),
          Map.entry("h5dump/tCVE-2021-37501_attr_decode.h5", "damaged"),
          Map.entry("h5dump/test_subfiling_stripe_sizes.h5", "a stub of the subfiling driver"),
          Map.entry("lib/bad_compound.h5", "damaged"),
          Map.entry("lib/bad_offset.h5", "damaged"),
          Map.entry("lib/corrupt_stab_msg.h5", "damaged"),
          Map.entry("lib/cve_2020_10812.h5", "damaged"),
          Map.entry("lib/tbogus.h5", "an unknown message that must be understood"),
          Map.entry("lib/th5s.h5", "a rank beyond the greatest"),
          Map.entry("lib/tmisc38a.h5", "damaged"),
          Map.entry("h5repack/h5repack_CVE-2018-14460.h5", "damaged"),
          Map.entry("h5stat/h5stat_err_old_fill.h5", "damaged"),
          Map.entry("h5stat/h5stat_err_old_layout.h5", "damaged"),
          Map.entry("misc/h5clear_fsm_persist_greater.h5", "truncated"),
          Map.entry("misc/h5clear_fsm_persist_user_greater.h5", "truncated"),
          Map.entry("misc/h5clear_fsm_persist_less.h5", "truncated"),
          Map.entry("misc/h5clear_fsm_persist_noclose.h5", "never closed"),
          Map.entry("misc/h5clear_log_v3.h5", "marked as open for writing"),
          Map.entry("misc/h5clear_status_noclose.h5", "marked as open for writing"),
          Map.entry("misc/latest_h5clear_log_v3.h5", "marked as open for writing"),
          Map.entry("misc/latest_h5clear_sec2_v3.h5", "marked as open for writing"),
          Map.entry("h5dump/filter_fail.h5", "an unregistered filter"),
          Map.entry("h5dump/tfilters.h5", "an unregistered filter; no external file"),
          Map.entry("h5dump/tudfilter.h5", "an unregistered filter"),
          Map.entry("h5diff/tudfilter.h5", "an unregistered filter"),
          Map.entry("h5diff/tudfilter2.h5", "an unregistered filter"),
          Map.entry("h5copy/tudfilter.h5", "an unregistered filter"),
          Map.entry("h5copy/tudfilter2.h5", "an unregistered filter"),
          Map.entry("lib/filter_error.h5", "an unregistered filter"),
          Map.entry("h5repack/h5repack_layout.UD.h5", "an unregistered filter"),
          Map.entry("h5repack/h5repack_ext.h5", "no external file"),
          Map.entry("h5repack/h5repack_f32le_ex.h5", "no external file"),
          Map.entry("h5repack/h5repack_int32le_2d_ex.h5", "no external file"),
          Map.entry("h5repack/h5repack_uint8be_ex.h5", "no external file"),
          Map.entry("real/PureHDF_blosc.h5", "damaged"),
          Map.entry("real/hdf5plugin_RGBA_sample_ref.h5", "a filter without a decoder here"),
          Map.entry("real/hdf5plugin_fcidecomp.h5", "a filter without a decoder here"),
          Map.entry("real/hdf5plugin_sample_ref.h5", "a filter without a decoder here"));

  private static final String READ_BY_VERSION =
      "0: 268 of 296, 1: 1 of 1, 2: 26 of 32, 3: 13 of 17";

  /** Members of families, split and multi files that are not their first. */
  private static final Pattern MEMBER =
      Pattern.compile(
          ".*/(tfamily|family_v16-|family_file)0*[1-9]\\d*\\.h5|.*/tsplit_file-r\\.h5"
              + "|.*/tmulti-[bglor]\\.h5|.*/multi_file_v16-r\\.h5");

  @Test
  void everythingIsReadExceptTheListedFiles() {
    assumeTrue(Corpus.isPresent(), "no corpus at " + Corpus.folder());
    Map<String, String> failures = new TreeMap<>();
    int files = 0;
    VersionTally byVersion = new VersionTally();
    for (Path path : Corpus.files("", ".h5")) {
      String name = Corpus.folder().relativize(path).toString();
      if (name.startsWith("cve/") || MEMBER.matcher(name).matches()) {
        continue;
      }
      files++;
      List<String> errors = walk(path);
      byVersion.add(path, errors.isEmpty());
      if (!errors.isEmpty()) {
        failures.put(name, errors.size() + ": " + errors.getFirst());
      }
    }
    System.out.println("read without any error: " + (files - failures.size()) + " of " + files);
    System.out.println("  by the version of the superblock: " + byVersion);
    failures.forEach((name, first) -> System.out.println("  " + name + " " + first));
    Set<String> unexpected = new TreeSet<>(failures.keySet());
    unexpected.removeAll(KNOWN.keySet());
    assertThat(unexpected).isEmpty();
    assertThat(failures.keySet()).as("what is readable by now").containsAll(KNOWN.keySet());
    assertThat(byVersion).hasToString(READ_BY_VERSION);
  }

  private static List<String> walk(Path path) {
    List<String> errors = new ArrayList<>();
    try (H5File file = Hdf5.open(path)) {
      Set<ObjectToken> seen = new HashSet<>();
      List<ObjectToken> pending = new ArrayList<>(List.of(file.root().token()));
      while (!pending.isEmpty()) {
        ObjectToken token = pending.removeLast();
        if (!seen.add(token)) {
          continue;
        }
        try (H5Object object = file.objectOf(token)) {
          read(object, pending, errors);
        } catch (HyperslabException failure) {
          errors.add(failure.toString());
        }
      }
    } catch (HyperslabException failure) {
      errors.add(failure.toString());
    }
    return errors;
  }

  private static void read(H5Object object, List<ObjectToken> pending, List<String> errors) {
    for (Attribute attribute : object.attributes().toList()) {
      try {
        attribute.read();
      } catch (HyperslabException failure) {
        errors.add("attribute " + attribute.name() + " " + failure);
      }
    }
    switch (object) {
      case Group group -> {
        for (Link link : (Iterable<Link>) group.links()::iterator) {
          if (link.kind() == LinkKind.HARD) {
            pending.add(link.info().token());
          }
        }
      }
      case Dataset dataset -> {
        if (dataset.elementCount() <= LARGEST_ELEMENTS) {
          dataset.read();
        }
      }
      case CommittedType type -> type.datatype();
    }
  }
}
