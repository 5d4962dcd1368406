package org.hyperslab.spark.table;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/** The list of texts in JSON with which Spark passes several paths. */
final class JsonTexts {

  private final String text;
  private int at;

  private JsonTexts(String text) {
    this.text = text;
  }

  /** Returns the texts of a list such as {@code ["a","b"]}. */
  static List<String> list(String text) {
    return new JsonTexts(text).read();
  }

  private List<String> read() {
    List<String> all = new ArrayList<>();
    expect('[');
    if (peek() == ']') {
      return all;
    }
    while (true) {
      all.add(string());
      if (peek() == ']') {
        return all;
      }
      expect(',');
    }
  }

  private String string() {
    expect('"');
    StringBuilder value = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return value.toString();
      }
      value.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        char code = 0;
        for (int i = 0; i < 4; i++) {
          code = (char) (code * 16 + Character.digit(next(), 16));
        }
        yield code;
      }
      default -> c;
    };
  }

  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private char next() {
    if (at >= text.length()) {
      throw refused();
    }
    return text.charAt(at++);
  }

  private void expect(char c) {
    if (peek() != c) {
      throw refused();
    }
    at++;
  }

  private InvalidUseException refused() {
    return new InvalidUseException("paths: actual=" + text + ", expected=a list of texts in JSON");
  }
}
