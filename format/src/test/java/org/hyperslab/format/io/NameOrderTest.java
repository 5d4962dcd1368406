package org.hyperslab.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the order of names, which is that of their bytes in the file. */
final class NameOrderTest {

  /** U+DCE9 is the byte 0xE9 that is not part of valid UTF-8; U+1F600 takes two characters. */
  private static final List<String> PARTS =
      List.of(
          "",
          "a",
          "b",
          "A",
          "\u007f",
          "\u00e9",
          "\ud7ff",
          "\ue000",
          "\uffee",
          "\ud83d\ude00",
          "\udce9",
          "\udc80");

  @Test
  void namesAreInTheOrderOfTheirBytes() {
    for (String first : PARTS) {
      for (String second : PARTS) {
        for (String third : PARTS) {
          for (String fourth : PARTS) {
            check(first + second, third + fourth);
            check("x" + first + second, "x" + first + third + fourth);
          }
        }
      }
    }
  }

  private static void check(String a, String b) {
    int expected = Arrays.compareUnsigned(NameBytes.encode(a), NameBytes.encode(b));
    assertThat(Integer.signum(NameBytes.compare(a, b)))
        .as("%s and %s", a, b)
        .isEqualTo(Integer.signum(expected));
  }
}
