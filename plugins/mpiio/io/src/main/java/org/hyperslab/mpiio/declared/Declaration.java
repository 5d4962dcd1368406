package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.InvalidUseException;

/**
 * The writes that a rank will make, in order.
 *
 * <p>Thread rule: immutable; the arrays are copies.
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
   * @throws InvalidUseException if their numbers differ, or one is negative or ends beyond 2^63
   *     bytes
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

  /** {@return the number of writes} */
  int count() {
    return offsets.length;
  }

  /**
   * {@return the file offset of a write, in bytes}
   *
   * @param write its number, from 0
   */
  long offset(int write) {
    return offsets[write];
  }

  /**
   * {@return the length of a write, in bytes}
   *
   * @param write its number, from 0
   */
  long length(int write) {
    return lengths[write];
  }

  /** Returns the offsets, then the lengths, each a long in the byte order of this machine. */
  byte[] encode() {
    byte[] both = new byte[Math.multiplyExact(2 * Long.BYTES, offsets.length)];
    MemorySegment target = MemorySegment.ofArray(both);
    long half = both.length / 2;
    target.asSlice(0, half).copyFrom(MemorySegment.ofArray(offsets));
    target.asSlice(half).copyFrom(MemorySegment.ofArray(lengths));
    return both;
  }

  static Declaration decode(byte[] encoded) {
    int half = encoded.length / 2;
    long[] offsets = new long[half / Long.BYTES];
    long[] lengths = new long[half / Long.BYTES];
    MemorySegment source = MemorySegment.ofArray(encoded);
    MemorySegment.ofArray(offsets).copyFrom(source.asSlice(0, half));
    MemorySegment.ofArray(lengths).copyFrom(source.asSlice(half, half));
    return of(offsets, lengths);
  }
}
