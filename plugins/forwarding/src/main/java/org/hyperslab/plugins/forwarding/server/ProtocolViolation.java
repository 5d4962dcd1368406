package org.hyperslab.plugins.forwarding.server;

import org.hyperslab.error.CorruptFileException;

/**
 * Creates the failures that end the session of a client that violates the protocol.
 *
 * <p>Thread rule: no state.
 */
final class ProtocolViolation {

  private ProtocolViolation() {}

  /** {@return a failure that names what the client did} */
  static CorruptFileException of(String problem) {
    return new CorruptFileException("wire", "session", CorruptFileException.NO_OFFSET, problem);
  }
}
