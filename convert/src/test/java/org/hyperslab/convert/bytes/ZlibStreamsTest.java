package org.hyperslab.convert.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests that streams whose bytes are copied for zlib make and read the same as the JDK's. */
final class ZlibStreamsTest {

  private static final ZlibStreams COPYING = new ZlibStreams(true);
  private static final ZlibStreams PLAIN = new ZlibStreams(false);

  @Test
  void copiesMakeTheSameBytes() {
    Seeds.run(
        Effort.times(30, 300),
        random -> {
          byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 100 : 400_000)];
          int variety = 1 + random.nextInt(256);
          for (int k = 0; k < bytes.length; k++) {
            bytes[k] = (byte) random.nextInt(variety);
          }
          try {
            requireSame(bytes, random.nextInt(10));
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        });
  }

  private static void requireSame(byte[] bytes, int level) throws IOException {
    byte[] gzip = gzip(COPYING, bytes);
    assertThat(gzip).isEqualTo(gzip(PLAIN, bytes));
    byte[] zlib = zlib(COPYING, bytes, level);
    assertThat(zlib).isEqualTo(zlib(PLAIN, bytes, level));
    for (ZlibStreams streams : new ZlibStreams[] {COPYING, PLAIN}) {
      assertThat(all(streams.gunzip(new ByteArrayInputStream(gzip)))).isEqualTo(bytes);
      assertThat(all(streams.inflate(new ByteArrayInputStream(zlib)))).isEqualTo(bytes);
      assertThat(all(streams.inflateRaw(new ByteArrayInputStream(raw(bytes))))).isEqualTo(bytes);
    }
  }

  @Test
  void severalGzipMembersAreRead() throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(gzip(COPYING, "first,".getBytes(StandardCharsets.UTF_8)));
    both.write(gzip(COPYING, "second".getBytes(StandardCharsets.UTF_8)));
    InputStream in = COPYING.gunzip(new ByteArrayInputStream(both.toByteArray()));
    assertThat(all(in)).asString().isEqualTo("first,second");
  }

  private static byte[] all(InputStream in) throws IOException {
    try (in) {
      return in.readAllBytes();
    }
  }

  private static byte[] gzip(ZlibStreams streams, byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = streams.gzip(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] zlib(ZlibStreams streams, byte[] bytes, int level) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream zlib = streams.deflate(out, level)) {
      zlib.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] raw(byte[] bytes) {
    try (Deflater deflater = new Deflater(6, true)) {
      deflater.setInput(bytes);
      deflater.finish();
      byte[] made = new byte[bytes.length + 1000];
      int count = deflater.deflate(made);
      return Arrays.copyOf(made, count);
    }
  }
}
