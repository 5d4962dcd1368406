package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compares signatures with the examples of Amazon's documentation of Signature Version 4. */
class S3SignerTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC);
  private static final S3Signer SIGNER =
      new S3Signer(
          new S3Settings.Credentials(
              "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", Optional.empty()),
          "us-east-1",
          CLOCK);

  private static String signature(
      String method, String uri, Map<String, String> headers, String contentHash) {
    String said = SIGNER.signed(method, URI.create(uri), headers, contentHash).get("Authorization");
    return said.substring(said.lastIndexOf('=') + 1);
  }

  @Test
  void signsTheExamplesOfTheDocumentation() {
    String host = "https://examplebucket.s3.amazonaws.com/";
    assertThat(
            signature("GET", host + "test.txt", Map.of("Range", "bytes=0-9"), S3Signer.EMPTY_HASH))
        .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    assertThat(
            signature(
                "PUT",
                host + "test%24file.text",
                Map.of(
                    "Date", "Fri, 24 May 2013 00:00:00 GMT",
                    "x-amz-storage-class", "REDUCED_REDUNDANCY"),
                "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"))
        .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
    assertThat(signature("GET", host + "?lifecycle=", Map.of(), S3Signer.EMPTY_HASH))
        .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  }

  @Test
  void signsTheTokenOfASession() {
    S3Signer signer =
        new S3Signer(
            new S3Settings.Credentials("id", "secret", Optional.of("token")), "eu-west-1", CLOCK);
    Map<String, String> headers =
        signer.signed("GET", URI.create("http://host:9000/b/k"), Map.of(), S3Signer.EMPTY_HASH);
    assertThat(headers).containsEntry("x-amz-security-token", "token");
    assertThat(headers.get("Authorization")).contains(";x-amz-security-token,");
  }
}
