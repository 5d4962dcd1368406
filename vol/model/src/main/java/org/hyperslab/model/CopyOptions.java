package org.hyperslab.model;

/**
 * Options for copying an object.
 *
 * @param shallow whether only the first level of a group is copied
 * @param expandSoftLinks whether soft links become copies of what they name
 * @param expandExternalLinks whether external links become copies of what they name
 * @param expandReferences whether what object references point to is copied too
 * @param withoutAttributes whether attributes are left out
 * @param mergeCommittedTypes whether an equal committed type at the destination is used
 */
public record CopyOptions(
    boolean shallow,
    boolean expandSoftLinks,
    boolean expandExternalLinks,
    boolean expandReferences,
    boolean withoutAttributes,
    boolean mergeCommittedTypes) {

  /** Copies whole trees with their attributes; links are copied as links. */
  public static final CopyOptions DEFAULT =
      new CopyOptions(false, false, false, false, false, false);
}
