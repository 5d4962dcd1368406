package org.hyperslab.web.json;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;

/**
 * Writes JSON (RFC 8259) text, of bounded length or to a stream. NaN and infinity, which JSON
 * lacks, become null. Bytes of names and texts that are not UTF-8 are spelled ({@link
 * NameBytes#spelling}).
 *
 * <p>Thread rule: confined to one thread.
 */
public final class JsonOutput {

  /** The length in characters from which text is encoded and put aside. */
  private static final int PART_CHARS = 1 << 16;

  private static final int CHECKED_VALUES = 256;

  private static final HexFormat HEX = HexFormat.of();

  /** Readers of JSON keep all integers that are nearer to zero. */
  private static final double END_OF_KEPT = 1L << 53;

  /** What writing a text may use. */
  public interface Budget {

    /** The budget that does not end. */
    Budget UNLIMITED =
        new Budget() {
          @Override
          public void check() {}

          @Override
          public void take(int bytes) {}
        };

    /** Throws an exception if the text is not to be continued; called often. */
    void check();

    /**
     * Takes memory for a part of the text.
     *
     * @param bytes its length in bytes
     */
    void take(int bytes);
  }

  private final StringBuilder text = new StringBuilder();
  private final List<byte[]> parts = new ArrayList<>();
  private final int limitBytes;
  private final Budget budget;
  private final boolean asPython;
  private final OutputStream sink;
  private long done;
  private int values;

  /** Whether a comma must precede the next value. */
  private boolean separate;

  /** Whether numbers that readers of JSON do not keep are texts. */
  private boolean exactNumbers;

  /**
   * Creates an empty text.
   *
   * @param limitBytes the maximum length in bytes
   */
  public JsonOutput(int limitBytes) {
    this(limitBytes, Budget.UNLIMITED);
  }

  /**
   * Creates an empty text.
   *
   * @param limitBytes the maximum length in bytes
   * @param budget what writing it may use
   */
  public JsonOutput(int limitBytes, Budget budget) {
    this(limitBytes, budget, false);
  }

  private JsonOutput(int limitBytes, Budget budget, boolean asPython) {
    this.limitBytes = limitBytes;
    this.budget = budget;
    this.asPython = asPython;
    this.sink = null;
  }

  /**
   * Creates an empty text that is written to a stream and has no limit; {@link #end} writes the
   * last part.
   *
   * @param sink receives the text as UTF-8; stays open
   */
  public JsonOutput(OutputStream sink) {
    this.limitBytes = Integer.MAX_VALUE;
    this.budget = Budget.UNLIMITED;
    this.asPython = false;
    this.sink = sink;
  }

  /**
   * Creates an empty text of the JSON that Python's programs write and read: NaN and infinity are
   * words, and a number of single precision has all digits of the number of double precision that
   * equals it.
   *
   * @param limitBytes the maximum length in bytes
   * @return the text
   */
  public static JsonOutput ofPython(int limitBytes) {
    return new JsonOutput(limitBytes, Budget.UNLIMITED, true);
  }

  /**
   * Begins an object or an array.
   *
   * @param bracket the opening bracket
   * @return this
   */
  public JsonOutput open(char bracket) {
    before();
    text.append(bracket);
    separate = false;
    return this;
  }

  /**
   * Ends an object or an array.
   *
   * @param bracket the closing bracket
   * @return this
   */
  public JsonOutput close(char bracket) {
    text.append(bracket);
    separate = true;
    return this;
  }

  /**
   * Writes the name of an object's next member.
   *
   * @param name the name
   * @return this
   */
  public JsonOutput name(String name) {
    before();
    quote(NameBytes.spelling(name));
    text.append(':');
    separate = false;
    return this;
  }

  /**
   * Writes a member of text.
   *
   * @param name its name
   * @param value its value
   * @return this
   */
  public JsonOutput member(String name, String value) {
    return name(name).value(value);
  }

  /**
   * Writes a member that is a whole number.
   *
   * @param name its name
   * @param value its value
   * @return this
   */
  public JsonOutput member(String name, long value) {
    return name(name).value(value);
  }

