package org.hyperslab.plugins.libhdf5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.format.store.NativeFunction;

/**
 * The entry point that the C part of the bridge calls. Creates the {@code H5VL_class_t}, whose
 * pointers the C part sets to functions of its own; those call {@link Dispatch} by JNI.
 *
 * <p>Upcalls of {@link java.lang.foreign.Linker} would do without these functions, but make a JVM
 * generate some fifty classes at the start of every program, which an AOT cache does not hold.
 */
final class BridgeEntry {

  private static final int CLASS_VERSION = 3;

  /** A value of the range for connectors that are not registered with The HDF Group. */
  private static final int CONNECTOR_VALUE = 506;

  /** Bytes that {@link #start} stores: two addresses. */
  static final int ADDRESSES_BYTES = 16;

  private static final long CLASS_BYTES = ClassSlot.FIRST_OFFSET + 8L * ClassSlot.values().length;

  private BridgeEntry() {}

  /**
   * Creates the class; called once, through JNI.
   *
   * @param libraryHandle the handle that {@code dlopen} returns for libhdf5
   * @param visitor a C function that passes an identifier to {@link Dispatch#visit}
   * @param out receives the address of the class, then that of the traits of its pointers
   * @return what the callbacks call; null if it cannot be made, and the reason is on stderr
   */
  static Dispatch start(long libraryHandle, long visitor, long out) {
    try {
      return create(new Hdf5Calls(libraryHandle), visitor, out);
    } catch (Throwable failure) {
      System.err.println("hyperslab: the bridge did not start: " + failure);
      return null;
    }
  }

  /** Creates the class for a library, as {@link #start} does. */
  static Dispatch create(Hdf5Calls library, long visitor, long out) {
    Bridge bridge = new Bridge(library);
    Dispatch dispatch = new Dispatch(bridge, new IdSearch(bridge, visitor));
    Arena forever = Arena.global();
    MemorySegment connectorClass = forever.allocate(CLASS_BYTES, 8);
    fill(connectorClass, forever);
    dispatch.introspection().classAddress(connectorClass.address());
    NativeFunction.callBy(CFunction::callOrErrno);
    RawMemory.setLong(out, connectorClass.address());
    RawMemory.setLong(out + 8, traits(forever).address());
    return dispatch;
  }

  /** Returns a byte for each pointer of the class, and one that ends them. */
  private static MemorySegment traits(Arena forever) {
    ClassSlot[] slots = ClassSlot.values();
    MemorySegment traits = forever.allocate(slots.length + 1L);
    for (ClassSlot slot : slots) {
      traits.set(ValueLayout.JAVA_BYTE, slot.ordinal(), slot.traits());
    }
    traits.set(ValueLayout.JAVA_BYTE, slots.length, ClassSlot.END_OF_TRAITS);
    return traits;
  }

  private static void fill(MemorySegment out, Arena forever) {
    out.set(ValueLayout.JAVA_INT, 0, CLASS_VERSION);
    out.set(ValueLayout.JAVA_INT, 4, CONNECTOR_VALUE);
    out.set(ValueLayout.JAVA_LONG, 8, forever.allocateFrom("hyperslab").address());
    out.set(ValueLayout.JAVA_INT, 16, 1);
    out.set(ValueLayout.JAVA_LONG, 24, IntrospectCallbacks.flags());
    // libhdf5 assumes that a connector without information has no configuration string either.
    out.set(ValueLayout.JAVA_LONG, ClassSlot.INFO_SIZE.offset(), 1);
  }
}
