package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
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
import org.hyperslab.testkit.Dialogue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Reads, creates, deletes and lists objects of a service written in Python that computes every
 * signature itself, from the documentation of Signature Version 4, and refuses wrong ones.
 */
final class SignedBucketTest {

  private static final String ID = "AKIDEXAMPLE";
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final String REGION = "eu-central-1";

  private Dialogue service;
  private String port;
  private S3Settings settings;

  @BeforeEach
  void start() throws IOException {
    try (InputStream script = SignedBucketTest.class.getResourceAsStream("signed_bucket.py")) {
      service =
          Dialogue.h5py(
              new String(script.readAllBytes(), StandardCharsets.UTF_8),
              Map.of(),
              ID,
              SECRET,
              REGION,
              "token/+=");
    }
    port = service.hear();
    settings = settings(SECRET, Optional.of("token/+="), true);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private S3Settings settings(String secret, Optional<String> token, boolean pays) {
    URI endpoint = URI.create("http://127.0.0.1:" + port);
    return new S3Settings(
        Optional.of(endpoint),
        REGION,
        Optional.of(new S3Settings.Credentials(ID, secret, token)),
        pays);
  }

  private static RemoteClient client(S3Settings settings) {
    S3Signer signer =
        new S3Signer(
            settings.credentials().orElseThrow(),
            settings.region(),
            Clock.systemUTC(),
            settings.requesterPays());
    return new RemoteClient(signer, Patience.DEFAULT, new FakeSurroundings());
  }

  private S3Object object(String key, S3Settings as) {
    S3Address address = S3Address.parse("s3://bucket/" + key);
    return new S3Object(address, as.uri(address), client(as));
  }

  private void put(String key, byte[] bytes) {
    try (S3Object object = object(key, settings)) {
      object.upload(
          (offset, target, length) -> System.arraycopy(bytes, (int) offset, target, 0, length),
          bytes.length);
    }
  }

  private ByteStore open(String key, S3Settings as) {
    S3Address address = S3Address.parse("s3://bucket/" + key);
    return new HttpRangeStore(
        as.uri(address), address.toString(), client(as), 100, new FakeSurroundings());
  }

  @Test
  void acceptsEverythingThatIsSigned() {
    byte[] content = new byte[1_000_000];
    new Random(1).nextBytes(content);
    String[] keys = {"plain.h5", "a b/c+d&e=f.h5", "dir/ünï/ç'(1)*!~.h5", "dir/deep/%41.h5"};
    for (String key : keys) {
      put(key, content);
      try (S3Object object = object(key, settings)) {
        assertThat(object.exists()).isTrue();
      }
      byte[] read = new byte[500];
      try (ByteStore store = open(key, settings)) {
        store.read(900_000, MemorySegment.ofArray(read));
        assertThat(store.name()).isEqualTo("s3://bucket/" + key);
      }
      assertThat(read).as(key).isEqualTo(Arrays.copyOfRange(content, 900_000, 900_500));
    }
    assertThat(list("s3://bucket", true)).containsExactlyInAnyOrder(keys);
    assertThat(list("s3://bucket/dir/", false)).containsExactlyInAnyOrder("deep/", "ünï/");
    assertThat(list("s3://bucket/a b/", false)).containsExactly("c+d&e=f.h5");
    try (S3Object object = object("plain.h5", settings)) {
      object.delete();
      assertThat(object.exists()).isFalse();
    }
  }

  private String[] list(String name, boolean recursive) {
    try (RemoteClient client = client(settings)) {
      return new BucketListing(S3Folder.parse(name), settings, client)
          .list(recursive, 10_000).entries().stream()
              .map(RemoteStores.Entry::name)
              .toArray(String[]::new);
    }
  }

  @Test
  void listsMoreThanAPage() {
    for (int i = 0; i < 7; i++) {
      put("many/%d.h5".formatted(i), new byte[i]);
    }
    // The service gives three entries a page.
    assertThat(list("s3://bucket/many/", false))
        .containsExactly("0.h5", "1.h5", "2.h5", "3.h5", "4.h5", "5.h5", "6.h5");
  }

  @Test
  void refusesOthers() {
    put("x.h5", new byte[100]);
    Map<String, S3Settings> wrong =
        Map.of(
            "SignatureDoesNotMatch",
            settings("other", Optional.of("token/+="), true),
            "InvalidToken",
            settings(SECRET, Optional.of("old"), true),
            "AccessDenied",
            settings(SECRET, Optional.of("token/+="), false));
    wrong.forEach((code, as) ->
        assertThatThrownBy(() -> open("x.h5", as))
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("HTTP status 403 " + code)
            .hasMessageContaining("s3://bucket/x.h5"));
  }
}
