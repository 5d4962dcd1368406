package org.hyperslab.tools.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares printed numbers with Python's formatting, which is that of C. */
final class PrintfNumberTest {

  private static final String SCRIPT =
      """
      import struct, sys
      form = sys.argv[1]
      for line in open(sys.argv[2]):
          print(form % struct.unpack('>d', bytes.fromhex(line.strip()))[0])
      """;

  @TempDir Path folder;

  @Test
  void printsNumbersAsC() throws IOException {
    long seed = Seeds.draw();
    List<Double> numbers = numbers(Seeds.random(seed, 0));
    Path file = folder.resolve("numbers");
    Files.write(
        file,
        numbers.stream().map(one -> "%016x".formatted(Double.doubleToRawLongBits(one))).toList());
    for (String form : List.of("%g", "%.1g", "%.10g", "%.15g", "%.17g", "%+.3g", "%12.4g")) {
      List<String> wanted =
          Oracle.h5py().run(SCRIPT, form, file.toString()).orFail().output().lines().toList();
      PrintfNumber conversion = PrintfNumber.of(form);
      List<String> ours = numbers.stream().map(conversion::text).toList();
      List<String> appended = numbers.stream().map(one -> appended(conversion, one)).toList();
      assertThat(ours).as("%s, seed %d", form, seed).isEqualTo(wanted);
      assertThat(appended).as("appended, %s, seed %d", form, seed).isEqualTo(wanted);
    }
  }

  private static String appended(PrintfNumber conversion, double number) {
    StringBuilder text = new StringBuilder("before ");
    conversion.appendTo(text, number);
    return text.substring("before ".length());
  }

  /**
   * Returns midpoints between two texts, neighbours of powers of ten, the smallest numbers, and
   * random bits.
   */
  private static List<Double> numbers(Random random) {
    List<Double> numbers =
        new ArrayList<>(
            List.of(
                0.0,
                -0.0,
                1.0,
                100.0,
                999999.5,
                1000000.5,
                1234565.0,
                12345.65,
                0.5,
                2.5,
                0.1,
                9.999995,
                999999.4999999999,
                1e-5,
                0.0001,
                99999.95,
                1e15,
                123456789012345678.0,
                Double.MIN_VALUE,
                Double.MIN_NORMAL,
                Double.MAX_VALUE,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY));
    for (int exponent = -308; exponent < 308; exponent += 7) {
      double power = Double.parseDouble("1e" + exponent);
      numbers.addAll(List.of(power, Math.nextDown(power), Math.nextUp(power)));
    }
    for (int i = 0; i < 2000; i++) {
      numbers.add((random.nextInt(2_000_000) + 0.5) / Math.pow(10, random.nextInt(8)));
      numbers.add((double) (float) random.nextGaussian());
      double any = Double.longBitsToDouble(random.nextLong());
      numbers.add(Double.isNaN(any) ? 0.25 : any);
    }
    return numbers;
  }
}
