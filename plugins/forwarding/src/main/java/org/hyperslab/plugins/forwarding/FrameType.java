package org.hyperslab.plugins.forwarding;

/** The type of a frame. Its number on the wire is its ordinal. */
enum FrameType {
  /** A client introduces itself. */
  HELLO,
  /** The server grants a session. */
  WELCOME,
  /** A client requests an operation; requests of a session are numbered from 1. */
  REQUEST,
  /** The result of an operation, or the success of several consecutive ones without a result. */
  REPLY,
  /** The failure of an operation. */
  FAILURE,
  /** A client has received all replies below a number. */
  ACKNOWLEDGE,
  /** A client cancels an operation. */
  CANCEL,
  /** The sender ends the session and states the reason. */
  GOODBYE,
  /** A client asks for the server's status, or the server replies. */
  STATUS,
  /** The sender asks whether the other side responds. */
  PING,
  /** The response to {@link #PING}. */
  PONG;

  private static final FrameType[] ALL = values();

  /** {@return the number of types} */
  static int count() {
    return ALL.length;
  }

  /** {@return the type with a number below {@link #count}} */
  static FrameType of(int number) {
    return ALL[number];
  }
}
