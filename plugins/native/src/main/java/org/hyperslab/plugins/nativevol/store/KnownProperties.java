package org.hyperslab.plugins.nativevol.store;

import java.util.Set;
import java.util.TreeSet;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;

/**
 * The properties of {@link OpenOptions} that the connector {@code native} has. Others are refused:
 * a misspelt name would otherwise have no effect.
 *
 * <p>Thread rule: stateless.
 */
public final class KnownProperties {

  /** The property that has encoded chunks checked before they are written. */
  static final String VERIFY = "verify";

  /** The only value of {@link #VERIFY}. */
  static final String WRITE = "write";

  /** The name of the property that says what becomes of statistics. */
  public static final String STATISTICS = "statistics";

  /** The names, as docs/properties.md lists them. */
  static final Set<String> NAMES =
      Set.of(
          "driver",
          "family.memberBytes",
          "pageBuffer.bytes",
          "pageBuffer.pageBytes",
          "alignment",
          "alignmentThreshold",
          "metadataBlockBytes",
          "virtual.view",
          "virtual.gap",
          "virtualPrefix",
          "externalFilePrefix",
          "externalLinkPrefix",
          "confinedTo",
          "confinedTo.apart",
          "clearConsistencyFlags",
          "removeCacheImage",
          "dropUnflushed",
          "metadata.bytes",
          STATISTICS,
          VERIFY,
          "s3.endpoint",
          "s3.region",
          "s3.profile",
          "s3.anonymous",
          "remote.cacheBytes",
          "s3.requesterPays",
          "http.user",
          "http.password",
          "http.bearer",
          "http.headers",
          "http.netrc",
          "remote.idleMillis",
          "remote.requestMillis",
          "remote.totalMillis",
          "remote.attempts",
          "cost.latencyMicros",
          "cost.megabytesPerSecond",
          "cost.servers");

  /** The properties that are true or false. */
  private static final Set<String> FLAGS =
      Set.of(
          "clearConsistencyFlags",
          "removeCacheImage",
          "dropUnflushed",
          "s3.anonymous",
          "s3.requesterPays");

  /** The values of the property that says what becomes of statistics. */
  private static final Set<String> STATISTICS_VALUES = Set.of("keep", "all", "off");

  private KnownProperties() {}

  /**
   * {@return whether encoded chunks are checked}
   *
   * @param options the options of an opening
   */
  public static boolean verifiesWrites(OpenOptions options) {
    return options.properties().containsKey(VERIFY);
  }

  /**
   * Requires that all properties are known, and that flags are true or false.
   *
   * @param options the options
   * @param name the file's name, for messages
   * @throws InvalidUseException if one is not
   */
  public static void require(OpenOptions options, String name) {
    for (String property : options.properties().keySet()) {
      if (!NAMES.contains(property)) {
        throw new InvalidUseException(
            "property of a file: actual="
                + property
                + ", expected=one of "
                + new TreeSet<>(NAMES)
                + ", at="
                + name);
      }
    }
    String verified = options.properties().getOrDefault(VERIFY, WRITE);
    if (!verified.equals(WRITE)) {
      throw new InvalidUseException(
          VERIFY + ": actual=" + verified + ", expected=" + WRITE + ", at=" + name);
    }
    String statistics = options.properties().getOrDefault(STATISTICS, "keep");
    if (!STATISTICS_VALUES.contains(statistics)) {
      throw new InvalidUseException(
          STATISTICS + ": actual=" + statistics + ", expected=keep, all or off, at=" + name);
    }
    for (String flag : FLAGS) {
      String value = options.properties().getOrDefault(flag, "false");
      if (!value.equals("true") && !value.equals("false")) {
        throw new InvalidUseException(
            flag + ": actual=" + value + ", expected=true or false, at=" + name);
      }
    }
  }
}
