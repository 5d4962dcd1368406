package org.hyperslab.plugins.forwarding.wire;

/**
 * The type of a frame, with its number on the wire. A number keeps its meaning for ever.
 *
 * <p>Thread rule: immutable.
 */
public enum FrameType {
  /** A client introduces itself. */
  HELLO(0),
  /** The server grants a session. */
  WELCOME(1),
  /** A client requests an operation; requests of a session are numbered from 1. */
  REQUEST(2),
  /** The result of an operation, or the success of several consecutive ones without a result. */
  REPLY(3),
  /** The failure of an operation. */
  FAILURE(4),
  /** A client has received all replies below a number. */
  ACKNOWLEDGE(5),
  /** A client cancels an operation. */
  CANCEL(6),
  /** The sender ends the session and states the reason. */
  GOODBYE(7),
  /** A client asks for the server's status, or the server replies. */
  STATUS(8),
  /** The sender asks whether the other side responds. */
  PING(9),
  /** The response to {@link #PING}. */
  PONG(10);

  private static final FrameType[] BY_NUMBER = byNumber();

  private final int number;

  FrameType(int number) {
    this.number = number;
  }

  private static FrameType[] byNumber() {
    FrameType[] all = new FrameType[values().length];
    for (FrameType type : values()) {
      all[type.number] = type;
    }
    return all;
  }

  /** {@return the number on the wire} */
  int number() {
    return number;
  }

  /** {@return the number of types} */
  static int count() {
    return BY_NUMBER.length;
  }

  /** {@return the type with a number below {@link #count}} */
  static FrameType of(int number) {
    return BY_NUMBER[number];
  }
}
