package org.hyperslab.remote;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with AWS Signature Version 4: an HMAC-SHA256 of the request in canonical form,
 * with a key derived from the secret, the day, the region and the service. All given headers, the
 * host and all {@code x-amz-} headers are signed.
 *
 * <p>Source: Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header".
 *
 * <p>Thread rule: immutable.
 */
final class S3Signer implements RequestSigner {

  /** The SHA-256 hash of no bytes. */
  static final String EMPTY_HASH = sha256(new byte[0]);

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT);

  private final S3Settings.Credentials credentials;
  private final String region;
  private final Clock clock;
  private final boolean pays;

  S3Signer(S3Settings.Credentials credentials, String region, Clock clock) {
    this(credentials, region, clock, false);
  }

  /**
   * Creates a signer.
   *
   * @param pays whether the sender, not the owner of the bucket, pays for the requests
   */
  S3Signer(S3Settings.Credentials credentials, String region, Clock clock, boolean pays) {
    this.credentials = credentials;
    this.region = region;
    this.clock = clock;
    this.pays = pays;
  }

  @Override
  public Map<String, String> signed(
      String method, URI uri, Map<String, String> headers, String contentHash) {
    String time = LocalDateTime.now(clock.withZone(ZoneOffset.UTC)).format(TIME);
    TreeMap<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(headers);
    all.put("x-amz-content-sha256", contentHash);
    all.put("x-amz-date", time);
    if (pays) {
      all.put("x-amz-request-payer", "requester");
    }
    credentials.token().ifPresent(token -> all.put("x-amz-security-token", token));
    TreeMap<String, String> canonical = new TreeMap<>();
    all.forEach((name, value) -> canonical.put(name.toLowerCase(Locale.ROOT), value.strip()));
    canonical.put("host", host(uri));
    String names = String.join(";", canonical.keySet());
    String request =
        String.join(
            "\n",
            method,
            uri.getRawPath(),
            uri.getRawQuery() == null ? "" : uri.getRawQuery(),
            canonical.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                .collect(Collectors.joining()),
            names,
            contentHash);
    String day = time.substring(0, 8);
    String scope = day + "/" + region + "/s3/aws4_request";
    String text =
        String.join("\n", ALGORITHM, time, scope, sha256(request.getBytes(StandardCharsets.UTF_8)));
    String signature = HexFormat.of().formatHex(hmac(key(day), text));
    all.put(
        "Authorization",
        ALGORITHM
            + " Credential="
            + credentials.id()
            + "/"
            + scope
            + ",SignedHeaders="
            + names
            + ",Signature="
            + signature);
    return all;
  }

  @Override
  public boolean coversAddress() {
    return true;
  }

  /** Returns the host header that the HTTP client sends. */
  private static String host(URI uri) {
    int usual = uri.getScheme().equals("https") ? 443 : 80;
    boolean named = uri.getPort() != -1 && uri.getPort() != usual;
    return named ? uri.getHost() + ":" + uri.getPort() : uri.getHost();
  }

  private byte[] key(String day) {
    byte[] key = ("AWS4" + credentials.secret()).getBytes(StandardCharsets.UTF_8);
    for (String part : new String[] {day, region, "s3", "aws4_request"}) {
      key = hmac(key, part);
    }
    return key;
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has HmacSHA256", missing);
    }
  }

  /** Returns the SHA-256 hash of bytes in hexadecimal digits. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has SHA-256", missing);
    }
  }
}
