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
}
