package org.hyperslab.format.index.shared;

/**
 * Reads messages that are indexed but stored in the single object header that uses them, so that an
 * equal message can be found there.
 */
@FunctionalInterface
public interface HeaderMessages {

  /** A reader for callers that cannot read headers: no message in a header is found equal. */
  HeaderMessages NONE = (headerAddress, messageType, creationIndex) -> new byte[0];

  /**
   * Returns the encoded message, unshared; padding may follow it.
   *
   * @param headerAddress the address of the object header
   * @param messageType the type code of the message
   * @param creationIndex the 0-based index of the message among the header's messages of that type
   * @return the message's bytes, or an empty array if there is no such message
   */
  byte[] encoded(long headerAddress, int messageType, int creationIndex);
}
