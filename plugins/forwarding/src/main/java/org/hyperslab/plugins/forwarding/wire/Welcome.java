package org.hyperslab.plugins.forwarding.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import org.hyperslab.plugins.forwarding.wire.proto.WireMessages.WelcomeMessage;

/**
 * The server's answer to a hello: the limits that it grants.
 *
 * @param session the session's identifier, for continuing it after a broken connection
 * @param windowBytes the largest total payload, in bytes, of requests without a reply
 * @param readBytes the largest total size, in bytes, of replies that are not acknowledged
 * @param outstanding the largest number of requests without an acknowledged reply
 * @param received the number of the last request that the server has received
 * @param capabilities the names of the capabilities of the server's connector
 * @param controlBytes the longest control message in bytes
 * @param rootMark the mark of the server's folder; empty if it is not shared
 */
public record Welcome(
    long session,
    long windowBytes,
    long readBytes,
    int outstanding,
    long received,
    List<String> capabilities,
    int controlBytes,
    String rootMark) {

  /** Copies the list of capabilities. */
  public Welcome {
    capabilities = List.copyOf(capabilities);
  }

  /** {@return the control message} */
  public byte[] encode() {
    return WelcomeMessage.newBuilder()
        .setSession(session)
        .setWindowBytes(windowBytes)
        .setReadBytes(readBytes)
        .setOutstanding(outstanding)
        .setReceived(received)
        .addAllCapabilities(capabilities)
        .setControlBytes(controlBytes)
        .setRootMark(rootMark)
        .build()
        .toByteArray();
  }

  /**
   * Decodes a welcome.
   *
   * @param control the control message
   * @return the welcome
   * @throws org.hyperslab.error.CorruptFileException if the message is malformed
   */
  public static Welcome decode(byte[] control) {
    try {
      WelcomeMessage m = WelcomeMessage.parseFrom(control);
      return new Welcome(
          m.getSession(),
          m.getWindowBytes(),
          m.getReadBytes(),
          m.getOutstanding(),
          m.getReceived(),
          m.getCapabilitiesList(),
          m.getControlBytes(),
          m.getRootMark());
    } catch (InvalidProtocolBufferException e) {
      throw FrameHeader.corrupt("welcome: " + e.getMessage());
    }
  }
}
