package org.hyperslab.interchange.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** The length in bytes from which text is put aside. */
  private static final int PART_BYTES = 1 << 16;

  private static final int CHECKED_VALUES = 256;

  /** Escapes all but printable ASCII, because zarr-python 2 accepts nothing else. */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .characterEscapes(new PrintableAscii())
          .rootValueSeparator("")
          .build();

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

  /** What the generator has passed on and is not put aside yet. */
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();

  private final JsonGenerator generator;
  private final List<byte[]> parts = new ArrayList<>();
  private final int limitBytes;
  private final Budget budget;
  private final boolean asPython;
  private final OutputStream sink;
  private long done;
  private int values;

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
    this(limitBytes, budget, asPython, null);
  }

  private JsonOutput(int limitBytes, Budget budget, boolean asPython, OutputStream sink) {
    this.limitBytes = limitBytes;
    this.budget = budget;
    this.asPython = asPython;
    this.sink = sink;
    try {
      this.generator = FACTORY.createGenerator(text, JsonEncoding.UTF8);
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
  }

  /**
   * Creates an empty text that is written to a stream and has no limit; {@link #end} writes the
   * last part.
   *
   * @param sink receives the text as UTF-8; stays open
   */
  public JsonOutput(OutputStream sink) {
    this(Integer.MAX_VALUE, Budget.UNLIMITED, false, sink);
  }

  /**
   * Creates an empty text of the JSON that Python's programs write and read. NaN and infinity are
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
    return write(bracket == '{' ? JsonGenerator::writeStartObject : JsonGenerator::writeStartArray);
  }

  /**
   * Ends an object or an array.
   *
   * @param bracket the closing bracket
   * @return this
   */
  public JsonOutput close(char bracket) {
    return write(bracket == '}' ? JsonGenerator::writeEndObject : JsonGenerator::writeEndArray);
  }

  /**
   * Writes the name of an object's next member.
   *
   * @param name the name
   * @return this
   */
  public JsonOutput name(String name) {
    before();
    return write(to -> to.writeFieldName(NameBytes.spelling(name)));
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
   * Writes a text as a quoted and escaped JSON string.
   *
   * @param value the text; null for null
   * @return this
   */
  public JsonOutput value(String value) {
    before();
    return write(to -> to.writeString(value == null ? null : NameBytes.spelling(value)));
  }

  /**
   * Writes JSON as a text in which nothing is spelled again.
   *
   * @param json the text of another output
   * @return this
   */
  public JsonOutput quoted(JsonOutput json) {
    before();
    return write(to -> to.writeString(json.toString()));
  }

  /**
   * Writes a whole number.
   *
   * @param value the number
   * @return this
   */
  public JsonOutput value(long value) {
    before();
    return write(to -> to.writeNumber(value));
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
    if (value == null) {
      return write(JsonGenerator::writeNull);
    }
    if (asPython && (value instanceof Float || value instanceof Double)) {
      return write(to -> to.writeNumber(Double.toString(value.doubleValue())));
    }
    boolean whole =
        value instanceof Long || value instanceof Integer || value instanceof BigInteger;
    boolean says = whole || value instanceof BigDecimal || Double.isFinite(value.doubleValue());
    boolean kept = says && !(whole && Math.abs(value.doubleValue()) >= END_OF_KEPT);
    if (exactNumbers && !kept) {
      return write(to -> to.writeString(value.toString()));
    }
    return write(to -> to.writeNumber(says ? value.toString() : "null"));
  }

  /**
   * Writes a boolean.
   *
   * @param value the value
   * @return this
   */
  public JsonOutput value(boolean value) {
    before();
    return write(to -> to.writeBoolean(value));
  }

  /**
   * Writes a value that is already JSON.
   *
   * @param json the text of another output
   * @return this
   */
  public JsonOutput value(JsonOutput json) {
    before();
    write(to -> to.writeRawValue("")); // the comma before it
    json.putAside();
    putAside();
    json.parts.forEach(this::add);
    return this;
  }

  private void before() {
    if (++values % CHECKED_VALUES == 0) {
      budget.check();
    }
    if (text.size() > PART_BYTES) {
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

  /** Takes what has been written, so that a long text is neither copied nor kept twice. */
  private void putAside() {
    write(JsonGenerator::flush);
    if (text.size() > 0) {
      add(text.toByteArray());
      text.reset();
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
    write(to -> to.writeRaw('\n'));
    putAside();
  }

  /** A call of the generator. */
  private interface Call {
    void on(JsonGenerator generator) throws IOException;
  }

  private JsonOutput write(Call call) {
    try {
      call.on(generator);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  /** Escapes of control characters: short ones for line ends and tabs only. */
  private static final class PrintableAscii extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private static final int[] ESCAPES = escapes();

    private static int[] escapes() {
      int[] escapes = standardAsciiEscapesForJSON();
      escapes['\b'] = ESCAPE_STANDARD;
      escapes['\f'] = ESCAPE_STANDARD;
      escapes[0x7f] = ESCAPE_STANDARD;
      return escapes;
    }

    @Override
    @SuppressWarnings("ReturnArrayField") // the factory only reads it
    public int[] getEscapeCodesForAscii() {
      return ESCAPES;
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      return null;
    }
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
