package org.hyperslab.convert.zarr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;

/**
 * JSON as Map, List, String, Boolean, BigInteger, Double and {@link #NULL}. NaN, Infinity and
 * -Infinity are taken and written as Python does.
 *
 * <p>Thread rule: confined to one thread.
 */
final class JsonText {

  /** Stands for null. */
  static final Object NULL = new Object();

  private static final int MOST_DEPTH = 64;
  private static final int MOST_DIGITS = 400;

  private final String text;
  private final String file;
  private int at;
  private int depth;

  private JsonText(String text, String file) {
    this.text = text;
    this.file = file;
  }

  static Object parse(String text, String file) {
    JsonText parser = new JsonText(text, file);
    Object value = parser.value();
    parser.space();
    if (parser.at < text.length()) {
      throw parser.wrong("the end");
    }
    return value;
  }

  private CorruptFileException wrong(String expected) {
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    return new CorruptFileException(file, "JSON", at, "actual=" + found + ", expected=" + expected);
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
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
    Object value =
        switch (peek()) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> string();
          case 't' -> word("true", true);
          case 'f' -> word("false", false);
          case 'n' -> word("null", NULL);
          case 'N' -> word("NaN", Double.NaN);
          case 'I' -> word("Infinity", Double.POSITIVE_INFINITY);
          default -> number();
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

  private Object number() {
    if (text.startsWith("-Infinity", at)) {
      at += 9;
      return Double.NEGATIVE_INFINITY;
    }
    int start = at;
    while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(start, at);
    if (digits.isEmpty() || digits.length() > MOST_DIGITS) {
      throw wrong("a value");
    }
    try {
      boolean whole = digits.chars().noneMatch(c -> c == '.' || c == 'e' || c == 'E');
      return whole ? new BigInteger(digits) : (Object) Double.valueOf(digits);
    } catch (NumberFormatException _) {
      throw wrong("a number");
    }
  }

  private Map<String, Object> object() {
    at++;
    Map<String, Object> object = new LinkedHashMap<>();
    while (peek() != '}') {
      if (peek() != '"') {
        throw wrong("a name");
      }
      String name = string();
      if (peek() != ':') {
        throw wrong("':'");
      }
      at++;
      if (object.put(name, value()) != null) {
        throw wrong("each name once");
      }
      comma('}');
    }
    at++;
    return object;
  }

  private List<Object> array() {
    at++;
    List<Object> array = new ArrayList<>();
    while (peek() != ']') {
      array.add(value());
      comma(']');
    }
    at++;
    return array;
  }

  private void comma(char end) {
    char next = peek();
    if (next == ',') {
      at++;
      if (peek() == end) {
        throw wrong("a value");
      }
    } else if (next != end) {
      throw wrong("',' or '" + end + "'");
    }
  }

  private String string() {
    at++;
    StringBuilder value = new StringBuilder();
    while (true) {
      if (at >= text.length()) {
        throw wrong("the end of a string");
      }
      char c = text.charAt(at++);
      if (c == '"') {
        return value.toString();
      }
      value.append(c == '\\' ? escape() : c);
    }
  }

  private char escape() {
    if (at >= text.length()) {
      throw wrong("an escape");
    }
    char c = text.charAt(at++);
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        try {
          char code = (char) Integer.parseUnsignedInt(text.substring(at, at + 4), 16);
          at += 4;
          yield code;
        } catch (NumberFormatException | IndexOutOfBoundsException _) {
          throw wrong("four hexadecimal digits");
        }
      }
      default -> throw wrong("an escape");
    };
  }

  // --- writing ---

  /** The text of a value; integers of any class are taken. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    switch (value) {
      case String string -> quote(string, out);
      case Double number -> out.append(real(number));
      case Float number -> out.append(real(number.doubleValue()));
      case BigDecimal number -> out.append(number);
      case Number number -> out.append(number);
      case Boolean bool -> out.append(bool);
      case Map<?, ?> map -> {
        String comma = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(comma);
          quote((String) entry.getKey(), out);
          out.append(":");
          write(entry.getValue(), out);
          comma = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case List<?> list -> {
        String comma = "[";
        for (Object each : list) {
          out.append(comma);
          write(each, out);
          comma = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      default -> out.append("null");
    }
  }

  private static String real(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "Infinity" : "-Infinity";
    }
    return Double.toString(number);
  }

  private static void quote(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') { // zarr-python 2 takes ASCII only
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
