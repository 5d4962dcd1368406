package org.hyperslab.plugins.forwarding.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import org.hyperslab.plugins.forwarding.wire.proto.WireMessages.HelloMessage;

/**
 * How a client introduces itself.
 *
 * @param client its name, for people
 * @param session the session to go on with, or 0 for a new one
 * @param token the shared secret, or empty
 * @param windowBytes bytes of payload that it would like to have under way
 */
public record Hello(String client, long session, String token, long windowBytes) {

  /** In the flags of its frame: one reply may answer several requests. */
  public static final int TAKES_RUNS = 1;

  /** In the flags of its frame: the client only asks for the status, and has no session. */
  public static final int OBSERVES = 2;

  /** As a control message. */
  public byte[] encode() {
    return HelloMessage.newBuilder()
        .setClient(client)
        .setSession(session)
        .setToken(token)
        .setWindowBytes(windowBytes)
        .build()
        .toByteArray();
  }

  /** From a control message; a CorruptFileException if it is none. */
  public static Hello decode(byte[] control) {
    try {
      HelloMessage m = HelloMessage.parseFrom(control);
      return new Hello(m.getClient(), m.getSession(), m.getToken(), m.getWindowBytes());
    } catch (InvalidProtocolBufferException e) {
      throw FrameHeader.corrupt("hello: " + e.getMessage());
    }
  }

  /** Leaves the token out. */
  @Override
  public String toString() {
    return "Hello[" + client + ", session=" + session + "]";
  }
}
