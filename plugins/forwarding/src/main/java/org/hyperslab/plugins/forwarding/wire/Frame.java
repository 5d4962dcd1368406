package org.hyperslab.plugins.forwarding.wire;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One message.
 *
 * @param type what it is
 * @param flags what a type makes of them
 * @param id the number of the request that it is or answers
 * @param acknowledged the client has all replies below this number; of a {@link FrameType#REPLY},
 *     the last of the requests that it answers, if it answers more than one
 * @param control the control message
 * @param payload raw bytes, one part behind the other; whoever sends them keeps them unchanged
 *     until they are written
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record Frame(
    FrameType type,
    int flags,
    long id,
    long acknowledged,
    byte[] control,
    List<MemorySegment> payload) {

  /** Nothing beside the type and a number. */
  public static Frame bare(FrameType type, long id) {
    return new Frame(type, 0, id, 0, new byte[0], List.of());
  }

  /** A type, a number and a control message. */
  public static Frame of(FrameType type, long id, byte[] control) {
    return new Frame(type, 0, id, 0, control, List.of());
  }

  /** The last request that a reply answers; it answers all from {@link #id} to this one alike. */
  public long lastAnswered() {
    return type == FrameType.REPLY ? Math.max(id, acknowledged) : id;
  }

  /** Whether it says no more than that one request has been carried out. */
  boolean isBareReply() {
    return type == FrameType.REPLY && acknowledged == 0 && control.length == 0 && payload.isEmpty();
  }

  /** Bytes of all parts of the payload. */
  public long payloadBytes() {
    long bytes = 0;
    for (int i = 0; i < payload.size(); i++) {
      bytes += payload.get(i).byteSize();
    }
    return bytes;
  }
}
