package org.hyperslab.format.filter.library;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.ElementLayout;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.ByteTranspose;

/**
 * Filter 4, szip: a chunk as lines of pixels, encoded by the extended Rice algorithm (CCSDS
 * 121.0-B), after the uncompressed length in four bytes, little-endian. Pixels of 32 and 64 bits
 * are first split into planes of bytes.
 *
 * <p>Client data: option mask, pixels per block; then, added by {@link #configure}, bits per pixel
 * and pixels per line.
 *
 * <p>Source: H5Zszip.c; szlib's interface as in libaec's sz_compat.c.
 */
public final class SzipFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 4;

  /** Option: entropy coding only. */
  public static final int EC_OPTION = 4;

  /** Option: differences of neighbouring pixels before entropy coding. */
  public static final int NN_OPTION = 32;

  static final int LSB_OPTION = 8;
  static final int MSB_OPTION = 16;
  private static final int RAW_OPTION = 128;
  private static final int MAXIMUM_BLOCKS_PER_LINE = 128;
  private static final int MAXIMUM_PIXELS_PER_BLOCK = 32;
  private static final int LENGTH_BYTES = 4;

  /** Creates the filter, which has no state. */
  public SzipFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "szip";
  }

  @Override
  public boolean failsOnGrowth() {
    return true;
  }

  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return bytes * 3 + (1 << 10);
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    int pixelsPerBlock = clientData.length < 2 ? 0 : clientData[1];
    if (pixelsPerBlock < 2
        || pixelsPerBlock > MAXIMUM_PIXELS_PER_BLOCK
        || pixelsPerBlock % 2 != 0) {
      throw unusable(
          "parameters " + Arrays.toString(clientData), "option mask, even block size from 2 to 32");
    }
  }

  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    int pixelsPerBlock = clientData[1];
    int bits = bitsPerPixel(context.element());
    long line = pixelsPerLine(context, pixelsPerBlock);
    int options = (clientData[0] & ~(LSB_OPTION | MSB_OPTION)) | RAW_OPTION;
    options |= order(context.element()) == ByteOrder.BIG_ENDIAN ? MSB_OPTION : LSB_OPTION;
    return new int[] {options, pixelsPerBlock, bits, (int) line};
  }

  private static int bitsPerPixel(ElementLayout element) {
    int size = element.sizeBytes();
    if (size != 1 && size != 2 && size != 4 && size != 8) {
      throw unusable("elements of " + size + " bytes", "1, 2, 4 or 8");
    }
    int bits = size * 8;
    if (element instanceof ElementLayout.Number number && number.offsetBits() == 0) {
      bits = number.precisionBits();
    }
    if (bits > 32) {
      return 64;
    }
    return bits > 24 ? 32 : bits;
  }

  private static ByteOrder order(ElementLayout element) {
    return switch (element) {
      case ElementLayout.Number number -> number.order();
      case ElementLayout.Other other when other.order() != null -> other.order();
      case ElementLayout.Other other when other.sizeBytes() == 1 -> ByteOrder.LITTLE_ENDIAN;
      case ElementLayout.Other other ->
          throw unusable(other.describe(), "a datatype with a byte order, or bytes");
      case ElementLayout.Array array -> order(array.base());
      case ElementLayout.Compound compound ->
          throw unusable("a compound datatype", "a number, or bytes");
    };
  }

  private static long pixelsPerLine(FilterContext context, int pixelsPerBlock) {
    List<Long> dimensions = context.chunkDimensions();
    long line = dimensions.getLast();
    if (line < pixelsPerBlock) {
      line = context.chunkElements();
      if (line < pixelsPerBlock) {
        throw unusable(line + " elements in a chunk", "at least " + pixelsPerBlock);
      }
    }
    return Math.min(line, (long) pixelsPerBlock * MAXIMUM_BLOCKS_PER_LINE);
  }

  private static InvalidUseException unusable(String actual, String expected) {
    return new InvalidUseException(
        "szip cannot be used: actual=" + actual + ", expected=" + expected);
  }

  /** Working memory for splitting bytes into planes. */
  private static final class Planes {
    byte[] bytes = new byte[0];

    byte[] ensure(int length) {
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      return bytes;
    }
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    SzipParameters parameters = SzipParameters.of(clientData);
    Span pixels = source;
    int width = parameters.planes();
    int length = source.length();
    if (width > 1) {
      byte[] planes = out.scratch().state(Planes.class, Planes::new).ensure(length);
      int count = length / width;
      ByteTranspose.split(source.array(), source.offset(), planes, 0, count, count, width);
      int whole = count * width;
      System.arraycopy(source.array(), source.offset() + whole, planes, whole, length - whole);
      pixels = new Span(planes, 0, length);
    }
    long capacity = Math.min(out.limitBytes(), maximumEncodedBytes(length, clientData));
    byte[] target = out.array(capacity);
    int start = out.arrayOffset();
    if (capacity < LENGTH_BYTES) {
      return DECLINED;
    }
    for (int i = 0; i < LENGTH_BYTES; i++) {
      target[start + i] = (byte) (length >>> (8 * i));
    }
    Span room = new Span(target, start + LENGTH_BYTES, (int) capacity - LENGTH_BYTES);
    return LENGTH_BYTES + new RiceEncoder(parameters, room).encode(pixels);
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    SzipParameters parameters = SzipParameters.of(clientData);
    if (source.length() < LENGTH_BYTES) {
      throw new MalformedDataException("no length: actual=" + source.length() + " bytes");
    }
    long stored = 0;
    for (int i = LENGTH_BYTES - 1; i >= 0; i--) {
      stored = stored << 8 | (source.array()[source.offset() + i] & 0xFF);
    }
    byte[] target = out.array(stored);
    int length = (int) stored;
    int start = out.arrayOffset();
    Span coded = source.slice(LENGTH_BYTES, source.length() - LENGTH_BYTES);
    RiceDecoder decoder = new RiceDecoder(parameters, coded);
    int width = parameters.planes();
    if (width == 1) {
      decoder.decode(new Span(target, start, length));
      return length;
    }
    byte[] planes = out.scratch().state(Planes.class, Planes::new).ensure(length);
    decoder.decode(new Span(planes, 0, length));
    int count = length / width;
    ByteTranspose.join(planes, 0, target, start, count, count, width);
    int whole = count * width;
    System.arraycopy(planes, whole, target, start + whole, length - whole);
    return length;
  }
}
