package org.hyperslab.vol;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.hyperslab.error.InvalidUseException;

/**
 * Reads the options of one connector's configuration, and refuses what the connector does not know.
 * Every question registers a key; {@link #rejectUnknown} then rejects the others.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ConnectorOptions {

  private final ConnectorConfiguration configuration;
  private final Set<String> known = new TreeSet<>();

  ConnectorOptions(ConnectorConfiguration configuration) {
    this.configuration = configuration;
  }

  /**
   * {@return the value of an option, if given} A key of several words, such as {@code mergeBelow},
   * may be written with hyphens, too: {@code merge-below}.
   *
   * @param key the option's key
   * @throws InvalidUseException if it is given in both forms
   */
  public Optional<String> text(String key) {
    known.add(key);
    String hyphenated = hyphenated(key);
    String value = configuration.options().get(key);
    String other = configuration.options().get(hyphenated);
    if (!hyphenated.equals(key) && value != null && other != null) {
      throw new InvalidUseException(
          problem(key, "given twice, also as " + hyphenated, "every option once"));
    }
    return Optional.ofNullable(value != null ? value : other);
  }

  private static String hyphenated(String key) {
    StringBuilder text = new StringBuilder();
    for (char c : key.toCharArray()) {
      if (Character.isUpperCase(c)) {
        text.append('-');
      }
      text.append(Character.toLowerCase(c));
    }
    return text.toString();
  }

  /**
   * {@return a whole number}
   *
   * @param key the option's key
   * @param absent the value if the option is not given
   * @param minimum the least value allowed
   * @param maximum the largest value allowed
   * @throws InvalidUseException if it is none, or outside minimum and maximum, both inclusive
   */
  public long number(String key, long absent, long minimum, long maximum) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return absent;
    }
    try {
      return checked(key, Long.parseLong(text.get()), minimum, maximum);
    } catch (NumberFormatException e) {
      throw new InvalidUseException(
          problem(key, text.get(), "a whole number from " + minimum + " to " + maximum), e);
    }
  }

  /**
   * {@return a number of bytes, such as {@code 4096}, {@code 64K}, {@code 16M} or {@code 2G}
   * (powers of 1024)}
   *
   * @param key the option's key
   * @param absent the value if the option is not given
   * @param minimum the least value allowed
   * @param maximum the largest value allowed
   * @throws InvalidUseException if it is none, or outside minimum and maximum, both inclusive
   */
  public long bytes(String key, long absent, long minimum, long maximum) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return absent;
    }
    OptionalLong value = bytesOf(text.get());
    if (value.isEmpty()) {
      throw new InvalidUseException(
          problem(key, text.get(), "bytes, such as 4096, 64K, 16M or 2G"));
    }
    return checked(key, value.getAsLong(), minimum, maximum);
  }

  /**
   * {@return a number of bytes, such as {@code 4096}, {@code 64K}, {@code 16M} or {@code 2G}
   * (powers of 1024); empty if the text is none}
   *
   * @param text the text
   */
  public static OptionalLong bytesOf(String text) {
    String value = text.toUpperCase(Locale.ROOT);
    int power = value.isEmpty() ? -1 : "KMGT".indexOf(value.charAt(value.length() - 1));
    String digits = power < 0 ? value : value.substring(0, value.length() - 1);
    try {
      return OptionalLong.of(Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (power + 1))));
    } catch (NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns a boolean option: {@code true} or {@code false}.
   *
   * @param key the option's key
   * @param absent the value if the option is not given
   * @return the option's value
   * @throws InvalidUseException if it is neither
   */
  public boolean flag(String key, boolean absent) {
    return text(key).map(value -> parseFlag(key, value)).orElse(absent);
  }

  /**
   * {@return a new connector for the configuration below}
   *
   * @throws InvalidUseException if there is none in the configuration
   */
  public Connector below() {
    return Connectors.create(
        configuration
            .below()
            .orElseThrow(() ->
                new InvalidUseException(
                    "connector "
                        + configuration.name()
                        + ": actual=nothing below it, expected=a connector to pass operations "
                        + "to, such as \""
                        + configuration.name()
                        + " | native\"")));
  }

  /**
   * Throws if the configuration has options that were never asked for.
   *
   * @throws InvalidUseException naming the unknown keys and the known ones
   */
  public void rejectUnknown() {
    List<String> unknown =
        configuration.options().keySet().stream()
            .filter(key -> !known.contains(key))
            .filter(key -> known.stream().noneMatch(each -> hyphenated(each).equals(key)))
            .toList();
    if (!unknown.isEmpty()) {
      throw new InvalidUseException(
          "options of connector "
              + configuration.name()
              + ": actual="
              + String.join(", ", unknown)
              + ", expected="
              + (known.isEmpty() ? "none" : "some of " + String.join(", ", known)));
    }
  }

  /**
   * Rejects unknown options and a connector below, for a lowest connector.
   *
   * @throws InvalidUseException if an option is unknown or there is a connector below
   */
  public void rejectUnknownAndBelow() {
    rejectUnknown();
    configuration
        .below()
        .ifPresent(below -> {
          throw new InvalidUseException(
              "connector "
                  + configuration.name()
                  + ": actual=\""
                  + below.name()
                  + "\" below it, expected=nothing, because it does not pass operations on");
        });
  }

  private boolean parseFlag(String key, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> true;
      case "false", "no", "off", "0" -> false;
      default -> throw new InvalidUseException(problem(key, value, "true or false"));
    };
  }

  private long checked(String key, long value, long minimum, long maximum) {
    if (value < minimum || value > maximum) {
      throw new InvalidUseException(
          problem(key, Long.toString(value), "from " + minimum + " to " + maximum));
    }
    return value;
  }

  private String problem(String key, String actual, String expected) {
    return "option "
        + key
        + " of connector "
        + configuration.name()
        + ": actual="
        + actual
        + ", expected="
        + expected;
  }
}
