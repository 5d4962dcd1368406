package org.hyperslab.remote;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;

/**
 * The address of the objects of a bucket whose keys begin with a prefix: {@code
 * s3://bucket/prefix/}.
 *
 * @param bucket the bucket
 * @param prefix empty, or a text that ends with a slash
 */
record S3Folder(String bucket, String prefix) {

  private static final Pattern FORM =
      Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(\\P{Cntrl}*))?");
  private static final int MAX_PREFIX_BYTES = 1024;

  /**
   * Parses a name; a slash at its end may be missing.
   *
   * @throws InvalidUseException if it is malformed
   */
  static S3Folder parse(String name) {
    Matcher form = FORM.matcher(name);
    if (form.matches()) {
      String prefix = form.group(2) == null ? "" : form.group(2);
      String whole = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
      if (whole.getBytes(StandardCharsets.UTF_8).length <= MAX_PREFIX_BYTES) {
        return new S3Folder(form.group(1), whole);
      }
    }
    throw new InvalidUseException(
        "S3 folder: actual="
            + name
            + ", expected=s3://BUCKET/ or s3://BUCKET/PREFIX/, a prefix of at most "
            + MAX_PREFIX_BYTES
            + " bytes");
  }

  @Override
  public String toString() {
    return S3Address.SCHEME + bucket + "/" + prefix;
  }
}
