package org.hyperslab.model;

import org.hyperslab.format.type.CharacterSet;

/**
 * How a link is made.
 *
 * @param createIntermediate whether missing groups on the way are created
 * @param charset the character set recorded for the name
 */
public record LinkOptions(boolean createIntermediate, CharacterSet charset) {

  /** Groups on the way must exist; names are UTF-8 if they hold anything beyond ASCII. */
  public static final LinkOptions DEFAULT = new LinkOptions(false, CharacterSet.ASCII);

  /** Missing groups on the way are created. */
  public static final LinkOptions CREATE_INTERMEDIATE = new LinkOptions(true, CharacterSet.ASCII);

  /** Written out: a record's own makes classes at run time, which ranks that start wait for. */
  @Override
  public String toString() {
    return "LinkOptions[createIntermediate=" + createIntermediate + ", charset=" + charset + "]";
  }
}
