package org.hyperslab.plugins.nativevol.statistics;

import java.util.Arrays;

/** The index of a block in each dimension. Thread rule: immutable. */
public final class BlockKey {

  private final long[] index;

  /**
   * Creates a key.
   *
   * @param index the index, which is copied
   */
  public BlockKey(long[] index) {
    this.index = index.clone();
  }

  /** {@return the index} */
  public long[] index() {
    return index.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlockKey key && Arrays.equals(index, key.index);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(index);
  }

  @Override
  public String toString() {
    return Arrays.toString(index);
  }
}
