package org.hyperslab.format.filter.blosc;

import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.DecodingFilter;

/**
 * Filter 32026, Blosc 2: a {@link Blosc2Frame} with one chunk, which may be divided into blocks of
 * several dimensions. It is decoded only.
 *
 * <p>The frame records how to decode it; the client data is not needed. A chunk of Blosc 1 without
 * a frame, as early versions of the plugin wrote, is decoded too.
 *
 * <p>Source: blosc2_filter.c of PyTables and hdf5-blosc2.
 */
public final class Blosc2Filter extends DecodingFilter {

  /** The registered filter number. */
  public static final int ID = 32026;

  /** Creates the filter, which has no state. */
  public Blosc2Filter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "blosc2";
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    return Blosc2Frame.isFrame(source)
        ? Blosc2Frame.of(source).decode(out)
        : Blosc2Chunk.of(source).decode(out);
  }
}
