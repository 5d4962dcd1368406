package org.hyperslab.vol;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One connector's part of a configuration string.
 *
 * <p>The grammar: {@code name key=value key=value … | name key=value … }, the topmost connector
 * first; each passes operations to the one after the bar. A value with spaces, bars or quotes is in
 * double quotes, in which a backslash quotes the next character. {@link Connectors#parse} reads it
 * and {@link #toString} writes it.
 *
 * @param name the connector's name
 * @param options its options, in the order given
 * @param below the connector to which it passes operations; empty for the lowest
 */
public record ConnectorConfiguration(
    String name, Map<String, String> options, Optional<ConnectorConfiguration> below) {

  /** Copies the options and keeps their order. */
  public ConnectorConfiguration {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(below, "below");
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * {@return a lowest connector without options}
   *
   * @param name the name
   */
  public static ConnectorConfiguration of(String name) {
    return new ConnectorConfiguration(name, Map.of(), Optional.empty());
  }

  /** {@return the options, to be read with checks} */
  public ConnectorOptions read() {
    return new ConnectorOptions(this);
  }

  /** {@return the lowest connector of the stack} */
  public ConnectorConfiguration lowest() {
    return below.map(ConnectorConfiguration::lowest).orElse(this);
  }

  /**
   * {@return the stack with another lowest connector}
   *
   * @param other the connector that takes the place of the lowest
   */
  public ConnectorConfiguration withLowest(ConnectorConfiguration other) {
    return below.isEmpty()
        ? other
        : new ConnectorConfiguration(name, options, below.map(part -> part.withLowest(other)));
  }

  /**
   * {@return the first connector of a name in the stack, from the top; empty if there is none}
   *
   * @param wanted the name
   */
  public Optional<ConnectorConfiguration> find(String wanted) {
    return name.equals(wanted) ? Optional.of(this) : below.flatMap(part -> part.find(wanted));
  }

  /** Returns the string that parses to this. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    Optional<ConnectorConfiguration> part = Optional.of(this);
    while (part.isPresent()) {
      ConnectorConfiguration one = part.get();
      text.append(text.isEmpty() ? "" : " | ").append(one.name);
      one.options.forEach(
          (key, value) -> text.append(' ').append(key).append('=').append(quoted(value)));
      part = one.below;
    }
    return text.toString();
  }

  private static String quoted(String value) {
    boolean plain =
        !value.isEmpty()
            && value.chars().noneMatch(c -> Character.isWhitespace(c) || "|\"\\".indexOf(c) >= 0);
    return plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
