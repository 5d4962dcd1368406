package org.hyperslab.vol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

/** Reads configuration strings, whose grammar is described at {@link ConnectorConfiguration}. */
final class ConfigurationParser {

  private final String text;
  private int position;

  ConfigurationParser(String text) {
    this.text = text;
  }

  ConnectorConfiguration parse() {
    List<Part> parts = new ArrayList<>();
    do {
      parts.add(part());
    } while (accept('|'));
    Optional<ConnectorConfiguration> below = Optional.empty();
    for (Part part : parts.reversed()) {
      below = Optional.of(new ConnectorConfiguration(part.name, part.options, below));
    }
    return below.orElseThrow();
  }

  private record Part(String name, Map<String, String> options) {}

  private Part part() {
    String name = word("a connector's name");
    Map<String, String> options = new LinkedHashMap<>();
    skipSpaces();
    while (position < text.length() && text.charAt(position) != '|') {
      String key = word("an option's key");
      if (position >= text.length() || text.charAt(position) != '=') {
        throw problem("option \"" + key + "\" without a value", "key=value");
      }
      position++;
      if (options.put(key, value()) != null) {
        throw problem("option \"" + key + "\" given twice", "every option once");
      }
      skipSpaces();
    }
    return new Part(name, options);
  }

  private String word(String expected) {
    skipSpaces();
    int start = position;
    while (position < text.length() && isWordCharacter(text.charAt(position))) {
      position++;
    }
    if (position == start) {
      String actual =
          position < text.length() ? "\"" + text.charAt(position) + "\"" : "the end of the string";
      throw problem(actual, expected);
    }
    return text.substring(start, position);
  }

  private String value() {
    if (position < text.length() && text.charAt(position) == '"') {
      return quotedValue();
    }
    int start = position;
    while (position < text.length()
        && !Character.isWhitespace(text.charAt(position))
        && text.charAt(position) != '|') {
      if (text.charAt(position) == '"') {
        throw problem("a quote inside a value", "the whole value in quotes");
      }
      position++;
    }
    return text.substring(start, position);
  }

  private String quotedValue() {
    int open = position++;
    StringBuilder value = new StringBuilder();
    while (position < text.length() && text.charAt(position) != '"') {
      if (text.charAt(position) == '\\') {
        position++;
      }
      if (position < text.length()) {
        value.append(text.charAt(position++));
      }
    }
    if (position >= text.length()) {
      position = open;
      throw problem("a quote that is never closed", "a closing double quote");
    }
    position++;
    return value.toString();
  }

  private boolean accept(char wanted) {
    skipSpaces();
    if (position < text.length() && text.charAt(position) == wanted) {
      position++;
      return true;
    }
    return false;
  }

  private void skipSpaces() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private static boolean isWordCharacter(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
  }

  private InvalidUseException problem(String actual, String expected) {
    return new InvalidUseException(
        "connector configuration: actual="
            + actual
            + ", expected="
            + expected
            + ", at=character "
            + (position + 1)
            + " of \""
            + text
            + "\"; the form is: name key=value … | name key=value …");
  }
}
