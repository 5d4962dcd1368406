package org.hyperslab.model;

import org.hyperslab.format.type.CharacterSet;

/**
 * Options for creating a link.
 *
 * @param createIntermediate whether missing groups on the way are created
 * @param charset the character set recorded for the name
 */
public record LinkOptions(boolean createIntermediate, CharacterSet charset) {

  /** Parent groups must exist; names that are not ASCII are UTF-8. */
  public static final LinkOptions DEFAULT = new LinkOptions(false, CharacterSet.ASCII);

  /** Creates missing parent groups. */
  public static final LinkOptions CREATE_INTERMEDIATE = new LinkOptions(true, CharacterSet.ASCII);

  /**
   * Written by hand: the method generated for a record creates classes at run time, which delays
   * the start of a job's ranks.
   */
  @Override
  public String toString() {
    return "LinkOptions[createIntermediate=" + createIntermediate + ", charset=" + charset + "]";
  }
}
