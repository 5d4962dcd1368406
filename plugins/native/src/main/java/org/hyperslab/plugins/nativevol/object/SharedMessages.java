package org.hyperslab.plugins.nativevol.object;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.Message;

/** Finds messages in a file's heap of shared messages. */
@FunctionalInterface
interface SharedMessages {

  /**
   * The message that an id names.
   *
   * @param typeCode the type of message expected
   * @param heapId the eight bytes of the fractal heap id, little-endian
   */
  Message find(int typeCode, long heapId);

  /** For a file without such a heap. */
  static SharedMessages none(String file) {
    return (typeCode, heapId) -> {
      throw new CorruptFileException(
          file,
          "shared message",
          CorruptFileException.NO_OFFSET,
          "heap of shared messages actual=none, expected=one");
    };
  }
}
