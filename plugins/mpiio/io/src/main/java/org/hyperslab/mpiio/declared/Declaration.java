package org.hyperslab.mpiio.declared;

import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;

/**
 * The writes that a rank is going to make, in their order.
 *
 * <p>Thread rule: immutable; the arrays are its own.
 */
final class Declaration {

  private final long[] offsets;
  private final long[] lengths;

  private Declaration(long[] offsets, long[] lengths) {
    this.offsets = offsets;
    this.lengths = lengths;
  }

  /**
   * {@return a declaration}
   *
   * @param offsets the file offset of each write, in bytes
   * @param lengths the length of each, in bytes
   * @throws InvalidUseException if there are not as many of both, or one is negative or ends beyond
   *     2^63 bytes
   */
  static Declaration of(long[] offsets, long[] lengths) {
    if (offsets.length != lengths.length) {
      throw new InvalidUseException(
          "declared writes: actual="
              + offsets.length
              + " offsets and "
              + lengths.length
              + " lengths, expected=as many of both");
    }
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] < 0 || lengths[i] < 0 || offsets[i] > Long.MAX_VALUE - lengths[i]) {
        throw new InvalidUseException(
            "declared write "
                + i
                + ": actual=offset "
                + offsets[i]
                + ", length "
                + lengths[i]
                + ", expected=both at least 0, and an end below 2^63");
      }
    }
    return new Declaration(offsets.clone(), lengths.clone());
  }

  /** {@return how many writes there are} */
  int count() {
    return offsets.length;
  }

  /**
   * {@return where a write begins in the file, in bytes}
   *
   * @param write its number, from 0
   */
  long offset(int write) {
    return offsets[write];
  }

  /**
   * {@return the bytes of a write}
   *
   * @param write its number, from 0
   */
  long length(int write) {
    return lengths[write];
  }

  /** Returns the offsets, then the lengths. */
  long[] encode() {
    long[] both = Arrays.copyOf(offsets, 2 * offsets.length);
    System.arraycopy(lengths, 0, both, offsets.length, lengths.length);
    return both;
  }

  static Declaration decode(long[] encoded) {
    int count = encoded.length / 2;
    return of(Arrays.copyOf(encoded, count), Arrays.copyOfRange(encoded, count, encoded.length));
  }
}
