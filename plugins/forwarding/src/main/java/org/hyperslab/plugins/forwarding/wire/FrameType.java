package org.hyperslab.plugins.forwarding.wire;

/** What a frame is. The number on the wire is the place in this list. */
public enum FrameType {
  /** A client introduces itself. */
  HELLO,
  /** The server grants a session. */
  WELCOME,
  /** An operation; its number counts within the session from 1. */
  REQUEST,
  /** The result of an operation; without a result, of one or of several with numbers in a row. */
  REPLY,
  /** An operation failed. */
  FAILURE,
  /** The client has all replies below a number. */
  ACKNOWLEDGE,
  /** The client gives up on an operation. */
  CANCEL,
  /** The sender ends the session, and says why. */
  GOODBYE,
  /** Asks for the server's status. */
  STATUS,
  /** Asks whether the other side is there. */
  PING,
  /** It is. */
  PONG;

  private static final FrameType[] ALL = values();

  /** How many there are. */
  static int count() {
    return ALL.length;
  }

  /** The type with a number below {@link #count}. */
  static FrameType of(int number) {
    return ALL[number];
  }
}
