package org.hyperslab.format.type.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the table of docs/conversions.md: our column by converting, the others with the HDF5
 * library, through h5py and, where a newer one is present, a C program.
 */
class ConversionTableTest {

  private static final Path TABLE =
      Path.of(System.getProperty("hyperslab.root"), "docs", "conversions.md");

  /** A row: an element of one type, and the result of its conversion to another. */
  private record Row(
      String from, String to, String element, String ours, String old, String newest) {
    static Row of(String line) {
      String[] cells = line.split("\\|", -1);
      return new Row(
          cell(cells[1]),
          cell(cells[2]),
          cell(cells[3]),
          cell(cells[5]),
          cell(cells[6]),
          cell(cells[7]));
    }

    private static String cell(String text) {
      return text.replace("`", "").strip();
    }

    String question() {
      return from + " " + to + " " + element;
    }
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows =
        Files.readAllLines(TABLE).stream()
            .filter(line -> line.startsWith("| `"))
            .map(Row::of)
            .toList();
    assertThat(rows).hasSizeGreaterThan(50);
    return rows;
  }

  private static List<String> answers(List<Row> rows, Function<Row, String> column) {
    return rows.stream().map(row -> row.question() + " " + column.apply(row)).toList();
  }

  private static List<String> answered(List<Row> rows, List<String> said) {
    assertThat(said).hasSameSizeAs(rows);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < said.size(); i++) {
      lines.add(rows.get(i).question() + " " + said.get(i));
    }
    return lines;
  }

  @Test
  void ourColumnEqualsOurConversions() throws IOException {
    List<Row> rows = rows();
    List<String> ours = rows.stream().map(ConversionTableTest::convert).toList();
    assertThat(answered(rows, ours)).isEqualTo(answers(rows, Row::ours));
  }

  private static String convert(Row row) {
    byte[] source = HexFormat.of().parseHex(row.element());
    try {
      Converter converter = Converter.between(type(row.from()), type(row.to()));
      byte[] target = new byte[converter.destination().size()];
      converter
          .open()
          .convert(MemorySegment.ofArray(source), 0, MemorySegment.ofArray(target), 0, 1);
      return HexFormat.of().formatHex(target);
    } catch (InvalidUseException e) {
      return "refused";
    }
  }

  private static Datatype type(String name) {
    Endian order = name.endsWith("be") ? Endian.BIG : Endian.LITTLE;
    if (name.startsWith("colours")) {
      return colours(name.endsWith("without-green"));
    }
    if (name.startsWith("f") || name.startsWith("b")) {
      FloatType real =
          switch (name.substring(0, name.length() - 2)) {
            case "f64" -> Datatypes.F64LE;
            case "f32" -> Datatypes.F32LE;
            case "f16" -> Datatypes.F16LE;
            default -> Datatypes.BF16LE;
          };
      return real.withOrder(order);
    }
    int bits = Integer.parseInt(name.substring(1, name.length() - 2));
    int size = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    IntegerType whole = IntegerType.of(size, order, name.startsWith("i"));
    return new IntegerType(
        size, order, whole.signed(), bits, 0, whole.lowPadding(), whole.highPadding());
  }

  private static EnumType colours(boolean lacking) {
    EnumType.Builder builder = EnumType.builder(Datatypes.I16LE);
    int factor = lacking ? 10 : 1;
    builder.constant("RED", 0);
    if (!lacking) {
      builder.constant("GREEN", 1);
    }
    return builder.constant("BLUE", 2L * factor).build();
  }

  @Test
  void olderColumnMatchesHdf5(@TempDir Path folder) throws IOException {
    Path script = resource("convert.py", folder);
    Oracle h5py = Oracle.h5py(script);
    String version = h5py.run("version").orFail().output().strip();
    assumeTrue(version.startsWith("1.10."), "h5py has HDF5 " + version);
    List<Row> rows = rows();
    List<String> said = h5py.run(questions(rows, folder)).orFail().output().lines().toList();
    assertThat(answered(rows, said)).isEqualTo(answers(rows, Row::old));
  }

  @Test
  void newestColumnMatchesHdf5(@TempDir Path folder) throws IOException {
    Optional<Oracle> compiler = Oracle.newest("h5cc");
    Optional<Oracle> runner = Oracle.newest("h5run");
    assumeTrue(compiler.isPresent() && runner.isPresent(), "no newer HDF5 on this machine");
    Path program = folder.resolve("convert");
    Path source = resource("convert.c", folder);
    compiler.get().run("-o", program.toString(), source.toString()).orFail();
    List<Row> rows = rows();
    String questions = questions(rows, folder);
    List<String> said =
        runner.get().run(program.toString(), questions).orFail().output().lines().toList();
    assertThat(answered(rows, said)).isEqualTo(answers(rows, Row::newest));
  }

  private static String questions(List<Row> rows, Path folder) throws IOException {
    Path file = folder.resolve("questions");
    Files.write(file, rows.stream().map(Row::question).toList());
    return file.toString();
  }

  private static Path resource(String name, Path folder) throws IOException {
    try (InputStream in = ConversionTableTest.class.getResourceAsStream(name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Files.writeString(folder.resolve(name), text);
    }
  }
}
