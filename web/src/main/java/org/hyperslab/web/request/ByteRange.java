package org.hyperslab.web.request;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of bytes of a content, requested by a Range header (RFC 9110, section 14). Only a single
 * range is served; a request for several ranges gets the whole content, which the standard allows.
 *
 * @param from the first byte
 * @param endExclusive the end of the range
 */
public record ByteRange(long from, long endExclusive) {

  private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /** {@return the range of all bytes} */
  public static ByteRange all(long length) {
    return new ByteRange(0, length);
  }

  /**
   * Reads a Range header.
   *
   * @param header the header's value
   * @param length the length of the content
   * @return the range; all bytes if the header is not a single range of bytes; empty if the range
   *     contains no byte of the content
   */
  public static Optional<ByteRange> parse(String header, long length) {
    Matcher one = ONE.matcher(header.strip());
    if (!one.matches() || (one.group(1).isEmpty() && one.group(2).isEmpty())) {
      return Optional.of(all(length));
    }
    if (one.group(1).isEmpty()) {
      long last = Math.min(length, Long.parseLong(one.group(2)));
      return Optional.of(new ByteRange(length - last, length)).filter(range -> last > 0);
    }
    long from = Long.parseLong(one.group(1));
    long end = one.group(2).isEmpty() ? length : Long.parseLong(one.group(2)) + 1;
    if (end <= from && !one.group(2).isEmpty()) {
      return Optional.of(all(length)); // not a valid range, which is ignored
    }
    return from >= length
        ? Optional.empty()
        : Optional.of(new ByteRange(from, Math.min(end, length)));
  }

  /** {@return whether it is all of a reply of a length} */
  public boolean isWhole(long length) {
    return from == 0 && endExclusive == length;
  }
}
