package org.hyperslab.convert.table.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of cells, scanned and decoded, compared with the JDK. */
final class NumberScanTest {

  private static final int TEXTS = 1_000_000;

  @Test
  void decimalTextsBecomeTheNearestDouble() {
    Seeds.run(
        1,
        random -> {
          for (int i = 0; i < TEXTS; i++) {
            requireNearest(number(random));
          }
        });
  }

  /** Numbers exactly between two doubles, and the nearest ones above and below. */
  @Test
  void numbersBetweenTwoDoublesAreRoundedToEven() {
    Seeds.run(
        20_000,
        random -> {
          double below =
              (double) (random.nextLong(1L << 53) | 1L << 52) * Math.scalb(1.0, exponent(random));
          BigDecimal middle =
              new BigDecimal(below)
                  .add(
                      new BigDecimal(Math.ulp(below))
                          .movePointLeft(1)
                          .multiply(BigDecimal.valueOf(5)));
          requireNearest(middle.toPlainString());
          requireNearest(middle.add(BigDecimal.ONE.movePointLeft(middle.scale())).toPlainString());
          requireNearest(
              middle.subtract(BigDecimal.ONE.movePointLeft(middle.scale())).toPlainString());
        });
  }

  private static int exponent(Random random) {
    return random.nextInt(20) - 5;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0.0",
        "-0.0",
        "00",
        "01.5",
        "1.",
        ".5",
        "-.5",
        "+1",
        "+1.5",
        "1e5",
        "1E+05",
        "1e-300",
        "1e299",
        "1e300",
        "1e400",
        "1e",
        "1e+",
        "1.e3",
        "-",
        "--1",
        "1-2",
        "1.2.3",
        "12345678",
        "123456789",
        "1234567890123456",
        "9007199254740992",
        "9007199254740993",
        "999999999999999999",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "0.1234567890123456789",
        "0.12345678901234567890",
        "12345678901234567890.5",
        "1e0001",
        "1e00001",
        "1_000",
        "1 ",
        " 1",
        "0x10",
        "1d",
        "1f",
        "NaN",
        "inf"
      })
  void cellsAreNumbersAsBefore(String text) {
    requireSameKind(text);
  }

  @Test
  void bytesAroundDigitsAreNone() {
    for (int b = 0; b < 256; b++) {
      for (int at = 0; at < 9; at++) {
        byte[] bytes = "123456789".getBytes(StandardCharsets.ISO_8859_1);
        bytes[at] = (byte) b;
        requireSameKind(bytes);
      }
    }
  }

  private static void requireNearest(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    long expected = Double.doubleToLongBits(Double.parseDouble(text));
    RowCells row = row(bytes);
    assertThat(Double.doubleToLongBits(row.real(0))).as(text).isEqualTo(expected);
    assertThat(Double.doubleToLongBits(CellNumber.real(bytes, 0, bytes.length)))
        .as(text)
        .isEqualTo(expected);
  }

  private static void requireSameKind(String text) {
    requireSameKind(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** What the scan recognises, it recognises as what it is. */
  private static void requireSameKind(byte[] bytes) {
    NumberScan scan = new NumberScan();
    boolean isWhole = scan.scan(bytes, 0, bytes.length) == bytes.length;
    if (isWhole && scan.kind() != CellNumber.NONE) {
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      int kind = CellNumber.kind(bytes, 0, bytes.length);
      assertThat(scan.kind()).as(text).isEqualTo(kind);
      RowCells row = row(bytes);
      if ((kind & ~CellNumber.INEXACT) == CellNumber.INTEGER) {
        assertThat(row.integer(0)).as(text).isEqualTo(CellNumber.integer(bytes, 0, bytes.length));
      }
      assertThat(row.real(0)).as(text).isEqualTo(Double.parseDouble(text));
    }
  }

  private static RowCells row(byte[] bytes) {
    RowCells row = new RowCells("table", ',');
    row.begin(new TablePieces.Piece(0, bytes, bytes.length, 0));
    assertThat(row.next()).isTrue();
    return row;
  }

  private static String number(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Double.toString(random.nextGaussian() * 100);
      case 1 ->
          Double.toString(Double.longBitsToDouble(random.nextLong() & ~(1L << 62) | 1L << 58));
      case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 3 -> String.format(Locale.ROOT, "%.18e", random.nextGaussian());
      case 4 -> decimal(random);
      default -> Float.toString(random.nextFloat());
    };
  }

  private static String decimal(Random random) {
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
    for (int i = 1 + random.nextInt(21); i > 0; i--) {
      text.append((char) ('0' + random.nextInt(10)));
    }
    text.append('.');
    for (int i = random.nextInt(21); i > 0; i--) {
      text.append((char) ('0' + random.nextInt(10)));
    }
    return random.nextBoolean() ? text.toString() : text + "e" + (random.nextInt(160) - 80);
  }
}
