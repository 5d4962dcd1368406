package org.hyperslab.plugins.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An encoded operation, result or error.
 *
 * @param control the message, without the elements
 * @param payload the elements, part after part, not copied where they are contiguous in memory: the
 *     sender must have finished before the memory changes
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record EncodedMessage(byte[] control, List<MemorySegment> payload) {

  /** Copies the list, not its segments. */
  public EncodedMessage {
    payload = List.copyOf(payload);
  }

  /**
   * {@return a message without payload}
   *
   * @param control the message
   */
  public static EncodedMessage of(byte[] control) {
    return new EncodedMessage(control, List.of());
  }

  /** {@return the number of bytes of all parts of the payload} */
  public long payloadBytes() {
    long bytes = 0;
    for (MemorySegment part : payload) {
      bytes += part.byteSize();
    }
    return bytes;
  }
}
