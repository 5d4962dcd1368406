package org.hyperslab.plugins.libhdf5.callback;

import java.lang.foreign.Arena;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * The callbacks on the connector's information ({@code H5VL_info_class_t}): the configuration
 * string, NUL-terminated, in memory of the C library.
 */
public final class InfoCallbacks {

  private final Bridge bridge;

  public InfoCallbacks(Bridge bridge) {
    this.bridge = bridge;
  }

  /** Answers the callback {@code info.copy} of libhdf5. */
  public long copy(long info) {
    return info == 0 ? 0 : CFunction.named("strdup").call(info);
  }

  /** Answers the callback {@code info.cmp} of libhdf5. */
  public static long compare(long result, long first, long second) {
    String a = first == 0 ? "" : RawMemory.text(first);
    String b = second == 0 ? "" : RawMemory.text(second);
    RawMemory.setInt(result, Integer.signum(a.compareTo(b)));
    return 0;
  }

  /** Answers the callback {@code info.free} of libhdf5. */
  public long free(long info) {
    CFunction.named("free").call(info);
    return 0;
  }

  /** Answers the callback {@code info.to_str} of libhdf5. */
  public long toText(long info, long text) {
    RawMemory.setLong(text, bridge.hdf5.allocateText(info == 0 ? "" : RawMemory.text(info)));
    return 0;
  }

  /**
   * Stores a configuration without checking it. An invalid one is refused when a file is opened,
   * because a library whose default connector fails during start-up continues without one and
   * crashes (HDF5 2.2).
   */
  public long fromText(long text, long info) {
    String configuration = text == 0 ? "" : RawMemory.text(text).strip();
    if (configuration.isEmpty()) {
      RawMemory.setLong(info, 0);
      return 0;
    }
    try (Arena arena = Arena.ofConfined()) {
      RawMemory.setLong(
          info, CFunction.named("strdup").call(RawMemory.name(configuration, arena).address()));
    }
    return 0;
  }
}
