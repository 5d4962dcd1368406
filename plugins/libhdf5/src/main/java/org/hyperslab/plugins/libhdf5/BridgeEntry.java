package org.hyperslab.plugins.libhdf5;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hyperslab.format.store.NativeFunction;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.IdSearch;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.ClassSlot;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.callback.IntrospectCallbacks;

/**
 * The entry point that the C part of the bridge calls. The pointers of its {@code H5VL_class_t} are
 * functions of the C part; those call {@link Dispatch} by JNI, and start the JVM if need be.
 *
 * <p>Upcalls of {@link java.lang.foreign.Linker} would do without these functions, but make a JVM
 * generate some fifty classes at the start of every program, which an AOT cache does not hold.
 */
final class BridgeEntry {

  private static final int CLASS_VERSION = 3;

  /** A value of the range for connectors that are not registered with The HDF Group. */
  private static final int CONNECTOR_VALUE = 506;

  private BridgeEntry() {}

  /**
   * Creates what the callbacks call; once, through JNI.
   *
   * @param libraryHandle the handle that {@code dlopen} returns for libhdf5
   * @param visitor a C function that passes an identifier to {@link Dispatch#visit}
   * @param classAddress the address of the class
   * @return what the callbacks call; null if it cannot be made, and the reason is on stderr
   */
  static Dispatch start(long libraryHandle, long visitor, long classAddress) {
    try {
      return create(new Hdf5Calls(libraryHandle), visitor, classAddress);
    } catch (Throwable failure) {
      System.err.println("hyperslab: the bridge did not start: " + failure);
      return null;
    }
  }

  /** Returns what callbacks for a library call, as {@link #start} does. */
  static Dispatch create(Hdf5Calls library, long visitor, long classAddress) {
    Bridge bridge = new Bridge(library);
    Dispatch dispatch = new Dispatch(bridge, new IdSearch(bridge, visitor));
    dispatch.introspection().classAddress(classAddress);
    NativeFunction.callBy(CFunction::callOrErrno);
    return dispatch;
  }

  /** Returns what the C part has to know of the class and its pointers, as definitions of C. */
  static String definitions() {
    String traits =
        Arrays.stream(ClassSlot.values())
            .map(slot -> Byte.toString(slot.traits()))
            .collect(Collectors.joining(","));
    return "#define HYPERSLAB_CLASS_VERSION "
        + CLASS_VERSION
        + "\n#define HYPERSLAB_CONNECTOR_VALUE "
        + CONNECTOR_VALUE
        + "\n#define HYPERSLAB_CAPABILITIES "
        + IntrospectCallbacks.flags()
        + "\n#define HYPERSLAB_TRAITS {"
        + traits
        + "}\n"
        + number(ClassSlot.INITIALIZE)
        + number(ClassSlot.TERMINATE)
        + number(ClassSlot.INFO_SIZE)
        + number(ClassSlot.INFO_COPY)
        + number(ClassSlot.FILE_SPECIFIC);
  }

  private static String number(ClassSlot slot) {
    return "#define HYPERSLAB_" + slot.name() + " " + slot.ordinal() + "\n";
  }
}
