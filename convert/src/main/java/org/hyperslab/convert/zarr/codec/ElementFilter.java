package org.hyperslab.convert.zarr.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.interchange.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * A filter of Zarr that makes other elements of elements, in the order in which they are stored. It
 * is read only.
 *
 * <p>Thread rule: immutable.
 *
 * <p>Source: numcodecs, the modules of the filters' names.
 */
public sealed interface ElementFilter {

  /** Returns the number of bytes that elements have when encoded. */
  long encodedLength(int count);

  /** Returns the number of bytes of a decoded element. */
  int decodedBytes();

  /** Decodes elements, whose bytes are as many as {@link #encodedLength} says. */
  byte[] decode(byte[] encoded, int count, String file);

  /** A filter from numbers of one form to as many of another. */
  sealed interface OfNumbers extends ElementFilter {

    /** Returns the form of results. */
    NumberForm decoded();

    /** Returns the form of what is stored. */
    NumberForm encoded();

    @Override
    default long encodedLength(int count) {
      return (long) count * encoded().bytes();
    }

    @Override
    default int decodedBytes() {
      return decoded().bytes();
    }
  }

  /**
   * Differences of neighbours; the first element is itself.
   *
   * @param decoded the form of sums, in which is counted
   * @param encoded the form of differences
   */
  record Delta(NumberForm decoded, NumberForm encoded) implements OfNumbers {

    @Override
    public byte[] decode(byte[] bytes, int count, String file) {
      ByteBuffer from = ByteBuffer.wrap(bytes).order(encoded.order());
      ByteBuffer to = room(decoded, count);
      if (!decoded.isReal() && !encoded.isReal()) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
          sum += encoded.whole(from, i);
          decoded.put(to, i, sum);
        }
        return to.array();
      }
      for (int i = 0; i < count; i++) {
        double before = i == 0 ? 0 : decoded.real(to, i - 1); // rounded, as each sum is
        double next = encoded.real(from, i);
        decoded.put(to, i, i == 0 ? next : before + next, file);
      }
      return to.array();
    }
  }

  /**
   * Numbers that are divided by a scale, to which an offset is added.
   *
   * @param decoded the form of results
   * @param encoded the form of what is stored
   */
  record ScaleOffset(NumberForm decoded, NumberForm encoded, double scale, double offset)
      implements OfNumbers {

    @Override
    public byte[] decode(byte[] bytes, int count, String file) {
      ByteBuffer from = ByteBuffer.wrap(bytes).order(encoded.order());
      ByteBuffer to = room(decoded, count);
      for (int i = 0; i < count; i++) {
        decoded.put(to, i, encoded.real(from, i) / scale + offset, file);
      }
      return to.array();
    }
  }

  /**
   * Numbers that are stored in another form ({@code astype}, {@code quantize}).
   *
   * @param decoded the form of results
   * @param encoded the form of what is stored
   */
  record Cast(NumberForm decoded, NumberForm encoded) implements OfNumbers {

    @Override
    public byte[] decode(byte[] bytes, int count, String file) {
      ByteBuffer from = ByteBuffer.wrap(bytes).order(encoded.order());
      ByteBuffer to = room(decoded, count);
      for (int i = 0; i < count; i++) {
        decoded.convert(encoded, from, to, i, file);
      }
      return to.array();
    }
  }

  /** Truth values, eight to a byte, behind a byte that counts the bits that are too many. */
  record PackBits() implements ElementFilter {

    @Override
    public long encodedLength(int count) {
      return 1 + (count + 7L) / 8;
    }

    @Override
    public int decodedBytes() {
      return 1;
    }

    @Override
    public byte[] decode(byte[] bytes, int count, String file) {
      if (bytes[0] != (8 - count % 8) % 8) {
        throw new CorruptFileException(
            file,
            "filter of Zarr, packbits",
            CorruptFileException.NO_OFFSET,
            "actual=" + bytes[0] + " bits too many, expected=" + (8 - count % 8) % 8);
      }
      byte[] decoded = new byte[count];
      for (int i = 0; i < count; i++) {
        decoded[i] = (byte) (bytes[1 + i / 8] >>> 7 - i % 8 & 1);
      }
      return decoded;
    }
  }

  private static ByteBuffer room(NumberForm form, int count) {
    return ByteBuffer.allocate(Math.multiplyExact(count, form.bytes())).order(form.order());
  }

  /** Undoes filters, of which the last was applied last. */
  static byte[] decode(List<ElementFilter> filters, byte[] encoded, int count, String file) {
    byte[] bytes = encoded;
    for (ElementFilter filter : filters.reversed()) {
      if (bytes.length != filter.encodedLength(count)) {
        throw new CorruptFileException(
            file,
            "filter of Zarr",
            CorruptFileException.NO_OFFSET,
            "actual=" + bytes.length + " bytes, expected=" + filter.encodedLength(count));
      }
      bytes = filter.decode(bytes, count, file);
    }
    return bytes;
  }

  /** Returns whether a name is that of a filter of elements; {@link #of} knows it. */
  static boolean isKnown(String name) {
    return List.of("delta", "fixedscaleoffset", "astype", "quantize", "bitround", "packbits")
        .contains(name);
  }

  /**
   * Returns a filter of elements.
   *
   * @param name its name
   * @param options its configuration
   * @param order the order of bytes to be taken for all that is stored; empty for that of the types
   * @return the filter; empty for {@code bitround}, which leaves nothing to undo
   */
  static Optional<ElementFilter> of(
      String name, Map<?, ?> options, Optional<ByteOrder> order, String file) {
    return switch (name) {
      case "bitround" -> Optional.empty();
      case "packbits" -> Optional.of(new PackBits());
      case "astype" ->
          Optional.of(
              new Cast(
                  form(options.get("decode_dtype"), order, file),
                  form(options.get("encode_dtype"), order, file)));
      default -> Optional.of(scaled(name, options, order, file));
    };
  }

  private static ElementFilter scaled(
      String name, Map<?, ?> options, Optional<ByteOrder> order, String file) {
    NumberForm decoded = form(options.get("dtype"), order, file);
    Object astype = options.get("astype");
    boolean same = astype == null || astype == JsonText.NULL;
    NumberForm encoded = same ? decoded : form(astype, order, file);
    return switch (name) {
      case "delta" -> new Delta(decoded, encoded);
      case "quantize" -> new Cast(decoded, encoded);
      case "fixedscaleoffset" ->
          new ScaleOffset(
              decoded,
              encoded,
              number(options.get("scale"), file),
              number(options.get("offset"), file));
      default ->
          throw new UnsupportedFeatureException(
              "filter of Zarr: actual=" + name + ", expected=a known one, at=" + file);
    };
  }

  private static NumberForm form(@Nullable Object descr, Optional<ByteOrder> order, String file) {
    NumberForm form = NumberForm.of(descr, file);
    return order.map(form::withOrder).orElse(form);
  }

  private static double number(@Nullable Object json, String file) {
    if (json instanceof Number number) {
      return number.doubleValue();
    }
    throw new CorruptFileException(
        file,
        "filter of Zarr",
        CorruptFileException.NO_OFFSET,
        "actual=" + json + ", expected=a number");
  }
}
