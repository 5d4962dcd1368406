package org.hyperslab.plugins.libhdf5.callback;

import java.util.Set;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connectors;

/** Reports the connector's capabilities ({@code H5VL_introspect_class_t}). */
public final class IntrospectCallbacks {

  private static final int ATTRIBUTES = 3;
  private static final int DATASETS = 4;
  private static final int FILES = 6;
  private static final int GROUPS = 7;
  private static final int OBJECTS = 9;
  private static final long SUPPORTED = 1;

  /**
   * The {@code H5VL_CAP_FLAG_} capabilities that every connector has: all except maps and
   * asynchronous operations.
   */
  private static final long ALWAYS = everyFlag();

  private static final int ASYNC = 1;
  private static final int NATIVE_FILES = 2;
  private static final int MAP_BASIC = 13;
  private static final int MAP_MORE = 14;
  private static final int LAST = 36;

  private final Bridge bridge;
  private long classAddress;

  public IntrospectCallbacks(Bridge bridge) {
    this.bridge = bridge;
  }

  private static long everyFlag() {
    long flags = 0;
    for (int bit = 0; bit <= LAST; bit++) {
      if (Set.of(ASYNC, MAP_BASIC, MAP_MORE).contains(bit)) {
        continue;
      }
      flags |= 1L << bit;
    }
    return flags & ~(1L << NATIVE_FILES);
  }

  /** Returns the flags of the class, for use before a configuration is known. */
  public static long flags() {
    return ALWAYS;
  }

  /** Sets the address of the class of the connector. */
  public void classAddress(long address) {
    classAddress = address;
  }

  /** Answers the callback {@code introspect.connectorClass} of libhdf5. */
  public long connectorClass(long out) {
    RawMemory.setLong(out, classAddress);
    return 0;
  }

  /** Returns what the connector can do, as flags of libhdf5. */
  public long capabilities(long info, long out) {
    String configuration = info == 0 ? "" : RawMemory.text(info);
    if (configuration.isEmpty()) {
      configuration = Connectors.defaultConfiguration();
    }
    RawMemory.setLong(out, ALWAYS | (asynchronous(configuration) ? 1L << ASYNC : 0));
    return 0;
  }

  /**
   * Returns whether a connector is asynchronous. If the connector cannot be created, the reason is
   * reported when it is used.
   */
  private boolean asynchronous(String configuration) {
    try {
      return bridge.files.connector(configuration).capabilities().contains(Capability.ASYNCHRONOUS);
    } catch (HyperslabException unusable) {
      return false;
    }
  }

  /** Answers the callback {@code introspect.optional} of libhdf5. */
  public static long optional(int group, int operation, long out) {
    boolean has =
        switch (group) {
          case ATTRIBUTES -> AttributeCallbacks.hasOptional(operation);
          case DATASETS -> DatasetOptionalCallbacks.has(operation);
          case GROUPS -> GroupOptionalCallbacks.has(operation);
          case FILES -> FileOptionalCallbacks.has(operation);
          case OBJECTS ->
              operation == ObjectCallbacks.GET_COMMENT
                  || operation == ObjectCallbacks.SET_COMMENT
                  || operation == ObjectCallbacks.GET_NATIVE_INFO;
          default -> false;
        };
    RawMemory.setLong(out, has ? SUPPORTED : 0);
    return 0;
  }
}
