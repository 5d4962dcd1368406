package org.hyperslab.plugins.forwarding.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import org.hyperslab.plugins.forwarding.wire.proto.WireMessages.TextMessage;

/** Control messages that are a text: reasons and reports. Thread rule: stateless. */
public final class FrameText {

  private static final int LONGEST = 1 << 20;

  private FrameText() {}

  /** As a control message; cut if it is very long. */
  public static byte[] encode(String text) {
    String cut = text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    return TextMessage.newBuilder().setText(cut).build().toByteArray();
  }

  /** From a control message; a CorruptFileException if it is none. */
  public static String decode(byte[] control) {
    try {
      return TextMessage.parseFrom(control).getText();
    } catch (InvalidProtocolBufferException e) {
      throw FrameHeader.corrupt("text: " + e.getMessage());
    }
  }
}
