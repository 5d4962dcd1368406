package org.hyperslab.plugins.libhdf5;

import org.hyperslab.error.InvalidUseException;

/** The callbacks on tokens ({@code H5VL_token_class_t}). A token holds an object's address. */
final class TokenCallbacks {

  private final Bridge bridge;

  TokenCallbacks(Bridge bridge) {
    this.bridge = bridge;
  }

  static long compare(long first, long second, long result) {
    RawMemory.setInt(
        result, Long.compareUnsigned(RawMemory.getLong(first), RawMemory.getLong(second)));
    return 0;
  }

  long toText(long token, long text) {
    RawMemory.setLong(
        text, bridge.hdf5.allocateText(Long.toUnsignedString(RawMemory.getLong(token))));
    return 0;
  }

  static long fromText(long text, long token) {
    try {
      RawMemory.setLong(token, Long.parseUnsignedLong(RawMemory.text(text)));
      RawMemory.setLong(token + 8, 0);
    } catch (NumberFormatException e) {
      throw new InvalidUseException(
          "token: actual=" + RawMemory.text(text) + ", expected=a decimal number", e);
    }
    return 0;
  }
}
