package org.hyperslab.format.filter;

/**
 * A filter that decodes only: datasets that have it can be read, and no chunk can be written.
 *
 * <p>Thread rule: as {@link Filter}.
 */
abstract class DecodingFilter extends ArrayFilter {

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
