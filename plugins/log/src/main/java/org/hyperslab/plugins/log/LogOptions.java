package org.hyperslab.plugins.log;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The options of a connector {@code log}.
 *
 * @param folder the folder of the logs, on fast storage
 * @param capacityBytes the greatest length of a log, in bytes
 * @param rateBytes the bytes that are migrated in a second, at most
 * @param drain when a closed file is migrated
 * @param acknowledge when a write is complete
 * @param overwrite whether a file replaces one that another program has edited meanwhile
 */
record LogOptions(
    Path folder,
    long capacityBytes,
    long rateBytes,
    Drain drain,
    Acknowledge acknowledge,
    boolean overwrite) {

  /** The bytes of the capacity that elements may not take, so that there is room for marks. */
  static final long RESERVE = 1 << 16;

  /** {@return the length of a log up to which elements are appended} */
  long elementBytes() {
    return capacityBytes - RESERVE;
  }

  /** When a closed file is migrated. */
  enum Drain {
    /** Before closing ends. */
    CLOSE,
    /** After closing has ended, by a thread of the connector. */
    BACKGROUND,
    /** When the file is opened again, or by the command {@code drain}. */
    MANUAL
  }

  /** When a write is complete. */
  enum Acknowledge {
    /** The log has a copy of the elements, perhaps in memory. */
    RECEIVED,
    /** The log has been given to the system. */
    WRITTEN,
    /** The write survives a power cut, with all before it. */
    DURABLE;

    static Optional<Acknowledge> of(String text) {
      return find(Acknowledge.class, text);
    }
  }

  /** {@return the constant with a name in small letters} */
  static <E extends Enum<E>> Optional<E> find(Class<E> type, String text) {
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst();
  }

  /** {@return the names of all constants in small letters} */
  static <E extends Enum<E>> String names(Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  /** {@return the options of a migration without a program} */
  static LogOptions ofMigration(boolean overwrite) {
    return new LogOptions(
        null, 1L << 30, Long.MAX_VALUE, Drain.CLOSE, Acknowledge.RECEIVED, overwrite);
  }
}
