package org.hyperslab.interchange.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * Parses and writes JSON as Map, List, String, Boolean, BigInteger, Double and {@link #NULL}.
 * Accepts and writes NaN, Infinity and -Infinity as Python does. Bytes of strings that are not
 * UTF-8 are spelled ({@link NameBytes#spelling}).
 *
 * <p>Documents are bounded in depth and in the digits of a number; their length is that of the
 * given text.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class JsonText {

  /** The value that represents null. */
  public static final Object NULL = Null.VALUE;

  private enum Null {
    VALUE;

    @Override
    public String toString() {
      return "null";
    }
  }

  private static final int MAX_DEPTH = 64;
  private static final int MAX_DIGITS = 400;
  private static final int MAX_SHOWN = 40;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // names of documents are not kept
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH + 1) // one more, so that value() reports it
                  .maxNumberLength(MAX_DIGITS)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser in;
  private final String file;
  private int depth;

  private JsonText(JsonParser in, String file) {
    this.in = in;
    this.file = file;
  }

  /**
   * Parses a document.
   *
   * @param text the document; bytes that are not UTF-8 as {@link NameBytes#decode} gives them
   * @param file what errors name
   * @return its value
   * @throws CorruptFileException if the text is not JSON, has a name twice in an object, is too
   *     deep, or has a number of too many digits
   */
  public static Object parse(String text, String file) {
    try (JsonParser in = FACTORY.createParser(text)) {
      return new JsonText(in, file).document();
    } catch (StreamConstraintsException exceeded) { // the only limit that value() does not check
      long at = exceeded.getLocation() == null ? 0 : exceeded.getLocation().getCharOffset();
      throw wrong(file, at, "a longer number", "at most " + MAX_DIGITS + " digits", exceeded);
    } catch (JacksonException malformed) {
      long at = malformed.getLocation() == null ? 0 : malformed.getLocation().getCharOffset();
      throw wrong(file, at, malformed.getOriginalMessage(), "JSON", malformed);
    } catch (IOException never) {
      throw wrong(file, 0, never.getMessage(), "JSON", never);
    }
  }

  private Object document() throws IOException {
    Object value = value(in.nextToken());
    if (in.nextToken() != null) {
      throw wrong("the end");
    }
    return value;
  }

  private Object value(JsonToken token) throws IOException {
    if (++depth > MAX_DEPTH) {
      throw wrong("at most " + MAX_DEPTH + " levels");
    }
    Object value =
        switch (token) {
          case START_OBJECT -> object();
          case START_ARRAY -> array();
          case VALUE_STRING -> unspelled(in.getText());
          case VALUE_NUMBER_INT -> in.getBigIntegerValue();
          case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
          case VALUE_TRUE -> true;
          case VALUE_FALSE -> false;
          case VALUE_NULL -> NULL;
          case null, default -> throw wrong("a value");
        };
    depth--;
    return value;
  }

  private Map<String, Object> object() throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = unspelled(in.currentName());
      if (map.put(name, value(in.nextToken())) != null) {
        throw wrong("each key once");
      }
    }
    return map;
  }

  private List<Object> array() throws IOException {
    List<Object> list = new ArrayList<>();
    for (JsonToken next = in.nextToken(); next != JsonToken.END_ARRAY; next = in.nextToken()) {
      list.add(value(next));
    }
    return list;
  }

  private String unspelled(String value) {
    try {
      return NameBytes.ofSpelling(value);
    } catch (InvalidUseException unpaired) {
      throw wrong("text of Unicode");
    }
  }

  private CorruptFileException wrong(String expected) {
    String found = in.currentToken() == null ? "the end" : "'" + shown() + "'";
    return wrong(file, in.currentLocation().getCharOffset(), found, expected, null);
  }

  private String shown() {
    try {
      String token = in.getText();
      return token.substring(0, Math.min(MAX_SHOWN, token.length()));
    } catch (IOException notText) {
      return in.currentToken().name();
    }
  }

  private static CorruptFileException wrong(
      String file, long at, String found, String expected, Exception cause) {
    return new CorruptFileException(
        file, "JSON", at, "actual=" + found + ", expected=" + expected, cause);
  }

  /**
   * Returns the text of a value.
   *
   * @param value a value as {@link #parse} gives it; also numbers of other classes, and null
   * @return its JSON, in ASCII
   */
  public static String write(Object value) {
    JsonOutput out = JsonOutput.ofPython(Integer.MAX_VALUE);
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, JsonOutput out) {
    switch (value) {
      case String string -> out.value(string);
      case Number number -> out.number(number);
      case Boolean bool -> out.value(bool.booleanValue());
      case Map<?, ?> map -> {
        out.open('{');
        map.forEach((name, each) -> write(each, out.name((String) name)));
        out.close('}');
      }
      case List<?> list -> {
        out.open('[');
        list.forEach(each -> write(each, out));
        out.close(']');
      }
      case null, default -> out.number(null);
    }
  }
}
