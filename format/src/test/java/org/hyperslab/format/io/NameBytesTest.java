package org.hyperslab.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

class NameBytesTest {

  @Test
  void validNamesAreUtf8() {
    for (String name : new String[] {"", "plain", "why?", "Größe", "漢字", "😀 x", "\uFFFD"}) {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      assertThat(NameBytes.decode(bytes)).isEqualTo(name);
      assertThat(NameBytes.encode(name)).isEqualTo(bytes);
    }
  }

  @Test
  void latinNamesRoundTrip() {
    byte[] bytes = "Temperatur in °C, Größe".getBytes(StandardCharsets.ISO_8859_1);
    String name = NameBytes.decode(bytes);
    assertThat(name).startsWith("Temperatur in ").hasSize(bytes.length);
    assertThat(NameBytes.encode(name)).isEqualTo(bytes);
  }

  @Test
  void anyBytesRoundTrip() {
    long seed = Seeds.draw();
    System.out.println("hyperslab.seed=" + seed);
    Random random = new Random(seed);
    byte[] lead = {
      (byte) 0xED, (byte) 0xA0, (byte) 0x80, (byte) 0xF0, (byte) 0x9F, 'a', (byte) 0xC3
    };
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] =
            random.nextBoolean() ? (byte) random.nextInt() : lead[random.nextInt(lead.length)];
      }
      assertThat(NameBytes.encode(NameBytes.decode(bytes))).as("seed " + seed).isEqualTo(bytes);
    }
  }

  @Test
  void bytesAreSpelledAsInSourcesOfJavaAndPython() {
    String name = NameBytes.decode("r\u00e9sum\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(NameBytes.spelling(name)).isEqualTo("r\\udce9sum\\udce9");
    assertThat(NameBytes.ofSpelling("r\\udce9sum\\udce9")).isEqualTo(name);
    // Together, spelled bytes may be UTF-8.
    assertThat(NameBytes.ofSpelling("\\udcc3\\udca9")).isEqualTo("\u00e9");
  }

  @Test
  void otherTextIsItsOwnSpelling() {
    for (String text :
        new String[] {
          "",
          "a\\b",
          "C:\\data\\2020\\x86",
          "\\u00e9",
          "\\udc7f",
          "\\udce",
          "\\udcE9",
          "\\",
          "\\u005c",
          "😀\\",
          "\\\\u00e9"
        }) {
      assertThat(NameBytes.spelling(text)).isEqualTo(text);
      assertThat(NameBytes.ofSpelling(text)).isEqualTo(text);
    }
  }

  @Test
  void spellingsAreValidAndReadAgain() {
    long seed = Seeds.draw();
    System.out.println("hyperslab.seed=" + seed);
    Random random = new Random(seed);
    String[] parts = {
      "\\",
      "u005c",
      "udc",
      "e9",
      "80",
      "\\udce9",
      "\\u005cudcff",
      "\udce9",
      "\udcc3",
      "é",
      "😀",
      "x",
      "/"
    };
    for (int i = 0; i < 50_000; i++) {
      StringBuilder built = new StringBuilder();
      for (int part = random.nextInt(8); part > 0; part--) {
        built.append(parts[random.nextInt(parts.length)]);
      }
      String text = NameBytes.decode(NameBytes.encode(built.toString()));
      String spelling = NameBytes.spelling(text);
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(spelling)).isTrue();
      assertThat(NameBytes.ofSpelling(spelling)).as("seed %d", seed).isEqualTo(text);
    }
  }

  @Test
  void unpairedSurrogatesThatStandForNoByteAreSpelledToo() {
    assertThat(NameBytes.spelling("a\ud800b\udc00")).isEqualTo("a\\ud800b\\udc00");
  }
}
