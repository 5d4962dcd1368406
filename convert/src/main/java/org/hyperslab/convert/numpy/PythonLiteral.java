package org.hyperslab.convert.numpy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;

/**
 * Parses a literal of Python: dict, list, tuple, string, int, True, False and None. Lists and
 * tuples become Lists, integers BigIntegers, None {@link #NONE}.
 *
 * <p>Thread rule: confined to one thread.
 */
final class PythonLiteral {

  /** Stands for None, which a Map cannot hold as null. */
  static final Object NONE = new Object();

  private static final int MOST_DEPTH = 64;

  private final String text;
  private final String file;
  private int at;
  private int depth;

  private PythonLiteral(String text, String file) {
    this.text = text;
    this.file = file;
  }

  /** Parses the whole text. */
  static Object parse(String text, String file) {
    PythonLiteral parser = new PythonLiteral(text, file);
    Object value = parser.value();
    parser.space();
    if (parser.at < text.length()) {
      throw parser.wrong("the end");
    }
    return value;
  }

  private CorruptFileException wrong(String expected) {
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    return new CorruptFileException(
        file, "Python literal", at, "actual=" + found + ", expected=" + expected);
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private char peek() {
    space();
    if (at >= text.length()) {
      throw wrong("a value");
    }
    return text.charAt(at);
  }

  private Object value() {
    if (++depth > MOST_DEPTH) {
      throw wrong("at most " + MOST_DEPTH + " levels");
    }
    char first = peek();
    Object value =
        switch (first) {
          case '{' -> dict();
          case '[' -> sequence(']');
          case '(' -> sequence(')');
          case '\'', '"' -> string();
          case 'T' -> word("True", Boolean.TRUE);
          case 'F' -> word("False", Boolean.FALSE);
          case 'N' -> word("None", NONE);
          case 'u', 'b' -> {
            at++;
            if (peek() != '\'' && peek() != '"') {
              throw wrong("a string");
            }
            yield string();
          }
          default -> integer();
        };
    depth--;
    return value;
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  private BigInteger integer() {
    int start = at;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    int digits = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == digits || at - digits > 20) {
      throw wrong("an integer of at most 20 digits");
    }
    BigInteger value = new BigInteger(text.substring(start, at));
    if (at < text.length() && text.charAt(at) == 'L') {
      at++; // as Python 2 wrote long integers
    }
    return value;
  }

  private Map<String, Object> dict() {
    at++;
    Map<String, Object> dict = new LinkedHashMap<>();
    while (peek() != '}') {
      if (!(value() instanceof String key)) {
        throw wrong("a string as key");
      }
      if (peek() != ':') {
        throw wrong("':'");
      }
      at++;
      if (dict.put(key, value()) != null) {
        throw wrong("each key once");
      }
      comma('}');
    }
    at++;
    return dict;
  }

  private List<Object> sequence(char end) {
    at++;
    List<Object> values = new ArrayList<>();
    while (peek() != end) {
      values.add(value());
      comma(end);
    }
    at++;
    return values;
  }

  private void comma(char end) {
    char next = peek();
    if (next == ',') {
      at++;
    } else if (next != end) {
      throw wrong("',' or '" + end + "'");
    }
  }

  private String string() {
    char quote = text.charAt(at++);
    StringBuilder value = new StringBuilder();
    while (true) {
      if (at >= text.length()) {
        throw wrong("the end of a string");
      }
      char c = text.charAt(at++);
      if (c == quote) {
        return value.toString();
      }
      if (c == '\\') {
        escape(value);
      } else {
        value.append(c);
      }
    }
  }

  private void escape(StringBuilder value) {
    if (at >= text.length()) {
      throw wrong("an escape");
    }
    char c = text.charAt(at++);
    switch (c) {
      case 'n' -> value.append('\n');
      case 't' -> value.append('\t');
      case 'r' -> value.append('\r');
      case '\\', '\'', '"' -> value.append(c);
      case 'x' -> code(value, 2);
      case 'u' -> code(value, 4);
      case 'U' -> code(value, 8);
      default -> throw wrong("an escape of a string");
    }
  }

  private void code(StringBuilder value, int digits) {
    try {
      int point = Integer.parseInt(text.substring(at, at + digits), 16);
      value.appendCodePoint(point);
      at += digits;
    } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
      throw wrong(digits + " hexadecimal digits");
    }
  }

  /** Text as a literal of Python. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("'");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\'', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '\r' -> quoted.append("\\r");
        default -> {
          if (c < ' ' || c == 127) {
            quoted.append(String.format("\\x%02x", (int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('\'').toString();
  }
}
