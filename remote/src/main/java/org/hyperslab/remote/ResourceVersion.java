package org.hyperslab.remote;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * What a server says of the version of a resource (RFC 9110, section 8.8).
 *
 * @param tag its entity tag; empty if the server gives none
 * @param modified when it was last modified, as the server writes it; empty if it does not
 * @param settled whether the last modification was so long before the answer that a later one would
 *     have another date, which is in whole seconds
 */
record ResourceVersion(Optional<String> tag, Optional<String> modified, boolean settled) {

  /** The time after which a date distinguishes versions, according to RFC 9110, section 8.8.2.2. */
  private static final Duration SETTLING = Duration.ofSeconds(60);

  private static final String TAG = "ETag";
  private static final String MODIFIED = "Last-Modified";
  private static final String WEAK = "W/";

  /** Reads the headers of an answer. */
  static ResourceVersion of(HttpHeaders headers) {
    Optional<String> modified = headers.firstValue(MODIFIED);
    Optional<Instant> then = modified.flatMap(ResourceVersion::date);
    Optional<Instant> now = headers.firstValue("Date").flatMap(ResourceVersion::date);
    boolean settled =
        then.isPresent() && now.isPresent() && then.get().plus(SETTLING).isBefore(now.get());
    return new ResourceVersion(headers.firstValue(TAG), modified, settled);
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
    } catch (DateTimeException malformed) {
      return Optional.empty();
    }
  }

  /** Returns whether the server says anything of the version. */
  boolean isKnown() {
    return tag.isPresent() || modified.isPresent();
  }

  /** Returns whether two versions of the resource cannot look the same. */
  boolean isCertain() {
    return hasStrongTag() || (modified.isPresent() && settled);
  }

  /** Returns whether a request may demand this version. */
  boolean hasStrongTag() {
    return tag.isPresent() && !tag.get().startsWith(WEAK);
  }

  /** Returns in what an answer is of another version; empty if it is of this one. */
  Optional<String> difference(HttpHeaders headers) {
    return tag.isPresent()
        ? difference(TAG, tag.get(), headers)
        : modified.flatMap(date -> difference(MODIFIED, date, headers));
  }

  private static Optional<String> difference(String header, String own, HttpHeaders headers) {
    String seen = headers.firstValue(header).orElse("none");
    return own.equals(seen) ? Optional.empty() : Optional.of(header + " " + seen);
  }
}
