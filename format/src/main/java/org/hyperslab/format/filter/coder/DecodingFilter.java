package org.hyperslab.format.filter.coder;

import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * A filter that decodes only: datasets that have it can be read, and no chunk can be written.
 *
 * <p>Thread rule: as {@link Filter}.
 */
public abstract class DecodingFilter extends ArrayFilter {

  @Override
  public final boolean canEncode() {
    return false;
  }

  @Override
  protected final int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    throw new MalformedDataException(name() + " is decoded only; expected=another filter");
  }
}
