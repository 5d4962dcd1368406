package org.hyperslab.remote;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;

/**
 * The address of an object in a bucket: {@code s3://bucket/key}.
 *
 * @param bucket 3 to 63 lower-case letters, digits, dots and hyphens
 * @param key 1 to 1,024 bytes of UTF-8, without control characters
 */
record S3Address(String bucket, String key) {

  static final String SCHEME = "s3://";
  private static final Pattern FORM =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/(\\P{Cntrl}+)");
  private static final int MAX_KEY_BYTES = 1024;
  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

  /**
   * Parses a name.
   *
   * @throws InvalidUseException if it is malformed
   */
  static S3Address parse(String name) {
    Matcher form = FORM.matcher(name);
    if (!form.matches() || form.group(2).getBytes(StandardCharsets.UTF_8).length > MAX_KEY_BYTES) {
      throw new InvalidUseException(
          "S3 object: actual="
              + name
              + ", expected=s3://BUCKET/KEY, a bucket of 3 to 63 lower-case letters, digits, dots"
              + " and hyphens, a key of at most "
              + MAX_KEY_BYTES
              + " bytes");
    }
    return new S3Address(form.group(1), form.group(2));
  }

  /** Returns the key as the path of a request, with its slashes and without one before it. */
  String path() {
    return Arrays.stream(key.split("/", -1))
        .map(S3Address::encoded)
        .collect(Collectors.joining("/"));
  }

  /**
   * Returns a text as a part of a path or query, with all but unreserved characters in percent
   * encoding.
   */
  static String encoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (UNRESERVED.indexOf(c) >= 0) {
        encoded.append(c);
      } else {
        encoded.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        encoded.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return encoded.toString();
  }

  @Override
  public String toString() {
    return SCHEME + bucket + "/" + key;
  }
}
