package org.hyperslab.convert;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;

/**
 * Parses nested literals: maps with string keys, lists, strings and words. Subclasses define the
 * other values of their language.
 *
 * <p>Thread rule: confined to one thread.
 */
abstract class LiteralParser {

  private static final int MAX_DEPTH = 64;

  final String text;
  private final String file;
  private final String language;

  /** The index of the next character. */
  int at;

  private int depth;

  LiteralParser(String text, String file, String language) {
    this.text = text;
    this.file = file;
    this.language = language;
  }

  /** Parses the value that begins at {@code at} with the given character. */
  abstract Object value(char first);

  abstract boolean isSpace(char c);

  /** Returns whether a comma may precede the end of a map or list. */
  abstract boolean allowsTrailingComma();

  /** Parses the whole text. */
  final Object parse() {
    Object value = value();
    space();
    if (at < text.length()) {
      throw wrong("the end");
    }
    return value;
  }

  final CorruptFileException wrong(String expected) {
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    return new CorruptFileException(
        file, language, at, "actual=" + found + ", expected=" + expected);
  }

  private void space() {
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
  }

  /** Skips white space and returns the next character without consuming it. */
  final char peek() {
    space();
    if (at >= text.length()) {
      throw wrong("a value");
    }
    return text.charAt(at);
  }

  /** Consumes the next character; the end of the text is an error. */
  final char take(String what) {
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

  final Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong(word);
    }
    at += word.length();
    return value;
  }

  final Map<String, Object> map() {
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

  final List<Object> list(char end) {
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
      if (!allowsTrailingComma() && peek() == end) {
        throw wrong("a value");
      }
    } else if (next != end) {
      throw wrong("',' or '" + end + "'");
    }
  }
}
