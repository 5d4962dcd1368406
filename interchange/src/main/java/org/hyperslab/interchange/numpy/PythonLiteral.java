package org.hyperslab.interchange.numpy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;

/**
 * Parses a Python literal of dict, list, tuple, string, int, True, False and None. Lists and tuples
 * become Lists, integers become BigIntegers, and None becomes {@link #NONE}.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class PythonLiteral {

  /** The value that represents None, because some Maps cannot hold null. */
  public static final Object NONE = new Object();

  private static final int MAX_DEPTH = 64;

  private final String text;
  private final String file;

  /** The index of the next character. */
  private int at;

  private int depth;

  private PythonLiteral(String text, String file) {
    this.text = text;
    this.file = file;
  }

  /**
   * Parses a literal.
   *
   * @param text the whole text
   * @param file what errors name
   * @return its value
   * @throws CorruptFileException if the text is no literal of these kinds, is too deep, or has a
   *     key twice
   */
  public static Object parse(String text, String file) {
    return new PythonLiteral(text, file).parse();
  }

  private Object parse() {
    Object value = value();
    space();
    if (at < text.length()) {
      throw wrong("the end");
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

  /** Skips white space and returns the next character without consuming it. */
  private char peek() {
    space();
    if (at >= text.length()) {
      throw wrong("a value");
    }
    return text.charAt(at);
  }

  /** Consumes the next character; the end of the text is an error. */
  private char take(String what) {
    if (at >= text.length()) {
      throw wrong(what);
    }
    return text.charAt(at++);
  }

  private Object value() {
    if (++depth > MAX_DEPTH) {
      throw wrong("at most " + MAX_DEPTH + " levels");
    }
    Object value = value(peek());
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

  private Map<String, Object> map() {
    at++;
    Map<String, Object> map = new LinkedHashMap<>();
    while (peek() != '}') {
      if (!(value() instanceof String key)) {
        throw wrong("a string as key");
      }
      if (peek() != ':') {
        throw wrong("':'");
      }
      at++;
      if (map.put(key, value()) != null) {
        throw wrong("each key once");
      }
      comma('}');
    }
    at++;
    return map;
  }

  private List<Object> list(char end) {
    at++;
    List<Object> list = new ArrayList<>();
    while (peek() != end) {
      list.add(value());
      comma(end);
    }
    at++;
    return list;
  }

  private void comma(char end) {
    char next = peek();
    if (next == ',') {
      at++;
    } else if (next != end) {
      throw wrong("',' or '" + end + "'");
    }
  }

  /** Parses the value that begins at {@code at} with the given character. */
  private Object value(char first) {
    return switch (first) {
      case '{' -> map();
      case '[' -> list(']');
      case '(' -> list(')');
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

  private String string() {
    char quote = text.charAt(at++);
    StringBuilder value = new StringBuilder();
    while (true) {
      char c = take("the end of a string");
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
    char c = take("an escape");
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

  /**
   * Returns text as a literal of Python.
   *
   * @param text the text
   * @return the literal, in single quotes
   */
  public static String quote(String text) {
    StringBuilder quoted = new StringBuilder("'");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\'', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '\r' -> quoted.append("\\r");
        default -> {
          if (Character.isSurrogate(c)) {
            surrogate(text, i, quoted);
          } else if (c < ' ' || c == 127) {
            quoted.append(String.format("\\x%02x", (int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('\'').toString();
  }

  /** A byte that is not UTF-8 is an unpaired surrogate, in Python too. */
  private static void surrogate(String text, int at, StringBuilder quoted) {
    char c = text.charAt(at);
    boolean isFirst = Character.isHighSurrogate(c) && at + 1 < text.length();
    boolean isPaired =
        isFirst
            ? Character.isLowSurrogate(text.charAt(at + 1))
            : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    if (isPaired) {
      quoted.append(c);
    } else {
      quoted.append(String.format("\\u%04x", (int) c));
    }
  }
}
