package org.hyperslab.plugins.libhdf5.callback;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/** The callbacks on tokens ({@code H5VL_token_class_t}). A token holds an object's address. */
public final class TokenCallbacks {

  private final Bridge bridge;

  public TokenCallbacks(Bridge bridge) {
    this.bridge = bridge;
  }

  /** Answers the callback {@code token.cmp} of libhdf5. */
  public static long compare(long first, long second, long result) {
    RawMemory.setInt(
        result, Long.compareUnsigned(RawMemory.getLong(first), RawMemory.getLong(second)));
    return 0;
  }

  /** Answers the callback {@code token.to_str} of libhdf5. */
  public long toText(long token, long text) {
    RawMemory.setLong(
        text, bridge.hdf5.allocateText(Long.toUnsignedString(RawMemory.getLong(token))));
    return 0;
  }

  /** Answers the callback {@code token.from_str} of libhdf5. */
  public static long fromText(long text, long token) {
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
