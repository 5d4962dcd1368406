package org.hyperslab.format.filter.blosc;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.ElementLayout;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BlockCodecs;

/**
 * Filter 32001, Blosc (version 1): a container of blocks, each shuffled by bytes or bits and
 * compressed by one of several coders.
 *
 * <p>Client data: filter revision, container version, element size, chunk size in bytes, level 0 to
 * 9, shuffle (0 none, 1 bytes, 2 bits), coder (0 BloscLZ, 1 LZ4, 2 LZ4HC, 3 Snappy, 4 zlib, 5
 * Zstandard). The container itself records how to decode it. There is no BloscLZ encoder here; LZ4
 * replaces it, which every reader of the container supports.
 *
 * <p>Source: blosc_filter.c of hdf5-blosc, blosc.c of c-blosc.
 */
public final class BloscFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 32001;

  private static final int FILTER_REVISION = 2;
  private static final int USER_VALUES = 4;
  private static final int DEFAULT_LEVEL = 5;
  private static final int MAXIMUM_TYPE_BYTES = 255;

  /** Creates the filter, which has no state. */
  public BloscFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "blosc";
  }

  @Override
  public boolean failsOnGrowth() {
    return true;
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    int[] values = completed(clientData);
    boolean fits = values[4] >= 0 && values[4] <= 9 && values[5] >= 0 && values[5] <= 2;
    if (!fits || values[6] < 0 || values[6] > 5) {
      throw unusable(clientData);
    }
    if (values[4] > 0) {
      BlockCodecs.require(BloscContainer.coder(values[6]));
    }
  }

  /** Returns the user's client data, with defaults for missing values. */
  private static int[] completed(int[] clientData) {
    int[] values = Arrays.copyOf(clientData, Math.max(clientData.length, 7));
    if (clientData.length <= USER_VALUES) {
      values[4] = DEFAULT_LEVEL;
    }
    if (clientData.length <= 5) {
      values[5] = 1;
    }
    return values;
  }

  /** Sets the first four values. As in the library's filter, missing ones stay missing. */
  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    int[] values = Arrays.copyOf(clientData, Math.max(clientData.length, USER_VALUES));
    ElementLayout element = context.element();
    while (element instanceof ElementLayout.Array array) {
      element = array.base();
    }
    values[0] = FILTER_REVISION;
    values[1] = BloscContainer.VERSION;
    values[2] = element.sizeBytes() > MAXIMUM_TYPE_BYTES ? 1 : element.sizeBytes();
    values[3] = (int) Math.min(context.chunkBytes(), Integer.MAX_VALUE);
    return values;
  }

  private static InvalidUseException unusable(int[] clientData) {
    return new InvalidUseException(
        "blosc parameters: actual="
            + Arrays.toString(clientData)
            + ", expected=four values that the filter sets, level 0-9, shuffle 0-2, coder 0-5");
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    int typeBytes = Math.clamp(value(clientData, 2, 1), 1, MAXIMUM_TYPE_BYTES);
    BloscContainer.Settings settings =
        new BloscContainer.Settings(
            typeBytes,
            Math.clamp(value(clientData, 4, DEFAULT_LEVEL), 0, 9),
            value(clientData, 5, 1),
            value(clientData, 6, 0));
    return BloscContainer.encode(source, settings, out);
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    return BloscContainer.decode(source, out);
  }
}
