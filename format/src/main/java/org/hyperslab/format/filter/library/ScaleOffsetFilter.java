package org.hyperslab.format.filter.library;

import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.ElementLayout;
import org.hyperslab.format.filter.ElementLayout.NumberClass;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.NumberBytes;

/**
 * Filter 6, scale-offset: numbers are stored as differences from the chunk's minimum, in the number
 * of bits that the largest difference needs. Floating-point numbers are first multiplied by 10^D
 * and rounded, which loses the digits after D decimal places. The fill value has the code of all
 * ones.
 *
 * <p>Encoded form: bits per number (4 bytes, little-endian), length of the minimum (1 byte, 8), the
 * minimum (8 bytes, little-endian), 8 bytes of zeros, the numbers' bits, most significant first.
 *
 * <p>Client data, 20 values: scale type (0 floating point D-scale, 2 integer), scale factor (D, or
 * bits, 0 for "as needed"), elements in a chunk, class (0 integer, 1 float), size, sign (1 signed),
 * order (1 big-endian), whether there is a fill value, the fill value in 12 values.
 *
 * <p>Source: H5Zscaleoffset.c.
 */
public final class ScaleOffsetFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 6;

  /** Scale type: floating point, D decimal digits. */
  public static final int FLOAT_D_SCALE = 0;

  /** Scale type: integer. */
  public static final int INTEGER = 2;

  private static final int VALUES = 20;
  private static final int FILL = 8;

  /** Creates the filter, which has no state. */
  public ScaleOffsetFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "scaleoffset";
  }

  /** Returns true for integers in as many bits as they need: given bits may be too few. */
  @Override
  public boolean isLossless(int[] clientData) {
    return clientData.length >= 2 && clientData[0] == INTEGER && clientData[1] == 0;
  }

  /** Returns room for a larger result: the filter rounds, so it must apply to every chunk. */
  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return bytes + ScaleOffsetCodec.HEADER_BYTES + 1;
  }

  /**
   * Checks the parameters alone; {@link #configure} checks that the scale type suits the element.
   */
  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    boolean known =
        clientData.length >= 2 && clientData[0] >= FLOAT_D_SCALE && clientData[0] <= INTEGER;
    if (!known) {
      throw unusable(
          "parameters " + Arrays.toString(clientData),
          "scale type " + FLOAT_D_SCALE + " to " + INTEGER + ", factor");
    }
  }

  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    if (!(context.element() instanceof ElementLayout.Number number)) {
      throw unusable(context.element().describe(), "an integer or a float");
    }
    boolean isFloat = number.numberClass() == NumberClass.FLOAT;
    int scale = isFloat ? FLOAT_D_SCALE : INTEGER;
    if (clientData.length < 2 || clientData[0] != scale) {
      throw unusable(
          "parameters " + Arrays.toString(clientData), "scale type " + scale + ", factor");
    }
    int size = number.sizeBytes();
    boolean sizeFits =
        isFloat ? size == 4 || size == 8 : size == 1 || size == 2 || size == 4 || size == 8;
    if (!sizeFits) {
      throw unusable("numbers of " + size + " bytes", "1, 2, 4 or 8 (floating point 4 or 8)");
    }
    long elements = context.chunkElements();
    if (elements > 0xFFFF_FFFFL) {
      throw unusable(elements + " elements in a chunk", "fewer than 2^32");
    }
    int[] values = new int[VALUES];
    values[0] = clientData[0];
    values[1] = clientData[1];
    values[2] = (int) elements;
    values[3] = isFloat ? 1 : 0;
    values[4] = size;
    values[5] = !isFloat && number.signed() ? 1 : 0;
    boolean bigEndian = number.order() == ByteOrder.BIG_ENDIAN;
    values[6] = bigEndian ? 1 : 0;
    context.fillValue().ifPresent(fill -> putFill(values, fill.toArray(), bigEndian));
    return values;
  }

  private static void putFill(int[] values, byte[] fill, boolean bigEndian) {
    if (fill.length != values[4]) {
      throw unusable("fill value of " + fill.length + " bytes", values[4] + " bytes");
    }
    long bits = NumberBytes.load(fill, 0, fill.length, bigEndian);
    values[7] = 1;
    values[FILL] = (int) bits;
    values[FILL + 1] = fill.length == 8 ? (int) (bits >>> 32) : 0;
  }

  private static InvalidUseException unusable(String actual, String expected) {
    return new InvalidUseException(
        "scale-offset cannot be used: actual=" + actual + ", expected=" + expected);
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    ScaleOffsetCodec codec = ScaleOffsetCodec.of(clientData);
    return codec.passes() ? copy(source, out) : codec.encode(source, out);
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    ScaleOffsetCodec codec = ScaleOffsetCodec.of(clientData);
    return codec.passes() ? copy(source, out) : codec.decode(source, out);
  }

  private static int copy(Span source, FilterOutput out) throws MalformedDataException {
    byte[] target = out.array(source.length());
    System.arraycopy(source.array(), source.offset(), target, out.arrayOffset(), source.length());
    return source.length();
  }
}
