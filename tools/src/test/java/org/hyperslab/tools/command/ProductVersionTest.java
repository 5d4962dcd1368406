package org.hyperslab.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProductVersionTest {

  /** The jar that the launcher runs is made of others and has no manifest, but Maven's record. */
  @Test
  void isThatOfMavensRecord() throws IOException {
    byte[] record = "groupId=org.hyperslab\nversion=0.1.0\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ProductVersion.of(new ByteArrayInputStream(record))).isEqualTo("0.1.0");
  }

  @Test
  void classesOutsideAJarHaveNone() throws IOException {
    assertThat(ProductVersion.of(null)).isEqualTo("(unpackaged)");
    assertThat(new ProductVersion().getVersion()).hasSize(1).allMatch(v -> v.startsWith("hyper"));
  }
}
