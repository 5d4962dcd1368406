package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.tools.number.RoundedDigits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the text of numbers of all widths, in one piece and in several, with h5dump's. */
final class NumberTextsTest {

  private static final String SCRIPT =
      """
      import h5py, numpy, sys
      random = numpy.random.default_rng(int(sys.argv[2]))
      with h5py.File(sys.argv[1], 'w') as f:
          for kind in 'i1 u1 <i2 >u2 <i4 >i4 <u4 <i8 >i8 <u8 >u8 <f4 >f4 <f8 >f8'.split():
              type = numpy.dtype(kind)
              if type.kind == 'f':
                  ends = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1, -1]
              else:
                  ends = [numpy.iinfo(type).min, numpy.iinfo(type).max, 0, 1, 9, 10, 99, 100]
              values = numpy.frombuffer(random.bytes(400 * type.itemsize), type).copy()
              values[:len(ends)] = ends
              f[kind] = values
              f['plane ' + kind] = values.reshape(20, 20)
          # More than one piece of 1 MiB: the end of a piece within a row, and between rows.
          f['pieces'] = random.integers(-300, 300, 140_000).astype('<i4') / 8
          rows = numpy.dtype(sys.argv[3])
          f['rows'] = random.integers(-128, 128, (2, 530_000 // rows.itemsize)).astype(rows)
          f.create_dataset('filtered', data=random.random((450, 300)), chunks=(70, 90), compression='gzip')
          f['scalar'] = 2.5
      # h5dump reads 32 MiB at a time, and begins no line where it begins to read.
      with h5py.File(sys.argv[1] + '.large', 'w') as f:
          f.create_dataset('read', (19, 30), 'S65536')
      """;

  @TempDir private Path folder;

  @Test
  void numbersOfAllWidthsArePrintedAsByH5dump() {
    long seed = Seeds.draw();
    Path file = folder.resolve("numbers.h5");
    // The rows are of equal length in bytes; with one byte for each number, there are a million.
    String rows = Effort.isFull() ? "i1" : "<i8";
    Oracle.h5py()
        .run(SCRIPT, file.toString(), Long.toString(seed & Integer.MAX_VALUE), rows)
        .orFail();
    List<List<String>> each =
        Effort.isFull()
            ? List.of(List.of(), List.of("-m", "%.9g"), List.of("-y", "-w", "40"))
            : List.of(List.of(), List.of("-m", "%.9g", "-y", "-w", "40"));
    for (List<String> options : each) {
      assertPrintedAsByH5dump(options, file.toString(), seed);
    }
    assertPrintedAsByH5dump(List.of(), file + ".large", seed);
  }

  private static void assertPrintedAsByH5dump(List<String> options, String file, long seed) {
    String[] words = Stream.concat(options.stream(), Stream.of(file)).toArray(String[]::new);
    StringBuilder text = new StringBuilder();
    assertThat(new Dump(Hdf5::open, System.err).run(List.of(words), text)).isZero();
    assertThat(text.toString().equals(Oracle.h5dump().run(words).orFail().output()))
        .as("as h5dump prints with %s, seed %d", options, seed)
        .isTrue();
  }

  @Test
  void digitsAreThoseOfExactArithmetic() {
    long seed = Seeds.draw();
    Random random = Seeds.random(seed, 1);
    RoundedDigits digits = new RoundedDigits();
    int told = 0;
    for (int i = 0; i < 20_000; i++) {
      double value =
          switch (i % 4) {
            case 0 -> Math.abs(Double.longBitsToDouble(random.nextLong()));
            case 1 -> random.nextInt(20_000_000) + 0.5;
            case 2 -> random.nextInt(20_000_000) / 2.0 / Math.pow(10, random.nextInt(12));
            default -> (float) Math.abs(random.nextGaussian());
          };
      if (value == 0 || !Double.isFinite(value)) {
        continue;
      }
      int precision = 1 + random.nextInt(RoundedDigits.MAX_PRECISION);
      int length = digits.general(value, precision);
      if (length > 0) {
        told++;
        BigDecimal exact =
            new BigDecimal(value).round(new MathContext(precision, RoundingMode.HALF_EVEN));
        String text = new String(digits.text(), 0, length, StandardCharsets.ISO_8859_1);
        assertThat(new BigDecimal(text))
            .as("%s with %d digits, seed %d", value, precision, seed)
            .isEqualByComparingTo(exact);
      }
    }
    assertThat(told).as("numbers that needed no other arithmetic").isGreaterThan(19_500);
  }
}
