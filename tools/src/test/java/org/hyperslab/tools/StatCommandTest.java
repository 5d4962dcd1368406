package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the counts of {@code stat} with h5stat's. */
final class StatCommandTest {

  @TempDir private Path folder;

  @Test
  void stringTypesAreTheSameWhereH5statTakesThemForTheSame() {
    Path path = folder.resolve("strings.h5");
    try (H5File file = Hdf5.create(path)) {
      int number = 0;
      for (CharacterSet charset : List.of(CharacterSet.ASCII, CharacterSet.UTF8)) {
        for (StringPadding padding : StringPadding.values()) {
          VlenStringType any = Datatypes.vlenString();
          Datatype variable = new VlenStringType(any.size(), padding, charset, any.base());
          Datatype row = CompoundType.builder().member("s", 0, variable).size(16).build();
          for (Datatype type : List.of(variable, new StringType(4, padding, charset), row)) {
            file.createDataset("d" + number++, type, Dataspace.simple(1));
          }
        }
      }
    }
    CommandRun ours = CommandRun.of("stat", "-T", path.toString());
    assertThat(ours.code()).isZero();
    String theirs = Oracle.program("h5stat").run("-T", path.toString()).orFail().output();
    assertThat(counts(ours.out())).hasSize(10).isEqualTo(counts(theirs));
  }

  /**
   * Returns the report without sizes of type descriptions, because the library encodes compounds in
   * a shorter form.
   */
  private static List<String> counts(String report) {
    return report
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).contains("count") || line.contains("unique"))
        .toList();
  }
}
