package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.RemoteStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which redirections requests follow, and that credentials are sent to one server only. */
final class RedirectionTest {

  private static final int[] STATUSES = {301, 302, 303, 307, 308};
  private static final S3Signer SIGNER =
      new S3Signer(
          new S3Settings.Credentials("id", "secret", Optional.of("token")),
          "us-east-1",
          Clock.systemUTC());

  private RangeServer first;
  private RangeServer second;

  @BeforeEach
  void start() throws IOException {
    byte[] content = new byte[10_000];
    new Random(1).nextBytes(content);
    first = new RangeServer();
    second = new RangeServer();
    second.content = content;
    first.content = content;
  }

  @AfterEach
  void stop() throws IOException {
    first.close();
    second.close();
  }

  private void redirect(int status, String target) {
    first.lie = (out, a, b) -> send(out, status, target);
  }

  private static void send(OutputStream out, int status, String target) throws IOException {
    String head = "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n";
    out.write(head.formatted(status, target).getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  @Test
  void unsignedRequestsFollowToOtherServersWithoutCredentials() {
    for (int status : STATUSES) {
      redirect(status, second.uri("/file.h5").toString());
      byte[] read = new byte[100];
      try (ByteStore store = RemoteStores.open(first.uri("/file.h5").toString(), Map.of())) {
        store.read(50, MemorySegment.ofArray(read));
      }
      assertThat(read).as("%d", status).isEqualTo(Arrays.copyOfRange(second.content, 50, 150));
    }
    assertThat(second.headers).contains("range").noneMatch(RedirectionTest::isCredential);
  }

  @Test
  void unsignedRequestsFollowToWebServersOnly() {
    for (int status : STATUSES) {
      for (String target :
          new String[] {
            "file:///etc/hosts", "ftp://127.0.0.1/a", "jar:file:///a.jar!/b", "s3://b/k"
          }) {
        redirect(status, target);
        assertThatThrownBy(() -> RemoteStores.open(first.uri("/file.h5").toString(), Map.of()))
            .as(status + " " + target)
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("/file.h5");
      }
    }
  }

  private static RemoteClient signing() {
    return new RemoteClient(SIGNER, Patience.DEFAULT, new FakeSurroundings());
  }

  private ByteStore signedOpening() {
    return new HttpRangeStore(
        first.uri("/file.h5"), "/file.h5", signing(), 1, new FakeSurroundings());
  }

  @Test
  void signedReadsFollowNoRedirection() {
    for (int status : STATUSES) {
      for (String target :
          new String[] {
            second.uri("/file.h5").toString(),
            first.uri("/other.h5").toString(),
            "file:///etc/hosts"
          }) {
        redirect(status, target);
        int before = first.requests.get();
        assertThatThrownBy(() -> signedOpening())
            .as(status + " " + target)
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("HTTP status " + status);
        assertThat(first.requests.get() - before).isEqualTo(1);
      }
    }
    assertThat(first.headers).anyMatch(RedirectionTest::isCredential);
    assertThat(second.requests).hasValue(0);
  }

  @Test
  void signedUploadsFollowNoRedirection() {
    S3Address address = S3Address.parse("s3://bucket/file.h5");
    URI uri = first.uri("/file.h5");
    for (int status : STATUSES) {
      redirect(status, second.uri("/file.h5").toString());
      try (S3Object object = new S3Object(address, uri, signing())) {
        assertThatThrownBy(object::exists).isInstanceOf(StorageException.class);
        assertThatThrownBy(object::delete).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> object.upload((offset, target, length) -> {}, 0))
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("HTTP status " + status);
      }
    }
    assertThat(second.requests).hasValue(0);
  }

  private static boolean isCredential(String header) {
    return header.equals("authorization") || header.startsWith("x-amz-");
  }
}
