package org.hyperslab.plugins.forwarding.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import org.hyperslab.plugins.forwarding.wire.proto.WireMessages.HelloMessage;

/**
 * The first message of a client.
 *
 * @param client the client's name, for display
 * @param session the session to continue, or 0 for a new one
 * @param token the shared secret, or empty
 * @param windowBytes the window that the client requests, in bytes; 0 to let the server choose
 * @param reconnectSeconds the time for which the client was told to reconnect, in seconds; 0 if it
 *     was not told
 */
public record Hello(
    String client, long session, String token, long windowBytes, long reconnectSeconds) {

  /** The flag of a client that accepts replies to several requests at once. */
  public static final int TAKES_RUNS = 1;

  /** The flag of a client that only requests the status and gets no session. */
  public static final int OBSERVES = 2;

  /** The flag of a question for the status that asks for JSON. */
  public static final int WANTS_JSON = 1;

  /** {@return the control message} */
  public byte[] encode() {
    return HelloMessage.newBuilder()
        .setClient(client)
        .setSession(session)
        .setToken(token)
        .setWindowBytes(windowBytes)
        .setReconnectSeconds(reconnectSeconds)
        .build()
        .toByteArray();
  }

  /**
   * Decodes a hello.
   *
   * @param control the control message
   * @return the hello
   * @throws org.hyperslab.error.CorruptFileException if the message is malformed
   */
  public static Hello decode(byte[] control) {
    try {
      HelloMessage m = HelloMessage.parseFrom(control);
      return new Hello(
          m.getClient(), m.getSession(), m.getToken(), m.getWindowBytes(), m.getReconnectSeconds());
    } catch (InvalidProtocolBufferException e) {
      throw FrameHeader.corrupt("hello: " + e.getMessage());
    }
  }

  /** {@return a description without the token} */
  @Override
  public String toString() {
    return "Hello[" + client + ", session=" + session + "]";
  }
}
