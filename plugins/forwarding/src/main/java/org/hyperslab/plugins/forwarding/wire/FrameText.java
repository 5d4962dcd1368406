package org.hyperslab.plugins.forwarding.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import org.hyperslab.plugins.forwarding.wire.proto.WireMessages.TextMessage;

/**
 * Encodes and decodes control messages that consist of text, such as reasons and reports.
 *
 * <p>Thread rule: stateless.
 */
public final class FrameText {

  private static final int MAX_CHARACTERS = 1 << 20;

  private FrameText() {}

  /**
   * Encodes a text.
   *
   * @param text the text, which is shortened if it has more than 2<sup>20</sup> characters
   * @return the control message
   */
  public static byte[] encode(String text) {
    String cut = text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS);
    return TextMessage.newBuilder().setText(cut).build().toByteArray();
  }

  /**
   * Decodes a text.
   *
   * @param control the control message
   * @return the text
   * @throws org.hyperslab.error.CorruptFileException if the message is malformed
   */
  public static String decode(byte[] control) {
    try {
      return TextMessage.parseFrom(control).getText();
    } catch (InvalidProtocolBufferException e) {
      throw FrameHeader.corrupt("text: " + e.getMessage());
    }
  }
}
