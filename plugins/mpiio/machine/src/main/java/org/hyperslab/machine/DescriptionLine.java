package org.hyperslab.machine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;

/**
 * One line of a description: a keyword, then fields {@code key=value}. Every error names the
 * source, the line and the field.
 *
 * <p>Units: bandwidths are {@code B/s} with the prefixes k, K, M, G (decimal) or Ki, Mi, Gi
 * (binary), or bits as {@code Gb/s}; times are {@code ns}, {@code us}, {@code ms} or {@code s};
 * sizes are {@code B} with the same prefixes.
 */
final class DescriptionLine {

  private static final int MAX_FIELDS = 16;
  private static final Pattern KEYWORD = Pattern.compile("[a-z]{1,20}");
  private static final Pattern FIELD = Pattern.compile("([a-z]{1,20})=(\\S{1,400})");
  private static final Pattern QUANTITY =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)([A-Za-z/]{1,5})");
  private static final Pattern PREFIXED = Pattern.compile("([kKMG]i?)?([Bb])(/s)?");

  private final String at;
  private final String keyword;
  private final Map<String, String> fields = new LinkedHashMap<>();

  private DescriptionLine(String at, String keyword) {
    this.at = at;
    this.keyword = keyword;
  }

  /**
   * Parses a line.
   *
   * @param text the line without comment and outer blanks; not empty
   * @param source the origin of the text, for messages
   * @param number the number of the line, from 1
   */
  static DescriptionLine parse(String text, String source, int number) {
    String[] words = text.split("\\s+", MAX_FIELDS + 2);
    String at = source + ", line " + number;
    if (!KEYWORD.matcher(words[0]).matches()) {
      throw problem(at, "keyword", brief(words[0]), "a word of lower-case letters");
    }
    DescriptionLine line = new DescriptionLine(at, words[0]);
    if (words.length > MAX_FIELDS + 1) {
      throw problem(at, "fields", "more than " + MAX_FIELDS, "at most that many");
    }
    for (int i = 1; i < words.length; i++) {
      Matcher field = FIELD.matcher(words[i]);
      if (!field.matches()) {
        throw problem(at, "field " + i, brief(words[i]), "key=value");
      }
      if (line.fields.put(field.group(1), field.group(2)) != null) {
        throw problem(at, "field " + field.group(1), "given twice", "once");
      }
    }
    return line;
  }

  private static String brief(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }

  private static InvalidUseException problem(
      String at, String field, String actual, String expected) {
    return new InvalidUseException(
        "machine description: actual="
            + actual
            + ", expected="
            + expected
            + ", at="
            + at
            + ", "
            + field);
  }

  String keyword() {
    return keyword;
  }

  /** Returns the error for a field's value. */
  InvalidUseException refuse(String key, String expected) {
    String value = fields.get(key);
    return problem(
        at, "field " + key, value == null ? "not given" : key + "=" + brief(value), expected);
  }

  /** Returns the error for the whole line. */
  InvalidUseException refuse(String actual, String expected, Throwable cause) {
    return new InvalidUseException(
        "machine description: actual=" + actual + ", expected=" + expected + ", at=" + at, cause);
  }

  /** Rejects fields that no caller has read. */
  void end() {
    if (!fields.isEmpty()) {
      String key = fields.keySet().iterator().next();
      throw refuse(key, "no such field of " + keyword);
    }
  }

  boolean has(String key) {
    return fields.containsKey(key);
  }

  String text(String key) {
    String value = fields.get(key);
    if (value == null) {
      throw refuse(key, "a value");
    }
    if (value.length() > 100) {
      throw refuse(key, "at most 100 characters");
    }
    fields.remove(key);
    return value;
  }

  int count(String key, int least, int most) {
    String value = fields.get(key);
    long number = value != null && value.matches("\\d{1,9}") ? Long.parseLong(value) : -1;
    if (number < least || number > most) {
      throw refuse(key, "a whole number from " + least + " to " + most);
    }
    fields.remove(key);
    return (int) number;
  }

  int count(String key, int least, int most, int otherwise) {
    return has(key) ? count(key, least, most) : otherwise;
  }

  /** Returns whole numbers between separators. */
  int[] counts(String key, String separator, int mostNumbers, int mostEach) {
    String value = fields.get(key);
    if (value == null) {
      throw refuse(key, "whole numbers");
    }
    String[] words = value.split(Pattern.quote(separator), -1);
    int[] numbers = new int[words.length];
    for (int i = 0; i < words.length; i++) {
      long number = words[i].matches("\\d{1,9}") ? Long.parseLong(words[i]) : -1;
      if (number < 0 || number > mostEach || words.length > mostNumbers) {
        throw refuse(
            key,
            "1 to "
                + mostNumbers
                + " whole numbers up to "
                + mostEach
                + " between '"
                + separator
                + "'");
      }
      numbers[i] = (int) number;
    }
    fields.remove(key);
    return numbers;
  }

  double bytesPerSecond(String key) {
    return prefixed(key, true);
  }

  long bytes(String key) {
    double value = prefixed(key, false);
    if (value < 1 || value > 1L << 50) {
      throw refuse(key, "1 B to 1024 TiB");
    }
    fields.remove(key);
    return (long) value;
  }

  private double prefixed(String key, boolean rate) {
    String expected = rate ? "a bandwidth such as 1.8GB/s" : "a size such as 8MiB";
    String value = fields.getOrDefault(key, "");
    Matcher quantity = QUANTITY.matcher(value);
    Matcher unit = PREFIXED.matcher(quantity.matches() ? quantity.group(2) : "");
    if (!unit.matches() || (unit.group(3) != null) != rate) {
      throw refuse(key, expected);
    }
    double bytes = Double.parseDouble(quantity.group(1)) * prefix(unit.group(1));
    bytes = unit.group(2).equals("b") ? bytes / 8 : bytes;
    if (!(bytes > 0)) {
      throw refuse(key, "more than 0");
    }
    if (rate) {
      fields.remove(key);
    }
    return bytes;
  }

  private static double prefix(String letters) {
    if (letters == null) {
      return 1;
    }
    int power = "kmg".indexOf(Character.toLowerCase(letters.charAt(0))) + 1;
    return Math.pow(letters.endsWith("i") ? 1024 : 1000, power);
  }

  double nanos(String key, double otherwise) {
    if (!has(key)) {
      return otherwise;
    }
    Matcher quantity = QUANTITY.matcher(fields.get(key));
    double unit =
        switch (quantity.matches() ? quantity.group(2) : "") {
          case "ns" -> 1;
          case "us" -> 1e3;
          case "ms" -> 1e6;
          case "s" -> 1e9;
          default -> throw refuse(key, "a time such as 40ns or 2.5us");
        };
    double value = Double.parseDouble(quantity.group(1)) * unit;
    fields.remove(key);
    return value;
  }
}
