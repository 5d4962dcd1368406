package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * A filter whose codec works on byte arrays, and therefore on chunks shorter than 2 GiB. Sources on
 * the heap are used in place; others are copied once.
 */
public abstract class ArrayFilter implements Filter {

  /** {@link Filter#DECLINED} as the result of {@link #encode(Span, int[], FilterOutput)}. */
  protected static final int DECLINED = (int) Filter.DECLINED;

  /** The length of the longest array that every virtual machine can create. */
  public static final int MAXIMUM_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  /** Creates a filter; called by subclasses. */
  protected ArrayFilter() {}

  /**
   * Encodes {@code length} bytes of {@code source} from {@code offset} into {@code out}.
   *
   * @param source the input bytes
   * @param clientData the filter's client data values
   * @param out receives the result
   * @return the number of bytes produced, or {@link #DECLINED}
   * @throws MalformedDataException as {@link Filter#encode}
   */
  protected abstract int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException;

  /**
   * Decodes the span into {@code out}.
   *
   * @param source the input bytes
   * @param clientData the filter's client data values
   * @param out receives the result
   * @return the number of bytes produced
   * @throws MalformedDataException as {@link Filter#decode}
   */
  protected abstract int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException;

  @Override
  public final long encode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    checkLength(source.byteSize());
    return encode(out.scratch().span(source), clientData, out);
  }

  @Override
  public final long decode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    checkLength(source.byteSize());
    return decode(out.scratch().span(source), clientData, out);
  }

  private void checkLength(long length) {
    if (length > MAXIMUM_ARRAY_BYTES) {
      throw new UnsupportedFeatureException(
          "chunk too long for the filter "
              + name()
              + ": actual="
              + length
              + " bytes, expected=at most "
              + MAXIMUM_ARRAY_BYTES
              + "; use smaller chunks");
    }
  }

  /**
   * {@return the client data value at {@code index}, or {@code absent} if there are fewer}
   *
   * @param clientData the filter's client data values
   * @param index the index, counted from 0
   * @param absent the result if there is no such value
   */
  protected static int value(int[] clientData, int index, int absent) {
    return index < clientData.length ? clientData[index] : absent;
  }
}
