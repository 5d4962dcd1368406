package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rows of a table are names, units and data, and which cells are missing. */
final class TableReadingTest {

  @TempDir Path folder;

  private ConversionReport report;

  private H5File read(String text, TableOptions table) throws IOException {
    return read("in.csv", text.getBytes(StandardCharsets.UTF_8), table);
  }

  private H5File read(String name, byte[] bytes, TableOptions table) throws IOException {
    Path in = Files.write(folder.resolve(name), bytes);
    Path out = folder.resolve("out.h5");
    ConversionOptions options =
        ConversionOptions.DEFAULT.withColumns(true).withReplace(true).withTable(table);
    report = FileConverter.convert(in, out, options, FileConverter.Progress.NONE);
    return Hdf5.open(out);
  }

  private static TableOptions header(String word) {
    return TableOptions.builder().header(Optional.of(word)).build();
  }

  private static TableOptions missing(String list) {
    return TableOptions.builder().missing(Optional.of(list)).build();
  }

  private static TableOptions units(boolean has) {
    return TableOptions.builder().unitsRow(Optional.of(has)).build();
  }

  private static TableOptions encoding(String name) {
    return TableOptions.builder().encoding(Optional.of(name)).build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NA", "N/A", "null", "-", ".", "?", "none", "#N/A", "", "ab", "n.a.", "nil", "A-b"
      })
  void theFirstRowIsKeptWhateverItIs(String cell) throws IOException {
    String text = "id,v\n" + cell + "," + cell + "\n1,2.5\n3,4\n";
    try (H5File file = read(text, TableOptions.DEFAULT)) {
      assertThat(file.dataset("id").shape()).containsExactly(3);
      assertThat(file.dataset("v").shape()).containsExactly(3);
      assertThat(file.dataset("v").attributes()).isEmpty();
    }
    assertThat(report.notes()).isEmpty();
  }

  @Test
  void aRowOfTextAboveNumbersIsNoUnits() throws IOException {
    try (H5File file = read("city,ret\nOslo,\nRome,0.5\nBonn,0.7\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("city").readStrings()).containsExactly("Oslo", "Rome", "Bonn");
      assertThat(file.dataset("ret").readDoubles()).containsExactly(Double.NaN, 0.5, 0.7);
    }
    try (H5File file = read("x,y\nA,m\nC,kg\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("x").readStrings()).containsExactly("A", "C");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m/s",
        "kg m-3",
        "W/m^2",
        "W m**-2",
        "degC",
        "\u00B0C",
        "%",
        "[hPa]",
        "(mm)",
        "m s-1",
        "degrees_north",
        "days since 2000-01-01",
        "\u00B5m",
        "kg\u00B7m\u00B2/s\u00B3",
        "mol/L",
        "ppm"
      })
  void aRowOfKnownUnitsIsUnits(String unit) throws IOException {
    try (H5File file = read("a,b,c\n" + unit + ",,-\n1,x,2\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("a").attribute("units").readString()).isEqualTo(unit);
      assertThat(file.dataset("a").readLongs()).containsExactly(1);
      assertThat(file.dataset("b").attributes()).isEmpty();
    }
    assertThat(report.notes()).hasSize(1);
    assertThat(report.notes().getFirst()).contains("read as units").contains("--units-row=no");
  }

  @Test
  void unitsAreForcedAndForbidden() throws IOException {
    String text = "a,b\nfurlong,m\n1,2\n";
    try (H5File file = read(text, TableOptions.DEFAULT)) {
      assertThat(file.dataset("a").readStrings()).containsExactly("furlong", "1");
    }
    try (H5File file = read(text, units(true))) {
      assertThat(file.dataset("a").attribute("units").readString()).isEqualTo("furlong");
      assertThat(file.dataset("a").readLongs()).containsExactly(1);
    }
    try (H5File file = read(text.replace("furlong", "s"), units(false))) {
      assertThat(file.dataset("b").readStrings()).containsExactly("m", "2");
    }
    assertThatThrownBy(() -> read("a,b\n", units(true)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("--units-row");
  }

  @Test
  void namesAreThoseOfPandas() throws IOException {
    try (H5File file = read("station,2019,2020\nOslo,1.5,2.5\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("2019").readDoubles()).containsExactly(1.5);
      assertThat(file.dataset("station").readStrings()).containsExactly("Oslo");
    }
    try (H5File file = read("a,a,a.1,,b,\n1,2,3,4,5,6\n", TableOptions.DEFAULT)) {
      assertThat(file.root().names())
          .containsExactlyInAnyOrder("a", "a.2", "a.1", "Unnamed: 3", "b", "Unnamed: 5");
    }
    assertThat(report.notes()).isEmpty();
    try (H5File file = read("inf\n1\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("inf").readLongs()).containsExactly(1);
    }
    assertThat(report.notes().getFirst()).contains("names of columns").contains("--header no");
  }

  @Test
  void theRowOfNamesIsChosen() throws IOException {
    String text = "1,2\nx,y\n3,4\n";
    try (H5File file = read(text, header("no"))) {
      assertThat(file.dataset("column0").readStrings()).containsExactly("1", "x", "3");
    }
    try (H5File file = read(text, header("1"))) {
      assertThat(file.dataset("x").readLongs()).containsExactly(3);
    }
    try (H5File file = read("#a,b\n1,2\n3,4\n", header("yes"))) {
      assertThat(file.dataset("1").readLongs()).containsExactly(3);
    }
    assertThatThrownBy(() -> read(text, header("3")))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("fewer rows");
    assertThatThrownBy(() -> header("maybe")).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void missingCellsOfNumbersAreNotANumber() throws IOException {
    try (H5File file = read("x,y,z\n1,NA,\n2,3.5,\n<NA>,null,\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("x").readDoubles()).containsExactly(1, 2, Double.NaN);
      assertThat(file.dataset("y").readDoubles()).containsExactly(Double.NaN, 3.5, Double.NaN);
      assertThat(file.dataset("z").readDoubles())
          .containsExactly(Double.NaN, Double.NaN, Double.NaN);
    }
    try (H5File file = read("x,y\n1,-\n-999,?\nNA,3\n", missing("-,?,-999"))) {
      assertThat(file.dataset("x").readDoubles()).containsExactly(1, Double.NaN, Double.NaN);
      assertThat(file.dataset("y").readDoubles()).containsExactly(Double.NaN, Double.NaN, 3);
    }
    try (H5File file = read("x,y\n1,-\nNA,3\n", missing("=-"))) {
      assertThat(file.dataset("x").readStrings()).containsExactly("1", "NA");
      assertThat(file.dataset("y").readDoubles()).containsExactly(Double.NaN, 3);
    }
  }

  @Test
  void numbersHaveSpacesAndSigns() throws IOException {
    try (H5File file = read("a, b,c\n1, 2,+1.5\n3 ,\t4,-2e+3\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("a").readLongs()).containsExactly(1, 3);
      assertThat(file.dataset(" b").readLongs()).containsExactly(2, 4);
      assertThat(file.dataset("c").readDoubles()).containsExactly(1.5, -2000);
    }
  }

  @Test
  void textIsReadInItsEncoding() throws IOException {
    String text = "n\u00E4me,v\nk\u00F6ln \u00B0,1\n";
    for (String name : List.of("latin1", "windows-1252", "utf-16", "UTF-8")) {
      try (H5File file = read("in.csv", text.getBytes(Charset.forName(name)), encoding(name))) {
        assertThat(file.dataset("n\u00E4me").readStrings()).containsExactly("k\u00F6ln \u00B0");
      }
    }
    byte[] latin = text.getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> read("in.csv", latin, TableOptions.DEFAULT))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("--encoding");
    assertThatThrownBy(() -> encoding("latin-99")).isInstanceOf(InvalidUseException.class);
  }

  @Test
  void textIsWrittenInItsEncoding() throws IOException {
    read("a\nk\u00F6ln\n", TableOptions.DEFAULT).close();
    Path out = folder.resolve("latin.csv");
    ConversionOptions latin = ConversionOptions.DEFAULT.withTable(encoding("latin1"));
    FileConverter.convert(folder.resolve("out.h5"), out, latin, FileConverter.Progress.NONE);
    assertThat(Files.readString(out, StandardCharsets.ISO_8859_1)).isEqualTo("a\r\nk\u00F6ln\r\n");
    ConversionOptions ascii =
        ConversionOptions.DEFAULT.withReplace(true).withTable(encoding("us-ascii"));
    assertThatThrownBy(() ->
            FileConverter.convert(
                folder.resolve("out.h5"), out, ascii, FileConverter.Progress.NONE))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("--encoding");
  }

  @Test
  void tablesMayBeCompressed() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write("a,b\n1,x\n2,y\n".getBytes(StandardCharsets.UTF_8));
    }
    try (H5File file = read("in.csv.gz", bytes.toByteArray(), TableOptions.DEFAULT)) {
      assertThat(file.dataset("a").readLongs()).containsExactly(1, 2);
    }
    Path out = folder.resolve("back.csv.gz");
    FileConverter.convert(folder.resolve("out.h5"), out);
    try (GZIPInputStream back = new GZIPInputStream(Files.newInputStream(out))) {
      assertThat(new String(back.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("a,b\r\n1,x\r\n2,y\r\n");
    }
    byte[] half = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 9);
    assertThatThrownBy(() -> read("half.csv.gz", half, TableOptions.DEFAULT))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("gzip");
  }

  @Test
  void compressedTablesMayBeUtf16() throws IOException {
    for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (OutputStream gzip = new GZIPOutputStream(bytes)) {
        gzip.write("\uFEFFa,b\n1,\u20AC\n".getBytes(charset));
      }
      try (H5File file = read("in.csv.gz", bytes.toByteArray(), TableOptions.DEFAULT)) {
        assertThat(file.dataset("a").readLongs()).containsExactly(1);
        assertThat(file.dataset("b").readStrings()).containsExactly("\u20AC");
      }
    }
  }

  @Test
  void compressedTablesExpandToALimit() throws IOException {
    Path in = folder.resolve("in.csv.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(in))) {
      gzip.write(new byte[1 << 20]);
    }
    ConversionOptions options = ConversionOptions.DEFAULT.withExpanded(1 << 19);
    assertThatThrownBy(() ->
            FileConverter.convert(
                in, folder.resolve("out.h5"), options, FileConverter.Progress.NONE))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("--max-expanded");
  }

  @Test
  void rowsOfTwoDimensionsAreRowsOfATable() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new double[][] {{1, 2.5, Double.NaN}, {4, 5, 6}});
    }
    Path out = folder.resolve("out.csv");
    FileConverter.convert(in, out);
    assertThat(out).hasContent("0,1,2\r\n1.0,2.5,nan\r\n4.0,5.0,6.0\r\n");
    Path bare = folder.resolve("bare.csv");
    ConversionOptions options = ConversionOptions.DEFAULT.withTable(header("no"));
    FileConverter.convert(in, bare, options, FileConverter.Progress.NONE);
    assertThat(bare).hasContent("1.0,2.5,nan\r\n4.0,5.0,6.0\r\n");
  }

  @Test
  void blankLinesAreNoRowsAndBlankCellsAre() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("t", new String[] {"", "a", "  ", "b"});
    }
    Path out = folder.resolve("out.csv");
    FileConverter.convert(in, out);
    assertThat(out).hasContent("t\r\n\"\"\r\na\r\n\"  \"\r\nb\r\n");
    try (H5File file = read(Files.readString(out), TableOptions.DEFAULT)) {
      assertThat(file.dataset("t").readStrings()).containsExactly("", "a", "  ", "b");
    }
    try (H5File file = read("t\n1\n\n  \n2\n\n", TableOptions.DEFAULT)) {
      assertThat(file.dataset("t").readLongs()).containsExactly(1, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.h5", "out.nc", "out.npz", "out.zarr", "out.zarr.zip", "out.csv"})
  void aFailedConversionKeepsTheOlderOutput(String name) throws IOException {
    Path out = folder.resolve(name);
    Path good = Files.writeString(folder.resolve("good.csv"), "a\n1\n2\n");
    Path bad = folder.resolve("bad.h5");
    try (H5File file = Hdf5.create(bad)) {
      file.createDataset("ok", new int[] {1});
      file.createDataset("wide", new double[1][1][1]);
    }
    ConversionOptions replace = ConversionOptions.DEFAULT.withReplace(true).withColumns(true);
    FileConverter.convert(good, out, replace, FileConverter.Progress.NONE);
    Path truncated = folder.resolve("cut.npy");
    FileConverter.convert(
        bad,
        truncated,
        replace.withColumns(false).withPath("/wide").withLenient(true),
        FileConverter.Progress.NONE);
    byte[] whole = Files.readAllBytes(truncated);
    Files.write(truncated, Arrays.copyOf(whole, whole.length - 4));
    assertThatThrownBy(
            () -> FileConverter.convert(truncated, out, replace, FileConverter.Progress.NONE))
        .isInstanceOf(HyperslabException.class);
    FileConverter.convert(out, folder.resolve("again.h5"));
    assertThat(folder.toFile().list((_, file) -> file.contains("unfinished"))).isEmpty();
    FileConverter.convert(good, out, replace, FileConverter.Progress.NONE);
    assertThat(folder.toFile().list((_, file) -> file.contains("unfinished"))).isEmpty();
  }

  @Test
  void anOutputThatCannotBeWrittenIsNotReplaced() throws IOException {
    Path out = Files.writeString(folder.resolve("out.csv"), "a\n1\n");
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("cube", new double[2][2][2]);
    }
    ConversionOptions replace = ConversionOptions.DEFAULT.withReplace(true);
    assertThatThrownBy(() -> FileConverter.convert(in, out, replace, FileConverter.Progress.NONE))
        .isInstanceOf(UnsupportedFeatureException.class);
    assertThat(out).hasContent("a\n1\n");
  }

  @Test
  void shortRowsAreFilledIfAskedFor() throws IOException {
    String text = "a,b,c\n1,2,3\n4,5\n6\n7,8,x\n";
    assertThatThrownBy(() -> read(text, TableOptions.DEFAULT))
        .hasMessageContaining("line 3")
        .hasMessageContaining("--short-rows");
    TableOptions fill = TableOptions.builder().shortRows(Optional.of("fill")).build();
    try (H5File file = read(text, fill)) {
      assertThat(file.dataset("a").readInts()).containsExactly(1, 4, 6, 7);
      assertThat(file.dataset("b").readDoubles()).containsExactly(2, 5, Double.NaN, 8);
      assertThat(file.dataset("c").readStrings()).containsExactly("3", "", "", "x");
    }
    assertThatThrownBy(() -> read("a,b\n1,2,3\n", fill)).hasMessageContaining("3 cells");
  }

  @Test
  void aColumnThatIsAlmostNumbersIsNoted() throws IOException {
    String text = "zip;phone;price;name\n00501;+47;1,5;x1\n2134;+48;2,25;07\n";
    try (H5File file = read(text, TableOptions.DEFAULT)) {
      assertThat(file.dataset("zip").readStrings()).containsExactly("00501", "2134");
    }
    assertThat(report.notes())
        .hasSize(3)
        .anyMatch(note -> note.contains("zip is text") && note.contains("00501"))
        .anyMatch(note -> note.contains("phone is text") && note.contains("+47"))
        .anyMatch(note -> note.contains("price is text") && note.contains("comma"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void aByteOrderMarkOfUtf16IsEnough(String encoding) throws IOException {
    byte[] bytes = "\uFEFFn\u00E4me,b\n\u65E5,2\n".getBytes(Charset.forName(encoding));
    try (H5File file = read("utf16.csv", bytes, TableOptions.DEFAULT)) {
      assertThat(file.dataset("n\u00E4me").readStrings()).containsExactly("\u65E5");
      assertThat(file.dataset("b").readInts()).containsExactly(2);
    }
  }

  /** Columns are read from one pass over the table, and are the members of the compound. */
  @Test
  void columnsHaveWhatTheRowsHave() throws IOException {
    StringBuilder text = new StringBuilder("i,x,t,long\n");
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append(',').append(i / 8.0).append(",t").append(i % 1000).append(',');
      text.append("y".repeat(i % 300)).append('\n');
    }
    try (H5File file = read(text.toString(), TableOptions.DEFAULT)) {
      int[] numbers = file.dataset("i").readInts();
      double[] reals = file.dataset("x").readDoubles();
      String[] texts = file.dataset("t").readStrings();
      String[] longs = file.dataset("long").readStrings();
      assertThat(numbers).hasSize(20_000);
      for (int i = 0; i < numbers.length; i++) {
        assertThat(numbers[i]).isEqualTo(i);
        assertThat(reals[i]).isEqualTo(i / 8.0);
        assertThat(texts[i]).isEqualTo("t" + i % 1000);
        assertThat(longs[i]).hasSize(i % 300);
      }
    }
  }
}
