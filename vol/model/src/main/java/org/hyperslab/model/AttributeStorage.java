package org.hyperslab.model;

import org.hyperslab.error.InvalidUseException;

/**
 * The way in which an object stores its attributes.
 *
 * @param creationOrderTracked whether their creation order is recorded
 * @param creationOrderIndexed whether it is indexed too
 * @param maxCompact attributes above this number move to dense storage, 0 to 65535
 * @param minDense attributes below this number move back to the object header, at most maxCompact +
 *     1
 */
public record AttributeStorage(
    boolean creationOrderTracked, boolean creationOrderIndexed, int maxCompact, int minDense) {

  /** The defaults of the C library: no creation order, 8 and 6. */
  public static final AttributeStorage DEFAULT = new AttributeStorage(false, false, 8, 6);

  /** Checks the bounds. */
  public AttributeStorage {
    checkPhaseChange(maxCompact, minDense);
    if (creationOrderIndexed && !creationOrderTracked) {
      throw new InvalidUseException(
          "creation order: actual=indexed but not tracked, expected=tracked where indexed");
    }
  }

  static void checkPhaseChange(int maxCompact, int minDense) {
    if (maxCompact < 0 || maxCompact > 0xFFFF || minDense < 0 || minDense > maxCompact + 1) {
      throw new InvalidUseException(
          "phase change: actual=maxCompact "
              + maxCompact
              + ", minDense "
              + minDense
              + ", expected=0 <= minDense <= maxCompact + 1 <= 65536");
    }
  }

  /** {@return this storage with creation order tracked and indexed} */
  public AttributeStorage withCreationOrder() {
    return new AttributeStorage(true, true, maxCompact, minDense);
  }
}
