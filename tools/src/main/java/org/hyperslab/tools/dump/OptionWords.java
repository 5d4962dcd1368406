package org.hyperslab.tools.dump;

import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;

/**
 * Splits a command line as the C library's tools do: first options, each a letter in a cluster or a
 * word after two hyphens, then all other words.
 *
 * <p>A letter's value is the rest of its word or the next word. An optional value can only be the
 * next word, and only if that neither begins with a hyphen nor is the last. A long option's value
 * follows an equals sign; a required one may also be the next word.
 */
final class OptionWords {

  /** Letters with a required value. */
  private static final String VALUE = "acdfgklmqstwzDFGKLMNSX";

  /** Letters with an optional value. */
  private static final String OPTIONAL_VALUE = "bnoAEO";

  private static final String FLAG = "ehipruvxyBCHRV";

  private static final Map<String, Character> LONG =
      Map.ofEntries(
          Map.entry("attribute", 'a'),
          Map.entry("binary", 'b'),
          Map.entry("count", 'c'),
          Map.entry("dataset", 'd'),
          Map.entry("escape", 'e'),
          Map.entry("filedriver", 'f'),
          Map.entry("group", 'g'),
          Map.entry("help", 'h'),
          Map.entry("object-ids", 'i'),
          Map.entry("block", 'k'),
          Map.entry("soft-link", 'l'),
          Map.entry("format", 'm'),
          Map.entry("contents", 'n'),
          Map.entry("output", 'o'),
          Map.entry("properties", 'p'),
          Map.entry("sort_by", 'q'),
          Map.entry("string", 'r'),
          Map.entry("start", 's'),
          Map.entry("datatype", 't'),
          Map.entry("use-dtd", 'u'),
          Map.entry("vds-view-first-missing", 'v'),
          Map.entry("width", 'w'),
          Map.entry("xml", 'x'),
          Map.entry("noindex", 'y'),
          Map.entry("sort_order", 'z'),
          Map.entry("onlyattr", 'A'),
          Map.entry("superblock", 'B'),
          Map.entry("boot-block", 'B'),
          Map.entry("no-compact-subset", 'C'),
          Map.entry("xml-dtd", 'D'),
          Map.entry("enable-error-stack", 'E'),
          Map.entry("form", 'F'),
          Map.entry("vds-gap-size", 'G'),
          Map.entry("header", 'H'),
          Map.entry("page-buffer-size", 'K'),
          Map.entry("lformat", 'L'),
          Map.entry("packed-bits", 'M'),
          Map.entry("any_path", 'N'),
          Map.entry("ddl", 'O'),
          Map.entry("region", 'R'),
          Map.entry("stride", 'S'),
          Map.entry("version", 'V'),
          Map.entry("xml-ns", 'X'),
          Map.entry("s3-cred", '$'),
          Map.entry("hdfs-attrs", '#'),
          Map.entry("endpoint-url", '@'),
          Map.entry("vol-value", '1'),
          Map.entry("vol-name", '2'),
          Map.entry("vol-info", '3'),
          Map.entry("vfd-value", '4'),
          Map.entry("vfd-name", '5'),
          Map.entry("vfd-info", '6'));

  /** Signs for long options without a letter, all of which require a value. */
  private static final String LONG_ONLY = "$#@123456";

  private final List<String> words;
  private int at;
  private int inWord = 1;
  private char letter;
  private String value;

  OptionWords(List<String> words) {
    this.words = words;
  }

  /**
   * Moves to the next option.
   *
   * @return whether there is one
   * @throws InvalidUseException if it is unknown, or its value breaks the rules
   */
  boolean next() {
    if (inWord == 1) {
      if (at >= words.size() || !words.get(at).startsWith("-") || words.get(at).length() == 1) {
        return false;
      }
      if (words.get(at).equals("--")) {
        at++;
        return false;
      }
      if (words.get(at).startsWith("--")) {
        longOption(words.get(at++).substring(2));
        return true;
      }
    }
    shortOption(words.get(at));
    return true;
  }

  /** {@return the letter of the option; a sign stands for a long option without a letter} */
  char letter() {
    return letter;
  }

  /** {@return the value of the option; null if it has none} */
  String value() {
    return value;
  }

  /** {@return the words after the options} */
  List<String> rest() {
    return words.subList(at, words.size());
  }

  private void longOption(String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    Character known = LONG.get(name);
    if (known == null) {
      throw new InvalidUseException("dump: actual=unknown option --" + name + "; see --help");
    }
    letter = known;
    value = equals < 0 ? null : word.substring(equals + 1);
    boolean mustHave = VALUE.indexOf(letter) >= 0 || LONG_ONLY.indexOf(letter) >= 0;
    if (FLAG.indexOf(letter) >= 0 && value != null) {
      throw new InvalidUseException("dump: actual=" + word + ", expected=--" + name + " alone");
    }
    if (mustHave && value == null) {
      boolean follows = at < words.size() && !words.get(at).startsWith("-");
      value = follows ? words.get(at++) : required(null, "--" + name);
    }
  }

  private void shortOption(String word) {
    letter = word.charAt(inWord);
    value = null;
    boolean last = inWord + 1 == word.length();
    if (FLAG.indexOf(letter) >= 0) {
      inWord = last ? 1 : inWord + 1;
      at += last ? 1 : 0;
      return;
    }
    at++;
    if (VALUE.indexOf(letter) >= 0) {
      String next = at < words.size() ? words.get(at) : null;
      value = last ? required(next, "-" + letter) : word.substring(inWord + 1);
      at += last ? 1 : 0;
    } else if (OPTIONAL_VALUE.indexOf(letter) >= 0) {
      if (at + 1 < words.size() && !words.get(at).startsWith("-")) {
        value = words.get(at++);
      }
    } else {
      throw new InvalidUseException("dump: actual=unknown option -" + letter + "; see --help");
    }
    inWord = 1;
  }

  private static String required(String value, String option) {
    if (value == null) {
      throw new InvalidUseException("dump: actual=option " + option + " without a value");
    }
    return value;
  }
}
