package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TableConversionTest {

  @TempDir Path folder;

  @Test
  void keepsRandomTables() {
    JudgedRoundTrip.run("h5py", "table_judge.py", 40);
  }

  @Test
  void readsRandomTablesAsPandasDoes() {
    JudgedRoundTrip.run("pandas", "pandas_judge.py", Effort.times(150, 2_000));
  }

  @Test
  void damagedTablesAreRefusedOrText() {
    byte[] table = utf8("a,b,\"c,d\"\nm,,s\n1,x,2.5\n2,\"y\"\"z\",nan\n3,,\n");
    HostileInput.fuzz(List.of(table), FileKind.CSV, Effort.times(300, 20_000));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void columnsBecomeDatasetsWithUnits() throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8("t,name,code\ns,,\n1.5,a,007\n2,b,010\n"));
    Path out = folder.resolve("out.h5");
    ConversionOptions columns = ConversionOptions.DEFAULT.withColumns(true);
    FileConverter.convert(in, out, columns, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("t").readDoubles()).containsExactly(1.5, 2);
      assertThat(file.dataset("t").attribute("units").readString()).isEqualTo("s");
      assertThat(file.dataset("name").readStrings()).containsExactly("a", "b");
      assertThat(file.dataset("code").readStrings()).containsExactly("007", "010");
    }
    Path back = folder.resolve("back.csv");
    FileConverter.convert(out, back);
    assertThat(back).hasContent("t,name,code\r\ns,,\r\n1.5,a,007\r\n2.0,b,010\r\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void numbersBeyondDoublePrecisionAreALoss(boolean compound) throws IOException {
    Path in = folder.resolve("in.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            wide = numpy.array([1, 3], dtype=numpy.longdouble) / 3
            with h5py.File(sys.argv[1], "w") as file:
                if sys.argv[2] == "true":
                    rows = numpy.zeros(2, dtype=[("id", "i4"), ("x", numpy.longdouble)])
                    rows["x"] = wide
                    file["rows"] = rows
                else:
                    file["x"] = wide
            """,
            in.toString(),
            Boolean.toString(compound))
        .orFail();
    Path out = folder.resolve("out.csv");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the column x of float80le")
        .hasMessageContaining("beyond double precision");
  }

  /** As pandas ({@code to_csv}) and R ({@code write.csv}) write the names of rows. */
  @Test
  void columnOfRowLabelsNeedsNoName() throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8(",t,x\n0,a,1.5\n1,b,\n"));
    Path out = folder.resolve("out.h5");
    ConversionOptions columns = ConversionOptions.DEFAULT.withColumns(true);
    FileConverter.convert(in, out, columns, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("Unnamed: 0").readLongs()).containsExactly(0, 1);
      assertThat(file.dataset("t").readStrings()).containsExactly("a", "b");
      assertThat(file.dataset("x").readDoubles()).containsExactly(1.5, Double.NaN);
    }
  }

  /** As pandas; the note says that digits are lost. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.5|9007199254740993",
        "9007199254740993|1e3",
        "2.5|18446744073709551615",
        "99999999999999999999||0.25",
        "-9223372036854775809|1.0"
      })
  void integersAmongFractionsAreDoubles(String cells) throws IOException {
    String rows = cells.replace("|", ",0\n") + ",0\n";
    Path in = Files.write(folder.resolve("in.csv"), utf8("v,w\n" + rows));
    Path out = folder.resolve("out.h5");
    ConversionOptions columns = ConversionOptions.DEFAULT.withColumns(true);
    ConversionReport report = FileConverter.convert(in, out, columns, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("v").readDoubles())
          .containsExactly(
              cells
                  .lines()
                  .flatMap(line -> List.of(line.split("\\|", -1)).stream())
                  .mapToDouble(cell -> cell.isEmpty() ? Double.NaN : Double.parseDouble(cell))
                  .toArray());
    }
    assertThat(report.notes())
        .hasSize(1)
        .allMatch(note -> note.contains("the column v is doubles") && note.contains("rounded"));
  }

  @Test
  void negativeZeroIsNoFraction() throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8("n\n9007199254740993\n-0\n"));
    Path out = folder.resolve("out.h5");
    ConversionOptions columns = ConversionOptions.DEFAULT.withColumns(true);
    FileConverter.convert(in, out, columns, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("n").readStrings()).containsExactly("9007199254740993", "-0");
    }
  }

  @Test
  void aColumnOfNumbersThatIsTextIsNoted() throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8("n,m\n9007199254740993,1\n,1e400\n"));
    Path out = folder.resolve("out.h5");
    assertThat(FileConverter.convert(in, out).notes())
        .hasSize(2)
        .anyMatch(note -> note.contains("n is text") && note.contains("9007199254740993"))
        .anyMatch(note -> note.contains("m is text") && note.contains("1e400"));
  }

  @Test
  void integersThatADoubleCannotHoldStayText() throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8("n,m\n9007199254740993,1\n,2\n"));
    Path out = folder.resolve("out.h5");
    ConversionOptions columns = ConversionOptions.DEFAULT.withColumns(true);
    FileConverter.convert(in, out, columns, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("n").readStrings()).containsExactly("9007199254740993", "");
      assertThat(file.dataset("m").readLongs()).containsExactly(1, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "18446744073709551617",
        "99999999999999999999",
        "-123456789012345678901234567890",
        "1e400"
      })
  void numbersThatNoTypeHoldsStayText(String number) throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8("n,m\n" + number + ",1\n5,2\n"));
    Path out = folder.resolve("out.h5");
    ConversionOptions columns = ConversionOptions.DEFAULT.withColumns(true);
    FileConverter.convert(in, out, columns, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("n").readStrings()).containsExactly(number, "5");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {",", ";", "\t", "|"})
  void whatSeparatesCellsIsFound(String separator) throws IOException {
    String text = "t,name,x\ns,,\n1.5,\"a,;\t|b\",7\n-2e3,\"say \"\"c\"\"\",8\n";
    for (String end : List.of("\n", "\r\n")) {
      String other = text.replace("a,", "a#").replace(",", separator).replace("a#", "a,");
      Path in = Files.write(folder.resolve("in.csv"), utf8("\uFEFF" + other.replace("\n", end)));
      try (H5File file = converted(in, ConversionOptions.DEFAULT)) {
        assertThat(file.dataset("t").readDoubles()).containsExactly(1.5, -2e3);
        assertThat(file.dataset("t").attribute("units").readString()).isEqualTo("s");
        assertThat(file.dataset("name").readStrings()).containsExactly("a,;\t|b", "say \"c\"");
        assertThat(file.dataset("x").readLongs()).containsExactly(7, 8);
      }
    }
  }

  /** As Excel reads it. */
  @Test
  void firstLineMayNameTheSeparator() throws IOException {
    for (String line : List.of("sep=:\n", "\uFEFFsep=:\r\n", "\"sep=:\"\n")) {
      Path in = Files.write(folder.resolve("in.csv"), utf8(line + "a:b,c\n1:2,3\n"));
      try (H5File file = converted(in, ConversionOptions.DEFAULT)) {
        assertThat(file.dataset("a").readLongs()).containsExactly(1);
        assertThat(file.dataset("b,c").readStrings()).containsExactly("2,3");
      }
    }
  }

  private static TableOptions header(String word) {
    return TableOptions.builder().header(Optional.of(word)).build();
  }

  private H5File converted(Path in, ConversionOptions options) {
    Path out = folder.resolve("out.h5");
    ConversionOptions columns = options.withColumns(true).withReplace(true);
    FileConverter.convert(in, out, columns, FileConverter.Progress.NONE);
    return Hdf5.open(out);
  }

  @Test
  void numbersWithDecimalCommasStayText() throws IOException {
    for (String header : List.of("", "column0;column1;column2\n")) {
      String rows = "1,5;2,5;\n-3,25;4;5\n7,0;;6\n";
      Path in = Files.write(folder.resolve("in.csv"), utf8(header + rows));
      TableOptions table = header(header.isEmpty() ? "no" : "yes");
      try (H5File file = converted(in, ConversionOptions.DEFAULT.withTable(table))) {
        assertThat(file.dataset("column0").readStrings()).containsExactly("1,5", "-3,25", "7,0");
        assertThat(file.dataset("column1").readStrings()).containsExactly("2,5", "4", "");
        assertThat(file.dataset("column2").readDoubles()).containsExactly(Double.NaN, 5, 6);
      }
    }
  }

  /** Tables of commas whose cells contain other separators, and tables of one column. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a;b,c;d\n1;2,3;4\n",
        "a|b,c\nx|y,z\n",
        "text\none;two\nthree;four\n",
        "\"a;b\"\n\"c;d\"\n",
        "a;b\nc;d\ne\n"
      })
  void commasComeBeforeOtherSeparators(String table) throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8(table));
    Path out = folder.resolve("out.h5");
    FileConverter.convert(in, out);
    Path back = folder.resolve("back.csv");
    FileConverter.convert(out, back);
    assertThat(Files.readString(back).replace("\r\n", "\n")).isEqualTo(table.replace("\"", ""));
  }

  @Test
  void separatorThatIsNamedIsTaken() throws IOException {
    Path in = Files.write(folder.resolve("in.csv"), utf8("a:b,c\n1:2,3\n"));
    try (H5File file = converted(in, ConversionOptions.DEFAULT.withDelimiter(":"))) {
      assertThat(file.dataset("a").readLongs()).containsExactly(1);
      assertThat(file.dataset("b,c").readStrings()).containsExactly("2,3");
    }
    Path out = folder.resolve("out.csv");
    ConversionOptions semicolon = ConversionOptions.DEFAULT.withDelimiter("semicolon");
    FileConverter.convert(folder.resolve("out.h5"), out, semicolon, FileConverter.Progress.NONE);
    assertThat(out).hasContent("a;b,c\r\n1;2,3\r\n");
    for (String wrong : List.of("", ";;", "\"", "\n", "7", "x", "-", "\u00E9", "colon")) {
      assertThatThrownBy(() -> ConversionOptions.DEFAULT.withDelimiter(wrong))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("delimiter: actual=" + wrong);
    }
    Path again = folder.resolve("again.nc4");
    assertThatThrownBy(() ->
            FileConverter.convert(
                folder.resolve("out.h5"), again, semicolon, FileConverter.Progress.NONE))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("leave --delimiter");
  }

  @Test
  void textThatIsNotUtf8KeepsItsBytes() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("name", new String[] {"\uDCE9t\uDCE9"}); // Latin-1, as it is read
    }
    Path out = folder.resolve("out.csv");
    FileConverter.convert(in, out);
    assertThat(new String(Files.readAllBytes(out), StandardCharsets.ISO_8859_1))
        .contains("\r\n\u00E9t\u00E9\r\n");
  }

  @Test
  void rowsOfOtherLengthsAreRefused() {
    assertThat(HostileInput.convert(utf8("a,b\n1,2\n3\n"), FileKind.CSV, "short row"))
        .hasValueSatisfying(refused ->
            assertThat(refused)
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining("actual=1 cells in line 3, expected=2"));
    assertThat(HostileInput.convert(utf8("a,b\n1,\"2\n3\n"), FileKind.CSV, "open quote"))
        .containsInstanceOf(CorruptFileException.class);
  }

  @Test
  void arraysThatAreNoTablesAreRefused() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new double[2][3][4]);
    }
    Path out = folder.resolve("out.csv");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("/x");
    assertThat(out).doesNotExist();
  }

  @Test
  void rawElementsAreReadByADescription() throws IOException {
    Path in = Files.write(folder.resolve("in.raw"), new byte[] {9, 9, 0, 1, 0, 2, 0, 3, 0, 4});
    Path out = folder.resolve("out.h5");
    ConversionOptions options =
        ConversionOptions.DEFAULT.withRaw("type=>i2,shape=2x2,order=F,offset=2");
    FileConverter.convert(in, out, options, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("data").read(int[][].class))
          .isDeepEqualTo(new int[][] {{1, 3}, {2, 4}});
    }
    Path back = folder.resolve("back.raw");
    FileConverter.convert(out, back);
    assertThat(back).hasBinaryContent(new byte[] {0, 1, 0, 3, 0, 2, 0, 4});
    ConversionOptions longer = ConversionOptions.DEFAULT.withRaw("type=<f8,shape=5");
    assertThatThrownBy(() ->
            FileConverter.convert(in, folder.resolve("no.h5"), longer, FileConverter.Progress.NONE))
        .isInstanceOf(CorruptFileException.class);
  }
}
