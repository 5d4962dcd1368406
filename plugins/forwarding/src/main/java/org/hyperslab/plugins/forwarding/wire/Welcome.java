package org.hyperslab.plugins.forwarding.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import org.hyperslab.plugins.forwarding.wire.proto.WireMessages.WelcomeMessage;

/**
 * What a server grants.
 *
 * @param session the session's number, to go on with after a broken connection
 * @param windowBytes bytes of payload of requests without a reply, at most
 * @param readBytes bytes of replies that are not acknowledged, at most
 * @param outstanding requests without an acknowledged reply, at most
 * @param received the number of the last request that the server has
 * @param capabilities the names of what its connector can do
 * @param controlBytes the longest control message
 * @param rootMark tells its folder from those of other servers; empty if unknown
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

  /** Copies the list. */
  public Welcome {
    capabilities = List.copyOf(capabilities);
  }

  /** As a control message. */
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

  /** From a control message; a CorruptFileException if it is none. */
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
