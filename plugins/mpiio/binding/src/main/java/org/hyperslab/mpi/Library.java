package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.NativeFunction;

/**
 * An open MPI library: its functions, constants and errors.
 *
 * <p>A function is linked when it is first called; only then is a function that the library lacks
 * an error. Every handle is a long here, whatever its width in the library.
 *
 * <p>Thread rule: safe for use by all threads that MPI's thread level allows.
 */
final class Library {

  /** Long enough for MPI_Error_string and MPI_Get_processor_name of every library. */
  private static final int TEXT_BYTES = 1024;

  private final Loader loader;
  private final MemorySegment library;
  private final String name;
  private final Abi abi;
  private final Map<Predefined, Long> predefined = new EnumMap<>(Predefined.class);
  private final AtomicReferenceArray<NativeFunction> functions =
      new AtomicReferenceArray<>(Call.values().length);
  private final HeapStaging buffers = new HeapStaging();
  private final Set<Object> startedFileTransfers = ConcurrentHashMap.newKeySet();
  private volatile int worldRank = MpiException.NO_RANK;
  private volatile boolean finished;

  Library(Loader loader, MemorySegment library, String name, Abi abi) {
    this.loader = loader;
    this.library = library;
    this.name = name;
    this.abi = abi;
    for (Predefined handle : Predefined.values()) {
      predefined.put(handle, resolve(handle));
    }
  }

  private long resolve(Predefined handle) {
    if (abi != Abi.OPEN_MPI) {
      return handle.number(abi);
    }
    MemorySegment address = loader.findInProcess(handle.symbol());
    if (address == null) {
      address = loader.find(library, handle.symbol());
    }
    // An absent symbol is an error only if it is used: no object lies at address 0.
    return address == null ? 0 : address.address();
  }

  String name() {
    return name;
  }

  Abi abi() {
    return abi;
  }

  HeapStaging buffers() {
    return buffers;
  }

  /**
   * Returns the requests and split transfers of files that nobody has tested or awaited to their
   * end. They are kept here even if their callers forget them, for MPI may still use their memory.
   */
  Set<Object> startedFileTransfers() {
    return startedFileTransfers;
  }

  /** Returns the rank that errors are reported with. */
  int worldRank() {
    return worldRank;
  }

  void setWorldRank(int rank) {
    worldRank = rank;
  }

  /** Refuses every call from now on. */
  void finish() {
    finished = true;
  }

  boolean isFinished() {
    return finished;
  }

  int constant(Constant constant) {
    return constant.in(abi);
  }

  long handle(Predefined handle) {
    return predefined.get(handle);
  }

  /** Returns a constant as a pointer, for parameters that expect one. */
  MemorySegment pointer(Constant constant) {
    return MemorySegment.ofAddress(constant.in(abi));
  }

  /** Returns whether the library has the function. */
  boolean has(Call call) {
    return functions.get(call.ordinal()) != null || loader.find(library, call.symbol()) != null;
  }

  /**
   * Calls a function.
   *
   * @param arguments as {@link NativeFunction#call} takes them
   * @throws MpiException if it returns an error code
   * @throws UnsupportedFeatureException if the library lacks the function
   * @throws InvalidUseException if MPI has been finalised
   */
  void call(Call call, MemorySegment... arguments) {
    int code = code(call, arguments);
    if (code != 0) {
      throw failed(call, code);
    }
  }

  /** Calls a function as {@link #call} does but returns the error code instead of throwing. */
  int code(Call call, MemorySegment... arguments) {
    if (finished) {
      throw new InvalidUseException(
          call.symbol() + ": actual=MPI has been finalised, expected=a call before that");
    }
    return (int) function(call).call(arguments);
  }

  private NativeFunction function(Call call) {
    NativeFunction function = functions.get(call.ordinal());
    if (function == null) {
      function = link(call);
      functions.set(call.ordinal(), function);
    }
    return function;
  }

  private NativeFunction link(Call call) {
    MemorySegment address = loader.find(library, call.symbol());
    if (address == null) {
      throw new UnsupportedFeatureException(
          call.symbol()
              + ": actual=no such function in "
              + name
              + ", expected=a newer MPI library");
    }
    return NativeFunction.at(address, call.parameters());
  }

  /** Returns the exception for an error code. */
  MpiException failed(Call call, int code) {
    return new MpiException(call.symbol(), worldRank, code, errorText(code));
  }

  private String errorText(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_BYTES);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      int problem = code(Call.ERROR_STRING, value(code), text, length);
      return problem == 0 ? text.getString(0) : "no error text";
    }
  }

  /** Returns the number of bytes of a handle in memory. */
  int handleBytes() {
    return abi.handleBytes();
  }

  /** Reads the handle that a function stored as element {@code index} of {@code place}. */
  long handleAt(MemorySegment place, long index) {
    return abi.handleBytes() == 4
        ? place.getAtIndex(ValueLayout.JAVA_INT, index)
        : place.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  /** Stores a handle as element {@code index} of {@code place}, where a function reads it. */
  void putHandle(MemorySegment place, long index, long handle) {
    if (abi.handleBytes() == 4) {
      place.setAtIndex(ValueLayout.JAVA_INT, index, (int) handle);
    } else {
      place.setAtIndex(ValueLayout.JAVA_LONG, index, handle);
    }
  }

  /** Calls a function with one more argument, a pointer to a handle, and returns the handle. */
  long newHandle(Call call, MemorySegment... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      return handleAt(given(call, arguments, arena.allocate(ValueLayout.JAVA_LONG)), 0);
    }
  }

  /** Calls a function with one more argument, a pointer to an int, and returns the int. */
  int anInt(Call call, MemorySegment... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      return given(call, arguments, arena.allocate(ValueLayout.JAVA_INT))
          .get(ValueLayout.JAVA_INT, 0);
    }
  }

  /**
   * Calls a function with one more argument, a pointer to an 8-byte integer, and returns the
   * integer.
   */
  long aLong(Call call, MemorySegment... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      return given(call, arguments, arena.allocate(ValueLayout.JAVA_LONG))
          .get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** Calls a function with {@code place} as one more argument and returns {@code place}. */
  private MemorySegment given(Call call, MemorySegment[] arguments, MemorySegment place) {
    MemorySegment[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = place;
    call(call, all);
    return place;
  }

  /**
   * Calls a function that takes a pointer to a handle and frees the handle, such as MPI_Comm_free.
   */
  void free(Call call, long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      putHandle(place, 0, handle);
      call(call, place);
    }
  }

  /** Calls a function that writes a text and its length, and returns the text. */
  String text(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(8 * TEXT_BYTES);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      call(call, text, length);
      return text.getString(0).strip();
    }
  }

  /** Allocates a status. */
  MemorySegment newStatus(Arena arena) {
    return arena.allocate(abi.statusBytes(), 8);
  }

  /** Reads a status. */
  MpiStatus status(MemorySegment status) {
    int source = status.get(ValueLayout.JAVA_INT, abi.sourceOffset());
    int tag = status.get(ValueLayout.JAVA_INT, abi.sourceOffset() + 4L);
    return new MpiStatus(Math.max(source, -1), Math.max(tag, -1), bytes(status));
  }

  /** Returns the number of bytes that were moved. */
  long bytes(MemorySegment status) {
    long byteType = handle(Predefined.BYTE);
    Call call = has(Call.GET_ELEMENTS_X) ? Call.GET_ELEMENTS_X : Call.GET_ELEMENTS_C;
    return aLong(call, status, value(byteType));
  }
}
