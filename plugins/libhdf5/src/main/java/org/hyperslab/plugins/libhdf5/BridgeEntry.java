package org.hyperslab.plugins.libhdf5;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;

/**
 * The entry points that the C part of the bridge calls. Creates the {@code H5VL_class_t} whose
 * functions call {@link Dispatch}.
 *
 * <p>All callbacks share two signatures, of six and of ten words, because each signature of an
 * upcall costs the JVM some ten classes at the start of the program. As in downcalls, see {@link
 * org.hyperslab.format.store.NativeFunction}, integers and pointers are passed alike, and
 * parameters that a callback does not have are ignored.
 */
final class BridgeEntry {

  private static final int FEW = 6;
  private static final int MOST = 10;
  private static final int CLASS_VERSION = 3;

  /** A value of the range for connectors that are not registered with The HDF Group. */
  private static final int CONNECTOR_VALUE = 506;

  /** Bytes that {@link #start} stores: three addresses. */
  static final int ADDRESSES_BYTES = 24;

  private static final long CLASS_BYTES = ClassSlot.FIRST_OFFSET + 8L * ClassSlot.values().length;

  private BridgeEntry() {}

  /**
   * Creates the class; called once, through JNI.
   *
   * @param libraryHandle the handle that {@code dlopen} returns for libhdf5
   * @param out receives the address of the class, then that of a function without parameters that
   *     flushes the open files at the end of the process, then that of the answers of a child
   * @return whether this succeeded; if not, the reason is on stderr
   */
  static boolean start(long libraryHandle, long out) {
    try {
      Bridge bridge = new Bridge(new Hdf5Calls(libraryHandle));
      IdSearch ids = new IdSearch(bridge);
      Dispatch dispatch = new Dispatch(bridge, ids);
      Arena forever = Arena.global();
      MemorySegment connectorClass = forever.allocate(CLASS_BYTES, 8);
      fill(connectorClass, dispatch, forever);
      dispatch.introspection().classAddress(connectorClass.address());
      ids.visitor(stub(handle(ids, "visit", FEW), FEW, forever));
      RawMemory.setLong(out, connectorClass.address());
      RawMemory.setLong(out + 8, stub(handle(new Ending(bridge), "flush", FEW), FEW, forever));
      RawMemory.setLong(out + 16, answers(forever).address());
      return true;
    } catch (Throwable failure) {
      System.err.println("hyperslab: the bridge did not start: " + failure);
      return false;
    }
  }

  /**
   * Returns a byte for each pointer of the class, and one that ends them: what the C part answers
   * in a process that forked.
   */
  private static MemorySegment answers(Arena forever) {
    ClassSlot[] slots = ClassSlot.values();
    MemorySegment answers = forever.allocate(slots.length + 1L);
    for (ClassSlot slot : slots) {
      answers.set(ValueLayout.JAVA_BYTE, slot.ordinal(), slot.answerOfChild());
    }
    answers.set(ValueLayout.JAVA_BYTE, slots.length, ClassSlot.END_OF_ANSWERS);
    return answers;
  }

  /** The work to do when the process ends. */
  private record Ending(Bridge bridge) {
    /** Flushes every file; catches all failures. The parameters are arbitrary. */
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // a method handle calls it
    long flush(long a, long b, long c, long d, long e, long f) {
      try {
        bridge.files.flushAll();
      } catch (Throwable failure) {
        System.err.println("hyperslab: at the end of the process: " + failure);
      }
      return 0;
    }
  }

  private static void fill(MemorySegment out, Dispatch dispatch, Arena forever)
      throws ReflectiveOperationException {
    MethodHandle few = handle(dispatch, "few", FEW + 1, int.class);
    MethodHandle many = handle(dispatch, "many", MOST + 1, int.class);
    out.set(ValueLayout.JAVA_INT, 0, CLASS_VERSION);
    out.set(ValueLayout.JAVA_INT, 4, CONNECTOR_VALUE);
    out.set(ValueLayout.JAVA_LONG, 8, forever.allocateFrom("hyperslab").address());
    out.set(ValueLayout.JAVA_INT, 16, 1);
    out.set(ValueLayout.JAVA_LONG, 24, IntrospectCallbacks.flags());
    for (ClassSlot slot : ClassSlot.values()) {
      if (slot.result == ClassSlot.Result.NONE) {
        continue;
      }
      boolean fits = slot.parameters <= FEW;
      MethodHandle target = MethodHandles.insertArguments(fits ? few : many, 0, slot.ordinal());
      out.set(ValueLayout.JAVA_LONG, slot.offset(), stub(target, fits ? FEW : MOST, forever));
    }
    // libhdf5 assumes that a connector without information has no configuration string either.
    out.set(ValueLayout.JAVA_LONG, ClassSlot.INFO_SIZE.offset(), 1);
  }

  private static MethodHandle handle(Object target, String name, int count, Class<?>... first)
      throws ReflectiveOperationException {
    Class<?>[] parameters = new Class<?>[count];
    java.util.Arrays.fill(parameters, long.class);
    System.arraycopy(first, 0, parameters, 0, first.length);
    return MethodHandles.lookup()
        .findVirtual(target.getClass(), name, MethodType.methodType(long.class, parameters))
        .bindTo(target);
  }

  private static long stub(MethodHandle target, int parameters, Arena forever) {
    MemoryLayout[] words =
        Collections.nCopies(parameters, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
    return Linker.nativeLinker()
        .upcallStub(target, FunctionDescriptor.of(ValueLayout.JAVA_LONG, words), forever)
        .address();
  }
}
