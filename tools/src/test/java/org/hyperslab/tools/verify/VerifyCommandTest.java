package org.hyperslab.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
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
  void filesOfWhichNothingIsComparedAreNotTheSame() {
    Path empty = folder.resolve("empty.h5");
    try (H5File file = Hdf5.create(empty)) {
      file.createGroup("a/b").close();
      file.root().createSoftLink("c", "/a");
    }
    CommandRun run = CommandRun.of("verify", empty.toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out())
        .contains("nothing compared: no dataset, attribute or committed type", "0 differences")
        .doesNotContain("the same");

    Path packed = folder.resolve("unread.h5");
    try (H5File file = Hdf5.create(packed)) {
      file.datasetBuilder("packed")
          .value(new int[] {1})
          .options(o -> o.chunked(1).filter(FilterSpec.of(6, 2, 0)))
          .create();
    }
    run = CommandRun.of("verify", packed.toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out())
        .contains("nothing compared", "0 differences, 1 places not compared")
        .doesNotContain("the same");

    try (H5File file = Hdf5.openForEdit(empty)) {
      file.setAttribute("one", 1);
    }
    assertThat(CommandRun.of("verify", empty.toString()).code()).isZero();
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
      file.datasetBuilder("packed")
          .value(new int[] {1, 2, 3})
          .options(o -> o.chunked(3).filter(unknownToJhdf))
          .create();
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

  private String verified(String name, String script, int code) {
    Path path = folder.resolve(name);
    Oracle.h5py().run(script, path.toString()).orFail();
    CommandRun run = CommandRun.of("verify", path.toString());
    assertThat(run.out()).doesNotContain("differs:").contains("0 differences");
    assertThat(run.code()).as(run.out()).isEqualTo(code);
    return run.out();
  }

  @Test
  void storedSizesOfVariableStringsAreNoDifference() {
    String script =
        """
        import sys, h5py
        kind = h5py.string_dtype()
        with h5py.File(sys.argv[1], "w") as file:
            file.create_dataset("words", data=["a", "", "c"], dtype=kind)
        """;
    assertThat(verified("words.h5", script, 0)).contains("0 places not compared");
  }

  @Test
  void stringsThatAreNotThereAreNamedAsNotComparedAndOthersAreCompared() {
    String script =
        """
        import sys, h5py, numpy
        kind = numpy.dtype([("n", "i4"), ("s", h5py.string_dtype())])
        with h5py.File(sys.argv[1], "w") as file:
            file.create_dataset("rows", (4,), kind)
            file["rows"][2] = (5, "five")
            file.create_dataset("words", (4,), h5py.string_dtype())
            file["words"][1] = "one"
        """;
    assertThat(verified("absent.h5", script, 2))
        .contains("not compared: /rows: jHDF reads no string and an empty one alike")
        .contains("not compared: /words: jHDF", "2 places not compared");
  }

  @Test
  void textThatIsNotUtf8IsNamedAsNotCompared() {
    String script =
        """
        import sys, h5py
        with h5py.File(sys.argv[1], "w") as file:
            file.create_dataset("word", data=b"sch\\xf6n", dtype=h5py.string_dtype())
            file.id.links.create_soft(b"gr\\xfcn", b"/word")
        """;
    assertThat(verified("latin.h5", script, 2))
        .contains("not compared: /word: text that is not UTF-8", "not compared: /gr");
  }

  @Test
  void chunksThatAreCountedByTheGreatestExtentAreNamedAsNotCompared() {
    String script =
        """
        import sys, h5py, numpy
        with h5py.File(sys.argv[1], "w", libver="latest") as file:
            for name, shape, most in (
                ("first", (6, 4), (None, 4)), ("second", (4, 6), (4, None)), ("more", (6, 4), (None, 9)),
                ("third", (2, 3, 6), (2, 3, None)), ("fixed", (4, 6), (8, 9)), ("same", (4, 6), (4, 6)),
                ("both", (4, 6), (None, None))):
                data = numpy.arange(numpy.prod(shape)).reshape(shape)
                file.create_dataset(name, data=data, maxshape=most, chunks=(2,) * len(shape))
        """;
    assertThat(verified("chunks.h5", script, 2))
        .contains("/second: an index of chunks", "/more: an index", "/third: an index")
        .doesNotContain("/first:", "/same:", "/both:");
  }

  @Test
  void membersWithDimensionsOfOldCompoundsAreNamedAsNotCompared() {
    Path file = Corpus.folder().resolve("lib/tarrold.h5");
    assumeTrue(Files.isRegularFile(file), "a file of the corpus");
    CommandRun run = CommandRun.of("verify", file.toString());
    assertThat(run.out())
        .contains("not compared: /Dataset2: a compound of the old format")
        .doesNotContain("differs:");
  }

  @Test
  void realDifferencesAreFoundBehindWhatIsNotCompared() {
    List<String> found = new ArrayList<>();
    List<String> left = new ArrayList<>();
    try (H5File a = Hdf5.create(folder.resolve("a.h5"));
        H5File b = Hdf5.create(folder.resolve("b.h5"))) {
      a.createDataset("words", Datatypes.vlenString(), Dataspace.simple(3));
      a.dataset("words").write(new String[] {null, "b", "c"});
      b.createDataset("words", Datatypes.vlenString(), Dataspace.simple(3));
      b.dataset("words").write(new String[] {"", "b", "z"});
      FileComparison.Side one = new FileComparison.Side("native", a);
      FileComparison.Side two = new FileComparison.Side("jhdf", b);
      new FileComparison(one, two, found::add, left::add).compare("/", "/");
    }
    assertThat(left).containsExactly("/words: jHDF reads no string and an empty one alike");
    assertThat(found).containsExactly("/words: element [2]: c and z");
  }
}
