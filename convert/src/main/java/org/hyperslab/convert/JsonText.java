package org.hyperslab.convert;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * Parses and writes JSON as Map, List, String, Boolean, BigInteger, Double and {@link #NULL}.
 * Accepts and writes NaN, Infinity and -Infinity as Python does. Bytes of strings that are not
 * UTF-8 are spelled ({@link NameBytes#spelling}).
 *
 * <p>Thread rule: confined to one thread.
 */
final class JsonText extends LiteralParser {

  /** The value that represents null. */
  static final Object NULL = Null.VALUE;

  private enum Null {
    VALUE;

    @Override
    public String toString() {
      return "null";
    }
  }

  private static final int MAX_DIGITS = 400;

  private JsonText(String text, String file) {
    super(text, file, "JSON");
  }

  static Object parse(String text, String file) {
    return new JsonText(text, file).parse();
  }

  @Override
  boolean isSpace(char c) {
    return " \t\r\n".indexOf(c) >= 0;
  }

  @Override
  boolean allowsTrailingComma() {
    return false;
  }

  @Override
  Object value(char first) {
    return switch (first) {
      case '{' -> map();
      case '[' -> list(']');
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", NULL);
      case 'N' -> word("NaN", Double.NaN);
      case 'I' -> word("Infinity", Double.POSITIVE_INFINITY);
      default -> number();
    };
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
    if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
      throw wrong("a value");
    }
    try {
      boolean whole = digits.chars().noneMatch(c -> c == '.' || c == 'e' || c == 'E');
      return whole ? new BigInteger(digits) : (Object) Double.valueOf(digits);
    } catch (NumberFormatException _) {
      throw wrong("a number");
    }
  }

  private String string() {
    at++;
    StringBuilder value = new StringBuilder();
    while (true) {
      char c = take("the end of a string");
      if (c == '"') {
        return unspelled(value.toString());
      }
      value.append(c == '\\' ? escape() : c);
    }
  }

  private String unspelled(String value) {
    try {
      return NameBytes.ofSpelling(value);
    } catch (InvalidUseException unpaired) {
      throw wrong("text of Unicode");
    }
  }

  private char escape() {
    char c = take("an escape");
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

  /** Returns the text of a value; integers of any class are taken. */
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

  private static void quote(String text, StringBuilder out) {
    String string = NameBytes.spelling(text);
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') { // zarr-python 2 accepts only ASCII
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
