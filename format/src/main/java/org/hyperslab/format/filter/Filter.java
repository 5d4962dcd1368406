package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;

/**
 * A filter: encodes the bytes of a chunk into the bytes that are stored, and decodes them.
 * Implementations outside this module are found by {@link java.util.ServiceLoader}. Most extend
 * {@link ArrayFilter}.
 *
 * <p>Thread rule: immutable and thread-safe; state that is kept between chunks belongs in the
 * {@link FilterScratch} of the thread.
 */
public interface Filter {

  /** The result of {@link #encode} when encoding the data brings no benefit. */
  long DECLINED = -1;

  /** {@return the number registered with The HDF Group} */
  int id();

  /** {@return a short name for messages and for the filter message} */
  String name();

  /** {@return whether {@link #encode} works} */
  default boolean canEncode() {
    return true;
  }

  /**
   * {@return whether decoding returns exactly the bytes that were encoded} If not, equal chunks
   * must be encoded to equal bytes: {@link WriteCheck} compares those instead.
   *
   * @param clientData the filter's client data values
   */
  default boolean isLossless(int[] clientData) {
    return true;
  }

  /**
   * {@return whether an optional stage of this filter is skipped for a chunk that would not become
   * smaller} True if the filter of the HDF5 library or its plugin fails for lack of room in such a
   * case; false if it produces more bytes than its input, which are then stored.
   */
  default boolean failsOnGrowth() {
    return false;
  }

  /**
   * Checks the client data that the user gave. Values that the filter could never use are always an
   * error, as when HDF5's "set local" fails, whereas an optional filter that does not suit a
   * dataset is omitted.
   *
   * @param clientData the values that the user gave
   * @param context the dataset
   * @throws org.hyperslab.error.InvalidUseException if a value is out of range
   */
  default void checkParameters(int[] clientData, FilterContext context) {}

  /**
   * {@return the client data that is stored with a new dataset, computed from the user's values:
   * HDF5's "can apply" and "set local"}
   *
   * @param clientData the values that the user gave
   * @param context the dataset
   * @throws org.hyperslab.error.InvalidUseException if the filter cannot be used for such a dataset
   */
  default int[] configure(int[] clientData, FilterContext context) {
    return clientData;
  }

  /**
   * {@return an upper bound of the encoded size of {@code bytes} bytes}
   *
   * @param bytes the number of bytes
   * @param clientData the filter's client data values
   */
  default long maximumEncodedBytes(long bytes, int[] clientData) {
    return bytes + bytes / 4 + (1 << 16);
  }

  /**
   * Encodes all of {@code source} into {@code out}, from its first byte.
   *
   * @param source the bytes
   * @param clientData the filter's client data values
   * @param out receives the result
   * @return the number of bytes produced, or {@link #DECLINED}
   * @throws MalformedDataException if the data does not match the client data, or the result
   *     exceeds the output's limit
   */
  long encode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException;

  /**
   * Decodes all of {@code source} into {@code out}, from its first byte.
   *
   * @param source the bytes
   * @param clientData the filter's client data values
   * @param out receives the result
   * @return the number of bytes produced
   * @throws MalformedDataException if the data is damaged, or the result exceeds the output's
   *     limit. Any other unchecked exception is treated in the same way.
   */
  long decode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException;
}
