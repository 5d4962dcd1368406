package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of numbers, which are read once, with cells that change what a column is. */
final class NumberTablesTest {

  private static final int INTEGERS = 0;
  private static final int REALS = 1;
  private static final int MIXED = 2;
  private static final int MISSING = 3;
  private static final int UNSIGNED = 4;
  private static final int TEXTS = 5;

  @TempDir Path folder;

  private long memoryBytes = ConversionOptions.DEFAULT.memoryBytes();

  @Test
  void numbersAreThoseOfTheCells() {
    Seeds.run(
        Effort.times(20, 500),
        random -> {
          int columns = 1 + random.nextInt(6);
          int[] kinds =
              random.ints(columns, 0, random.nextInt(4) == 0 ? TEXTS + 1 : UNSIGNED).toArray();
          check(random, kinds, random.nextInt(8000));
        });
  }

  /** What is known of a column changes in its last row. */
  @Test
  void lastRowDecides() {
    for (String last :
        new String[] {
          "7", "2.5", "", "-0", "x", "true", "18446744073709551615", "9007199254740993"
        }) {
      String[][] cells = new String[5000][2];
      for (int row = 0; row < cells.length; row++) {
        cells[row] = new String[] {Integer.toString(row), row + ".25"};
      }
      cells[cells.length - 1][0] = last;
      memoryBytes = 1 << 20;
      check(cells);
    }
  }

  /** As pandas finds them, however a cell writes the number. */
  @Test
  void numbersMayMarkMissingValues() throws IOException {
    String text = "a,b,c\n1,-999.0,-999.00\n-999,2.5,1\n3,-9.99E2,x\n4, -999 ,+999\n";
    Path in = Files.writeString(folder.resolve("in.csv"), text);
    TableOptions marks = TableOptions.builder().missing(Optional.of("-999")).build();
    try (H5File file =
        converted(in, ConversionOptions.DEFAULT.withTable(marks).withColumns(true))) {
      assertThat(file.dataset("a").readDoubles()).containsExactly(1, Double.NaN, 3, 4);
      assertThat(file.dataset("b").readDoubles())
          .containsExactly(Double.NaN, 2.5, Double.NaN, Double.NaN);
      assertThat(file.dataset("c").readStrings()).containsExactly("-999.00", "1", "x", "+999");
    }
  }

  /** A short row has far fewer bytes than numbers. */
  @Test
  void shortRowsOfWideTablesAreMissing() throws IOException {
    int columns = 1000;
    String[] names = new String[columns];
    Arrays.setAll(names, i -> "c" + i);
    String text = String.join(",", names) + "\n" + "1\n".repeat(300);
    Path in = Files.writeString(folder.resolve("in.csv"), text);
    TableOptions fill = TableOptions.builder().shortRows(Optional.of("fill")).build();
    ConversionOptions options = ConversionOptions.DEFAULT.withTable(fill).withExpanded(1L << 30);
    try (H5File file = converted(in, options)) {
      Dataset table = file.dataset("table");
      assertThat(table.field("c0").readLongs()).hasSize(300).containsOnly(1);
      assertThat(table.field("c999").readDoubles()).hasSize(300).containsOnly(Double.NaN);
    }
  }

  private void check(Random random, int[] kinds, int rows) {
    memoryBytes = random.nextBoolean() ? 1 << 20 : ConversionOptions.DEFAULT.memoryBytes();
    int change = random.nextInt(Math.max(1, rows));
    String[][] cells = new String[rows][kinds.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < kinds.length; column++) {
        cells[row][column] = cell(random, row < change ? INTEGERS : kinds[column]);
      }
    }
    check(cells);
  }

  private static String cell(Random random, int kind) {
    return switch (kind) {
      case INTEGERS -> Long.toString(random.nextLong() >> 11 + random.nextInt(50));
      case REALS -> Double.toString(random.nextGaussian());
      case MIXED ->
          random.nextBoolean() ? random.nextInt() + ".5" : Integer.toString(random.nextInt());
      case MISSING -> random.nextBoolean() ? "NA" : Integer.toString(random.nextInt());
      case UNSIGNED -> Long.toUnsignedString(random.nextLong());
      default -> "text " + random.nextInt(100);
    };
  }

  private void check(String[][] cells) {
    int columns = cells.length == 0 ? 1 : cells[0].length;
    StringBuilder text =
        new StringBuilder(columns == 1 ? "n" : "n".concat(",n".repeat(columns - 1)));
    for (String[] row : cells) {
      text.append('\n').append(columns == 1 && row[0].isEmpty() ? "\"\"" : String.join(",", row));
    }
    Path in = folder.resolve("in.csv");
    try {
      Files.writeString(in, text);
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
    ConversionOptions options = ConversionOptions.DEFAULT.withMemory(memoryBytes);
    try (H5File file = converted(in, options.withColumns(true))) {
      for (int column = 0; column < columns; column++) {
        Dataset dataset = file.dataset(name(column));
        Object values = dataset.read(javaType(dataset.type()));
        assertThat(texts(values)).isEqualTo(expected(cells, column, values));
      }
    }
    try (H5File file = converted(in, options)) {
      Dataset table = file.dataset("table");
      for (int column = 0; column < columns; column++) {
        Datatype type = ((CompoundType) table.type()).members().get(column).type();
        Object values = table.field(name(column)).read(javaType(type));
        assertThat(texts(values)).isEqualTo(expected(cells, column, values));
      }
    }
  }

  private static String name(int column) {
    return column == 0 ? "n" : "n." + column;
  }

  private static Class<?> javaType(Datatype type) {
    return switch (type) {
      case FloatType _ -> double[].class;
      case IntegerType _ -> BigInteger[].class;
      default -> String[].class;
    };
  }

  private static String[] texts(Object values) {
    String[] texts = new String[Array.getLength(values)];
    Arrays.setAll(texts, i -> Array.get(values, i).toString());
    return texts;
  }

  /** Doubles as the JDK reads the cells, others as they are. */
  private static String[] expected(String[][] cells, int column, Object values) {
    String[] expected = new String[cells.length];
    for (int row = 0; row < cells.length; row++) {
      String cell = cells[row][column];
      boolean isMissing = cell.isEmpty() || cell.equals("NA");
      expected[row] =
          values instanceof double[]
              ? Double.toString(isMissing ? Double.NaN : Double.parseDouble(cell))
              : cell;
    }
    return expected;
  }

  private H5File converted(Path in, ConversionOptions options) {
    Path out = folder.resolve("out.h5");
    FileConverter.convert(in, out, options.withReplace(true), FileConverter.Progress.NONE);
    return Hdf5.open(out);
  }
}
