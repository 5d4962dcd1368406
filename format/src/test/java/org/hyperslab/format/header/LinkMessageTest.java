package org.hyperslab.format.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests links with the class of external links and arbitrary values. */
final class LinkMessageTest {

  private static final FileGeometry GEOMETRY = FileGeometry.standard("a.h5");
  private static final int TYPE_FLAG = 8;
  private static final int EXTERNAL = 64;

  /** A version 1 message of a link "n" of class 64. */
  private static byte[] message(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List.of(1, TYPE_FLAG, EXTERNAL, 1, (int) 'n', bytes.length, 0).forEach(out::write);
    out.writeBytes(bytes);
    return out.toByteArray();
  }

  private static LinkMessage decode(byte[] message) {
    return LinkMessage.decode(new MetadataReader(GEOMETRY, "message", message, 0));
  }

  @Test
  void anExternalLinkHasAFileAndAPath() {
    assertThat(decode(message("\0f.h5\0/p\0")).target())
        .isEqualTo(new LinkMessage.External(0, "f.h5", "/p"));
  }

  /** H5Lcreate_ud takes them, and libhdf5 lists the names of the group that has one. */
  @ParameterizedTest
  @ValueSource(strings = {"", "u", "udata", "\0f.h5\0/p", "\0f.h5\0/p\0more", "\0f.h5\0/p\0\0"})
  void unreadableExternalLinkValuesAreKeptByteForByte(String value) {
    byte[] bytes = message(value);
    LinkMessage link = decode(bytes);
    assertThat(link.target())
        .isInstanceOfSatisfying(
            LinkMessage.UserDefined.class,
            target -> assertThat(target.linkClass()).isEqualTo(EXTERNAL));
    MetadataWriter writer = new MetadataWriter(GEOMETRY, 64);
    link.encode(writer);
    assertThat(writer.toByteArray()).isEqualTo(bytes);
  }
}
