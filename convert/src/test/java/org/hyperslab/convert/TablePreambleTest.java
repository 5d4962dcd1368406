package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blank lines and comments before the first row of a table. */
final class TablePreambleTest {

  @TempDir Path folder;

  private H5File converted(String text) throws IOException {
    return converted(text, TableOptions.DEFAULT);
  }

  private H5File converted(String text, TableOptions table) throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), text.getBytes(StandardCharsets.UTF_8));
    Path out = folder.resolve("out.h5");
    ConversionOptions options =
        ConversionOptions.DEFAULT.withColumns(true).withReplace(true).withTable(table);
    FileConverter.convert(in, out, options, FileConverter.Progress.NONE);
    return Hdf5.open(out);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n\nt;x\n",
        "\r\n  \r\nt;x\r\n",
        "# made by a program; on Monday; \"again\n#\n# x\nt;x\n",
        "\uFEFF# one; two\n\nt;x\n",
        "sep=;\n# one\nt;x\n",
        "  # t;y\nt;x\n",
        "\r#\r\rt;x\r"
      })
  void blankLinesAndCommentsBeforeTheNamesAreSkipped(String beginning) throws IOException {
    try (H5File file = converted(beginning + "1;2.5\n3;\n")) {
      assertThat(file.root().names()).containsExactlyInAnyOrder("t", "x");
      assertThat(file.dataset("t").readLongs()).containsExactly(1, 3);
      assertThat(file.dataset("x").readDoubles()).containsExactly(2.5, Double.NaN);
    }
  }

  /** As NumPy and many programs write the names; the row below them could be names too. */
  @ParameterizedTest
  @ValueSource(
      strings = {"# t,x\n1,b\n3,d\n", "#t,x\n1,b\n3,d\n", "# a; b\n\n# by me\n#  t,x\n1,b\n3,d\n"})
  void theLastCommentMayHaveTheNames(String table) throws IOException {
    try (H5File file = converted(table)) {
      assertThat(file.dataset("t").readLongs()).containsExactly(1, 3);
      assertThat(file.dataset("x").readStrings()).containsExactly("b", "d");
    }
    try (H5File file = converted("#chrom,name\nc1,a\nc2,b\n")) {
      assertThat(file.dataset("chrom").readStrings()).containsExactly("c1", "c2");
      assertThat(file.dataset("name").readStrings()).containsExactly("a", "b");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# a comment\n1,b\n3,d\n",
        "# one, two, three\n1,b\n3,d\n",
        "# a, a\n# 5, m\n1,b\n3,d\n",
        "# t,x\n\n1,b\n3,d\n",
        "#\"t,x\n1,b\n3,d\n"
      })
  void namesAreInTheFirstRowBelowOtherComments(String table) throws IOException {
    try (H5File file = converted(table)) {
      assertThat(file.dataset("1").readLongs()).containsExactly(3);
      assertThat(file.dataset("b").readStrings()).containsExactly("d");
    }
    TableOptions noNames = TableOptions.builder().header(Optional.of("no")).build();
    try (H5File file = converted(table, noNames)) {
      assertThat(file.dataset("column0").readLongs()).containsExactly(1, 3);
      assertThat(file.dataset("column1").readStrings()).containsExactly("b", "d");
    }
  }

  @Test
  void aColumnOfNumbersIsReadBelowAComment() throws IOException {
    try (H5File file = converted("# height in m\n1.5\n-2\n")) {
      assertThat(file.dataset("column0").readDoubles()).containsExactly(1.5, -2);
    }
  }

  @Test
  void unitsMayFollowNamesInAComment() throws IOException {
    try (H5File file = converted("#t,x\ns,m\n1,2\n")) {
      assertThat(file.dataset("t").attribute("units").readString()).isEqualTo("s");
      assertThat(file.dataset("x").readLongs()).containsExactly(2);
    }
  }

  /** A space would make it a sentence, perhaps; two names without one are the head of a table. */
  @ParameterizedTest
  @ValueSource(strings = {"#a,b\n", "#a,b", "\n# made on Monday, by me\n#a;b\r\n", "#a\tb\n"})
  void namesWithoutRowsAreATableWithoutRows(String table) throws IOException {
    try (H5File file = converted(table)) {
      assertThat(file.root().names()).containsExactlyInAnyOrder("a", "b");
      assertThat(file.dataset("a").shape()).containsExactly(0);
    }
  }

  @Test
  void tablesOfCommentsAloneAreRefused() {
    for (String text :
        List.of(
            "#", "# a,b\n", "#a\n", "#a,b\n\n", "#1,2\n", "#a,a", "\n\n", "  ", "sep=;\n#\n\r\n")) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      assertThat(HostileInput.convert(bytes, FileKind.CSV, text))
          .containsInstanceOf(CorruptFileException.class);
    }
  }

  /** Names that would be taken for a comment, or for a blank line, are quoted. */
  @ParameterizedTest
  @ValueSource(strings = {"#id", "  ", " # x"})
  void namesLikeCommentsComeBack(String name) throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset(name, new int[] {4, 5});
    }
    Path table = folder.resolve("table.csv");
    FileConverter.convert(in, table);
    try (H5File file = converted(Files.readString(table))) {
      assertThat(file.dataset(name).readLongs()).containsExactly(4, 5);
    }
    String program =
        "import csv, sys\nassert next(csv.reader(open(sys.argv[1]))) == [sys.argv[2]]\n";
    Oracle.python("h5py", Files.writeString(folder.resolve("judge.py"), program))
        .run(table.toString(), name)
        .orFail();
  }

  @Test
  void tablesOfNumpyHaveItsNumbersAndNames() throws IOException {
    String make =
        """
        import sys, numpy
        values = numpy.random.default_rng(1).normal(size=(200, 3))
        numpy.savetxt(sys.argv[1], values, fmt="%.17g", delimiter=",", header="by a program\\nx,y,z")
        """;
    String judge =
        """
        import sys, h5py, numpy
        values = numpy.genfromtxt(sys.argv[1], delimiter=",", names=True, skip_header=1)
        with h5py.File(sys.argv[2]) as file:
            assert set(file) == set(values.dtype.names), set(file)
            for name in file:
                assert (file[name][...] == values[name]).all(), name
        """;
    Path in = folder.resolve("made.csv");
    Oracle.h5py(Files.writeString(folder.resolve("make.py"), make)).run(in.toString()).orFail();
    converted(Files.readString(in)).close();
    Oracle.h5py(Files.writeString(folder.resolve("judge.py"), judge))
        .run(in.toString(), folder.resolve("out.h5").toString())
        .orFail();
  }
}
