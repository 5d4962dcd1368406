package org.hyperslab.tools.stat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
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
import org.hyperslab.model.CreateOptions;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    sameAsTheirs(path);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1024})
  void bytesAfterTheEndOfTheDataAreCounted(long userBlock) throws IOException {
    Path path = folder.resolve("longer.h5");
    try (H5File file = Hdf5.create(path, CreateOptions.DEFAULT.withUserBlock(userBlock))) {
      file.createDataset("d", new int[100]);
    }
    Files.write(path, new byte[5000], StandardOpenOption.APPEND);
    sameAsTheirs(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"earliest", "latest"})
  void typesHaveTheSizesOfTheirEncodingInTheFile(String version) {
    Path path = folder.resolve("types.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            pair = numpy.dtype([("first", "i4"), ("second", "f8", (2,))])
            kind = h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype="i1")
            rows = numpy.dtype([("pair", pair), ("colour", kind), ("name", h5py.string_dtype())])
            with h5py.File(sys.argv[1], "w", libver=sys.argv[2]) as file:
                file["named"] = pair
                for name, dtype in ("pair", pair), ("kind", kind), ("rows", rows), ("list", h5py.vlen_dtype(kind)):
                    file.create_dataset(name, (1,), dtype)
                file.create_dataset("committed", (1,), file["named"])
                file.create_dataset("array", (1,), numpy.dtype(("i4", (2, 3))))
            """,
            path.toString(),
            version)
        .orFail();
    sameAsTheirs(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "page"})
  void freeSectionsAreCountedBySize(String strategy) {
    Path path = folder.resolve("free.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            with h5py.File(sys.argv[1], "w", fs_strategy=sys.argv[2], fs_persist=True) as file:
                for i in range(12):
                    file["d%d" % i] = numpy.zeros(7 ** (i % 4 + 1), "i1")
                for i in range(0, 12, 2):
                    del file["d%d" % i]
            """,
            path.toString(), strategy)
        .orFail();
    assertThat(sameAsTheirs(path, "-s")).contains("# of sections of size");
  }

  private static void sameAsTheirs(Path path) {
    sameAsTheirs(path, "-T");
  }

  private static String sameAsTheirs(Path path, String option) {
    CommandRun ours = CommandRun.of("stat", option, path.toString());
    String theirs = Oracle.program("h5stat").run(option, path.toString()).orFail().output();
    assertThat(ours.out()).isEqualTo(theirs);
    return theirs;
  }
}
