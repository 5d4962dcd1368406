package org.hyperslab.plugins.codec;

import org.hyperslab.error.CorruptFileException;

/** Makes the errors of bytes that are no message. Thread rule: stateless. */
final class MalformedMessage {

  private MalformedMessage() {}

  /**
   * Returns the error.
   *
   * @param what the part of the message
   * @param problem what is wrong with it, with actual and expected
   */
  static CorruptFileException of(String what, String problem) {
    return new CorruptFileException("message", what, CorruptFileException.NO_OFFSET, problem);
  }
}
