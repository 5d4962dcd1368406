package org.hyperslab.format.filter.library;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.ElementLayout;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BitReader;
import org.hyperslab.format.filter.coder.BitWriter;

/**
 * Filter 5, nbit: only the significant bits of each number are stored, most significant first,
 * without gaps between numbers. Padding bits, and bytes of a compound that no member covers, are
 * decoded as zeros.
 *
 * <p>Client data: the number of values; 1 if nothing is to be packed; the number of elements in a
 * chunk; then the element: {1, size, order, precision, offset} for a number, {2, size, base} for an
 * array, {3, size, member count, (offset, member)…} for a compound, {4, size} for any other type.
 *
 * <p>Source: H5Znbit.c.
 */
public final class NbitFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 5;

  /** The library's limit on the number of values. */
  private static final int MAXIMUM_VALUES = 4096;

  private static final int COUNT = 0;
  private static final int UNPACKED = 1;
  private static final int ELEMENTS = 2;
  private static final int HEADER_VALUES = 3;
  private static final String LOSES_MEMBERS =
      "actual=a member after an array of arrays or compounds, which the HDF5 library would lose,"
          + " expected=such an array as the last member";

  /** Creates the filter, which has no state. */
  public NbitFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "nbit";
  }

  /** Returns false: padding bits are not stored. */
  @Override
  public boolean isLossless(int[] clientData) {
    return false;
  }

  /**
   * Returns one byte more than the input: packing adds at most one byte, and readers expect packed
   * data.
   */
  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return bytes + 1;
  }

  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    IntStream.Builder element = IntStream.builder();
    boolean packs = false;
    if (!(context.element() instanceof ElementLayout.Other)) {
      packs = describe(context.element(), element);
    }
    int[] described = element.build().toArray();
    int[] values = new int[HEADER_VALUES + described.length];
    if (values.length > MAXIMUM_VALUES) {
      throw new InvalidUseException(
          "nbit: actual="
              + values.length
              + " values to describe the datatype, expected=at most "
              + MAXIMUM_VALUES
              + "; use another filter");
    }
    values[COUNT] = values.length;
    values[UNPACKED] = packs ? 0 : 1;
    long elements = context.chunkElements();
    if (elements > 0xFFFF_FFFFL) {
      throw new InvalidUseException("nbit: actual=" + elements + " elements, expected=below 2^32");
    }
    values[ELEMENTS] = (int) elements;
    System.arraycopy(described, 0, values, HEADER_VALUES, described.length);
    if (packs) {
      checkLossless(values);
    }
    return values;
  }

  private static void checkLossless(int[] values) {
    try {
      if (!NbitPart.parse(values, HEADER_VALUES).lossless()) {
        throw new InvalidUseException("nbit cannot be used: " + LOSES_MEMBERS);
      }
    } catch (MalformedDataException unusable) {
      throw new InvalidUseException("nbit cannot be used: " + unusable.getMessage(), unusable);
    }
  }

  /**
   * Appends the values that describe {@code layout}; returns whether any number in it has padding.
   */
  private static boolean describe(ElementLayout layout, IntStream.Builder values) {
    return switch (layout) {
      case ElementLayout.Number number -> {
        values.add(NbitPart.NUMBER).add(number.sizeBytes());
        values.add(number.order() == ByteOrder.BIG_ENDIAN ? 1 : 0);
        values.add(number.precisionBits()).add(number.offsetBits());
        yield number.precisionBits() != number.sizeBytes() * 8;
      }
      case ElementLayout.Array array -> {
        values.add(NbitPart.ARRAY).add(array.sizeBytes());
        yield describe(array.base(), values);
      }
      case ElementLayout.Compound compound -> {
        values.add(NbitPart.COMPOUND).add(compound.sizeBytes()).add(compound.members().size());
        boolean packs = false;
        for (ElementLayout.Member member : compound.members()) {
          values.add(member.offsetBytes());
          packs |= describe(member.layout(), values);
        }
        yield packs;
      }
      case ElementLayout.Other other -> {
        values.add(NbitPart.PLAIN).add(other.sizeBytes());
        yield false;
      }
    };
  }

  private static boolean unpacked(int[] clientData) throws MalformedDataException {
    if (clientData.length < HEADER_VALUES || clientData[COUNT] != clientData.length) {
      throw new MalformedDataException(
          "parameters: actual="
              + Arrays.toString(clientData)
              + ", expected=the number of "
              + "parameters first");
    }
    return clientData[UNPACKED] != 0;
  }

  private static long elements(int[] clientData) {
    return Integer.toUnsignedLong(clientData[ELEMENTS]);
  }

  private static int copy(Span source, FilterOutput out) throws MalformedDataException {
    byte[] target = out.array(source.length());
    System.arraycopy(source.array(), source.offset(), target, out.arrayOffset(), source.length());
    return source.length();
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    if (unpacked(clientData)) {
      return copy(source, out);
    }
    NbitPart.Element parsed = NbitPart.parse(clientData, HEADER_VALUES);
    if (!parsed.lossless()) {
      throw new MalformedDataException(LOSES_MEMBERS);
    }
    NbitPart element = parsed.part();
    if (elements(clientData) * element.sizeBytes() != source.length()) {
      throw new MalformedDataException(
          "chunk: actual="
              + source.length()
              + " bytes, expected="
              + elements(clientData)
              + " elements of "
              + element.sizeBytes());
    }
    int capacity = Math.addExact(source.length(), 1);
    byte[] target = out.array(capacity);
    int start = out.arrayOffset();
    BitWriter bits = new BitWriter(target, start, start + capacity);
    for (int at = source.offset(); at < source.end(); at += element.sizeBytes()) {
      element.pack(source.array(), at, bits);
    }
    // The library counts one byte more than needed when the last one is full.
    int length = (int) (bits.bits() / 8) + 1;
    if (bits.finish() < length) {
      target[start + length - 1] = 0;
    }
    return length;
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    if (unpacked(clientData)) {
      return copy(source, out);
    }
    NbitPart element = NbitPart.parse(clientData, HEADER_VALUES).part();
    long length = elements(clientData) * element.sizeBytes();
    byte[] target = out.array(length);
    int start = out.arrayOffset();
    int end = start + (int) length;
    Arrays.fill(target, start, end, (byte) 0);
    BitReader bits = new BitReader(source);
    for (int at = start; at < end; at += element.sizeBytes()) {
      element.unpack(bits, target, at);
    }
    return (int) length;
  }
}
