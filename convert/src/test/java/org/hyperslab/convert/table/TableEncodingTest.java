package org.hyperslab.convert.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.FileConverter;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables in encodings other than UTF-8. */
final class TableEncodingTest {

  /** More than what is encoded together. */
  private static final int ROWS = 40_000;

  private static final String JUDGE =
      """
      import sys, pandas
      path, encoding, text, rows = sys.argv[1:]
      frame = pandas.read_csv(path, encoding=encoding)
      assert set(frame.columns) == {"n", text}, frame.columns
      assert frame["n"].dtype == "int64", frame["n"]
      assert (frame["n"] == range(int(rows))).all()
      assert (frame[text] == text).all()
      """;

  @TempDir Path folder;

  private static ConversionOptions encoding(String name) {
    return ConversionOptions.DEFAULT
        .withColumns(true)
        .withTable(TableOptions.builder().encoding(Optional.of(name)).build());
  }

  private Path table(String text, int rows) {
    Path file = folder.resolve("in.h5");
    long[] numbers = new long[rows];
    String[] texts = new String[rows];
    for (int i = 0; i < rows; i++) {
      numbers[i] = i;
      texts[i] = text;
    }
    try (H5File made = Hdf5.create(file)) {
      made.createDataset("n", numbers);
      made.createDataset(text, texts);
    }
    return file;
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-16, utf-16, \u6570\uD83D\uDE00",
    "x-UTF-16LE-BOM, utf-16, \u6570\uD83D\uDE00",
    "UTF-16BE, utf-16-be, \u6570\uD83D\uDE00",
    "UTF-16LE, utf-16-le, \u6570\uD83D\uDE00",
    "UTF-32, utf-32, \u6570\uD83D\uDE00",
    "X-UTF-32BE-BOM, utf-32, \u6570\uD83D\uDE00",
    "X-UTF-32LE-BOM, utf-32, \u6570\uD83D\uDE00",
    "UTF-32LE, utf-32-le, \u6570\uD83D\uDE00",
    "ISO-2022-JP, iso2022_jp, \u65E5\u672C",
    "ISO-2022-KR, iso2022_kr, \uD55C\uAE00",
    "GB18030, gb18030, \u6570\uD83D\uDE00",
    "Shift_JIS, shift_jis, \u65E5\u672C",
    "latin1, latin1, gr\u00FCn"
  })
  void allBlocksAreOneText(String java, String python, String text) throws IOException {
    Path in = table(text, ROWS);
    Path out = folder.resolve("out.csv");
    FileConverter.convert(in, out, encoding(java), FileConverter.Progress.NONE);
    Oracle.Outcome said =
        Oracle.python("pandas", Files.writeString(folder.resolve("judge.py"), JUDGE))
            .run(out.toString(), python, text, Integer.toString(ROWS));
    assertThat(said.exitCode()).as(said.text()).isZero();
    Path again = folder.resolve("again.h5");
    FileConverter.convert(out, again, encoding(java), FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(again)) {
      assertThat(file.dataset("n").readLongs()).hasSize(ROWS).endsWith(ROWS - 1);
      assertThat(file.dataset(text).readStrings()).hasSize(ROWS).containsOnly(text);
    }
  }

  /** Each piece of text is as it is in the whole text, also where a piece is empty. */
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "x-UTF-16LE-BOM", "ISO-2022-JP", "ISO-2022-KR", "x-IBM930"})
  void piecesAreAsTheWholeText(String name) throws IOException {
    Charset charset = Charset.forName(name);
    String text = name.equals("ISO-2022-KR") ? "\uD55C" : "\u65E5";
    TableEncoder encoder = new TableEncoder(charset);
    StringBuilder whole = new StringBuilder();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      String piece = "a".repeat(i % 3) + text.repeat(i % 7) + "b".repeat(i % 2);
      whole.append(piece);
      bytes.writeBytes(encoder.encode(piece));
    }
    bytes.writeBytes(encoder.end());
    assertThat(bytes.toByteArray()).isEqualTo(whole.toString().getBytes(charset));
  }

  @Test
  void anEncodingThatCanOnlyBeReadIsRefused() {
    Path in = table("a", 1);
    Path out = folder.resolve("out.csv");
    assertThatThrownBy(() ->
            FileConverter.convert(in, out, encoding("ISO-2022-CN"), FileConverter.Progress.NONE))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("ISO-2022-CN");
    assertThat(out).doesNotExist();
  }

  @Test
  void messagesNameTheOutput() {
    Path in = table("\u65E5", 1);
    Path out = folder.resolve("out.csv");
    assertThatThrownBy(
            () -> FileConverter.convert(in, out, encoding("latin1"), FileConverter.Progress.NONE))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageEndingWith("at=" + out);
  }

  @Test
  void unitsAreLeftOutIfToldSo() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File made = Hdf5.create(in)) {
      made.createDataset("n", new double[] {1.5}).setAttribute("units", "m");
    }
    Path out = folder.resolve("out.csv");
    ConversionOptions none =
        ConversionOptions.DEFAULT.withTable(
            TableOptions.builder().unitsRow(Optional.of(false)).build());
    ConversionReport report = FileConverter.convert(in, out, none, FileConverter.Progress.NONE);
    assertThat(report.losses()).isEmpty();
    assertThat(report.notes()).isEmpty();
    assertThat(out).hasContent("n\r\n1.5\r\n");
    Path with = folder.resolve("with.csv");
    FileConverter.convert(in, with);
    assertThat(with).hasContent("n\r\nm\r\n1.5\r\n");
  }
}
