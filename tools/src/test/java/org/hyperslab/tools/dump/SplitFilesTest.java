package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that families, split and multi files are found by their names and their superblocks. */
final class SplitFilesTest {

  @ParameterizedTest
  @CsvSource({
    "h5dump/tfamily%05d.h5, h5dump/tfamily00000.h5",
    "lib/family_v16-%06d.h5, lib/family_v16-000000.h5",
    "misc/family_file%05d.h5, misc/family_file00000.h5",
    "h5dump/tsplit_file, h5dump/tsplit_file-m.h5",
    "h5dump/tmulti, h5dump/tmulti-s.h5",
    "lib/multi_file_v16, lib/multi_file_v16-s.h5"
  })
  void splitFilesAreDumpedAsByTheCLibrary(String name, String member) throws IOException {
    Path first = Corpus.file(member);
    String whole = Corpus.folder().resolve(name).toString();
    String expected = Oracle.h5dump().run(whole).orFail().output();
    assertThat(dump(whole)).isEqualTo(expected);
    assertThat(withoutName(dump(first.toString()))).isEqualTo(withoutName(expected));
  }

  private static String dump(String name) throws IOException {
    StringBuilder text = new StringBuilder();
    new Dump(Hdf5::open, System.err).run(List.of(name), text);
    return text.toString();
  }

  private static String withoutName(String dump) {
    return dump.substring(dump.indexOf('\n'));
  }
}
