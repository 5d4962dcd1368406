package org.hyperslab.plugins.forwarding.wire;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A message of the wire protocol.
 *
 * @param type the type of the message
 * @param flags flags whose meaning depends on the type
 * @param id the number of the request, or of the request that the message answers
 * @param acknowledged the client has received all replies below this number; in a {@link
 *     FrameType#REPLY} that answers several requests, the number of the last one
 * @param control the control message
 * @param payload raw bytes in parts; the sender must not change them until they are written
 */
@SuppressWarnings("ArrayRecordComponent") // frames are never compared
public record Frame(
    FrameType type,
    int flags,
    long id,
    long acknowledged,
    byte[] control,
    List<MemorySegment> payload) {

  /**
   * Creates a frame without flags, control message and payload.
   *
   * @param type the type
   * @param id the number
   * @return the frame
   */
  public static Frame bare(FrameType type, long id) {
    return new Frame(type, 0, id, 0, new byte[0], List.of());
  }

  /**
   * Creates a frame with a control message and no payload.
   *
   * @param type the type
   * @param id the number
   * @param control the control message
   * @return the frame
   */
  public static Frame of(FrameType type, long id, byte[] control) {
    return new Frame(type, 0, id, 0, control, List.of());
  }

  /** {@return the number of the last request that a reply answers; the first is {@link #id}} */
  public long lastAnswered() {
    return type == FrameType.REPLY ? Math.max(id, acknowledged) : id;
  }

  /** {@return whether the frame only reports that one request has been carried out} */
  boolean isBareReply() {
    return type == FrameType.REPLY && acknowledged == 0 && control.length == 0 && payload.isEmpty();
  }

  /** {@return the size of the payload in bytes} */
  public long payloadBytes() {
    long bytes = 0;
    for (int i = 0; i < payload.size(); i++) {
      bytes += payload.get(i).byteSize();
    }
    return bytes;
  }
}
