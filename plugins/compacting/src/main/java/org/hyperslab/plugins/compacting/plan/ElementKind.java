package org.hyperslab.plugins.compacting.plan;

import org.hyperslab.format.type.Datatype;

/**
 * The type of a request's elements in memory. Only requests of equal kinds are merged, so that the
 * storage converts all elements of a merged request in the same way.
 *
 * @param type the type in memory, without out-of-line parts
 * @param stored whether the dataset stores exactly this type. Only then may a read be answered from
 *     a queued write, because a conversion could round or clip values
 */
public record ElementKind(Datatype type, boolean stored) {

  /** {@return the size of an element in bytes} */
  public int bytes() {
    return type.size();
  }
}
