package org.hyperslab.format.index;

/**
 * Reads messages that are in an index but stored in the one object header that uses them, so that
 * an equal message can be found there.
 */
@FunctionalInterface
public interface HeaderMessages {

  /** A reader for callers that cannot read headers: messages in headers equal none. */
  HeaderMessages NONE = (headerAddress, messageType, creationIndex) -> new byte[0];

  /**
   * Returns the encoded message, unshared; padding after it is allowed.
   *
   * @param headerAddress where the object header stands
   * @param messageType its type code
   * @param creationIndex which of the header's messages of that type it is, from 0
   * @return its bytes, or none if there is no such message
   */
  byte[] encoded(long headerAddress, int messageType, int creationIndex);
}
