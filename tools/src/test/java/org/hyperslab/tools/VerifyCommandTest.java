package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command {@code verify}. */
final class VerifyCommandTest {

  @TempDir private Path folder;

  @Test
  void danglingLinksAreComparedAndSoIsEverythingBesideThem() {
    Path path = folder.resolve("links.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("a/numbers", new int[] {1, 2, 3});
      file.root().createSoftLink("a/nowhere", "/none");
      file.root().createExternalLink("a/outside", "none.h5", "/x");
      file.createDataset("z", new double[] {1});
    }
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("the same, 0 differences, 0 places not compared");
  }

  @Test
  void negativeConstantsOfAnEnumAreTheSameInBothReaders() {
    Path path = folder.resolve("enum.h5");
    EnumType type = EnumType.builder(Datatypes.I8LE).constant("DOWN", -1).constant("UP", 1).build();
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("directions", type, Dataspace.simple(2)).write(new byte[] {-1, 1});
    }
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.out()).contains("the same, 0 differences");
  }

  @Test
  void numbersOfAnEnumWithoutANameAreCompared() {
    Path path = folder.resolve("unnamed.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            kind = h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype=">i2")
            numbers = numpy.array([0, 1, 7, -3], dtype=">i2")
            with h5py.File(sys.argv[1], "w") as file:
                file.create_dataset("list", data=numbers, dtype=kind)
                file.create_dataset("scalar", data=numbers[2], dtype=kind)
                file.attrs.create("attribute", numbers, dtype=kind)
            """,
            path.toString())
        .orFail();
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.out()).contains("the same, 0 differences, 0 places not compared");
  }

  @Test
  void namesTheEngineThatCouldNotReadAnObjectAndWhy() {
    Path path = folder.resolve("packed.h5");
    FilterSpec unknownToJhdf = FilterSpec.of(6, 2, 0);
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("plain", new int[] {1, 2, 3});
      file.createDataset("packed", new int[] {1, 2, 3}, o -> o.chunks(3).filter(unknownToJhdf));
    }
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out())
        .contains("not compared: /packed: jhdf could not read it: ")
        .contains("filter")
        .contains("the same as far as compared, 0 differences, 1 places not compared")
        .doesNotContain("differs:");
  }

  @Test
  void namesTheEnumWithinACompoundThatCannotBeCompared() {
    Path path = folder.resolve("nested.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            kind = h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype="i1")
            with h5py.File(sys.argv[1], "w") as file:
                file["rows"] = numpy.array([(1, 0), (2, 7)], dtype=[("id", "i4"), ("colour", kind)])
            """,
            path.toString())
        .orFail();
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out())
        .contains("not compared: /rows: jhdf could not read it: jHDF enumeration")
        .contains("a number without a name", "element 1")
        .doesNotContain("Java value");
  }
}
