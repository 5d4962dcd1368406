package org.hyperslab.plugins.compacting;

import org.hyperslab.format.type.Datatype;

/**
 * The elements of a request in memory. Only requests of equal kinds are merged, so that the storage
 * converts them all alike.
 *
 * @param type their type in memory, without out-of-line parts
 * @param stored whether the dataset stores just this type, so that what is written is what is read
 *     back. Only then may a read be answered from a queued write: a conversion could round or clip.
 */
public record ElementKind(Datatype type, boolean stored) {

  /** The bytes of an element. */
  public int bytes() {
    return type.size();
  }
}