  /**
   * Writes text.
   *
   * @param value the text; null for null
   * @return this
   */
  public JsonOutput value(String value) {
    before();
    if (value == null) {
      text.append("null");
    } else {
      quote(NameBytes.spelling(value));
    }
    return this;
  }

  /**
   * Writes JSON as a text in which nothing is spelled again.
   *
   * @param json the text of another output
   * @return this
   */
  public JsonOutput quoted(JsonOutput json) {
    before();
    quote(json.toString());
    return this;
  }

  /**
   * Writes a whole number.
   *
   * @param value the number
   * @return this
   */
  public JsonOutput value(long value) {
    before();
    text.append(value);
    return this;
  }

  /**
   * Writes whole numbers as an array.
   *
   * @param values the numbers
   * @return this
   */
  public JsonOutput value(long... values) {
    open('[');
    Arrays.stream(values).forEach(this::value);
    return close(']');
  }

  /**
   * Writes as text, from now on, those numbers that readers of JSON do not keep: NaN, infinities,
   * and integers of more than 53 bits.
   *
   * @return this
   */
  public JsonOutput withExactNumbers() {
    exactNumbers = true;
    return this;
  }

  /**
   * Writes a number of any class; null for null, and, unless numbers are exact, for NaN and
   * infinity, which are words for Python.
   *
   * @param value the number
   * @return this
   */
  public JsonOutput number(Number value) {
    before();
    if (asPython && (value instanceof Float || value instanceof Double)) {
      text.append(value.doubleValue());
      return this;
    }
    boolean whole =
        value instanceof Long || value instanceof Integer || value instanceof BigInteger;
    boolean says = value != null && (whole || Double.isFinite(value.doubleValue()));
    boolean kept = says && !(whole && Math.abs(value.doubleValue()) >= END_OF_KEPT);
    if (value != null && exactNumbers && !kept) {
      quote(value.toString());
    } else {
      text.append(says ? value.toString() : "null");
    }
    return this;
  }

  /**
   * Writes a boolean.
   *
   * @param value the value
   * @return this
   */
  public JsonOutput value(boolean value) {
    before();
    text.append(value);
    return this;
  }

  /**
   * Writes a value that is already JSON.
   *
   * @param json the text of another output
   * @return this
   */
  public JsonOutput value(JsonOutput json) {
    before();
    json.putAside();
    putAside();
    json.parts.forEach(this::add);
    return this;
  }

  private void before() {
    if (separate) {
      text.append(',');
    }
    separate = true;
    if (++values % CHECKED_VALUES == 0) {
      budget.check();
    }
    if (text.length() > PART_CHARS) {
      putAside();
    }
    if (done > limitBytes) {
      throw new UnsupportedFeatureException(
          "reply as text: actual=more than "
              + limitBytes
              + " bytes, expected=at most that; request a part with a selection, or the "
              + "binary format");
    }
  }

  /** Encodes what has been written, so that a long text is neither copied nor kept twice. */
  private void putAside() {
    if (!text.isEmpty()) {
      add(text.toString().getBytes(StandardCharsets.UTF_8));
      text.setLength(0);
    }
  }

  private void add(byte[] part) {
    if (sink != null) {
      write(part);
      return;
    }
    budget.take(part.length);
    parts.add(part);
    done += part.length;
  }

  private void write(byte[] part) {
    try {
      sink.write(part);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Ends a text that is written to a stream with a line feed. */
  public void end() {
    text.append('\n');
    putAside();
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> text.append('\\').append(c);
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < ' ' || c > '~') { // zarr-python 2 accepts only ASCII
            text.append("\\u");
            HEX.toHexDigits(text, (byte) (c >> 8));
            HEX.toHexDigits(text, (byte) c);
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }

  /** {@return the text} */
  @Override
  public String toString() {
    return new String(toBytes(), StandardCharsets.UTF_8);
  }

  /** {@return the text as UTF-8} */
  public byte[] toBytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    putAside();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** {@return the text as UTF-8 in buffers, without a copy; nothing is added to it afterwards} */
  public List<ByteBuffer> toBuffers() {
    putAside();
    return parts.stream().map(ByteBuffer::wrap).toList();
  }
}
