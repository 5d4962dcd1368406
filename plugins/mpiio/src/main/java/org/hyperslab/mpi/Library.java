package org.hyperslab.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * An MPI library that has been opened: its functions, its constants, its errors.
 *
 * <p>Functions are linked when first called; one that the library lacks is an error then and not
 * before. Every handle is a long here, whatever the library's own width.
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
  private final AtomicReferenceArray<MethodHandle> handles =
      new AtomicReferenceArray<>(Call.values().length);
  private final Buffers buffers = new Buffers();
  private volatile int worldRank = MpiException.NO_RANK;
  private volatile boolean finished;

  /** A call once its function is linked: gives the arguments, returns MPI's error code. */
  @FunctionalInterface
  interface Invocation {
    int with(MethodHandle function) throws Throwable;
  }

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
    MemorySegment address = loader.find(library, handle.symbol());
    // Absent ones are only an error if they are used: no object lies at address 0.
    return address == null ? 0 : address.address();
  }

  String name() {
    return name;
  }

  Abi abi() {
    return abi;
  }

  Buffers buffers() {
    return buffers;
  }

  /** The rank that errors are reported with. */
  int worldRank() {
    return worldRank;
  }

  void setWorldRank(int rank) {
    worldRank = rank;
  }

  /** From now on every call is refused. */
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

  /** A constant that stands where a pointer is expected. */
  MemorySegment pointer(Constant constant) {
    return MemorySegment.ofAddress(constant.in(abi));
  }

  /** Whether the library has the function. */
  boolean has(Call call) {
    return handles.get(call.ordinal()) != null || loader.find(library, call.symbol()) != null;
  }

  /**
   * Calls a function.
   *
   * @throws MpiException if it returns an error code
   * @throws UnsupportedFeatureException if the library lacks the function
   * @throws InvalidUseException if MPI has been finalised
   */
  void call(Call call, Invocation invocation) {
    int code = code(call, invocation);
    if (code != 0) {
      throw failed(call, code);
    }
  }

  /** As {@link #call}, leaving the error code to the caller. */
  int code(Call call, Invocation invocation) {
    if (finished) {
      throw new InvalidUseException(
          call.symbol() + ": actual=MPI has been finalised, expected=a call before that");
    }
    try {
      return invocation.with(function(call));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new MpiException(call.symbol(), worldRank, MpiException.NO_CODE, e.toString(), e);
    }
  }

  private MethodHandle function(Call call) {
    MethodHandle handle = handles.get(call.ordinal());
    if (handle == null) {
      handle = link(call);
      handles.set(call.ordinal(), handle);
    }
    return handle;
  }

  private MethodHandle link(Call call) {
    MemorySegment address = loader.find(library, call.symbol());
    if (address == null) {
      throw new UnsupportedFeatureException(
          call.symbol()
              + ": actual=no such function in "
              + name
              + ", expected=a newer MPI library");
    }
    MethodHandle handle = Linker.nativeLinker().downcallHandle(address, call.descriptor(abi));
    return MethodHandles.explicitCastArguments(handle, call.type());
  }

  /** What an error code means, as an exception. */
  MpiException failed(Call call, int code) {
    return new MpiException(call.symbol(), worldRank, code, errorText(code));
  }

  private String errorText(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_BYTES);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      int problem = code(Call.ERROR_STRING, f -> (int) f.invokeExact(code, text, length));
      return problem == 0 ? text.getString(0) : "an error without a text";
    }
  }

  /** Bytes of a handle in memory. */
  int handleBytes() {
    return abi.handleBytes();
  }

  /** Reads a handle from where a function put it. */
  long handleAt(MemorySegment place, long index) {
    return abi.handleBytes() == 4
        ? place.getAtIndex(ValueLayout.JAVA_INT, index)
        : place.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  /** Puts a handle where a function looks for it. */
  void putHandle(MemorySegment place, long index, long handle) {
    if (abi.handleBytes() == 4) {
      place.setAtIndex(ValueLayout.JAVA_INT, index, (int) handle);
    } else {
      place.setAtIndex(ValueLayout.JAVA_LONG, index, handle);
    }
  }

  /** A call whose last argument is where it puts a handle. */
  long newHandle(Call call, HandleMaker maker) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      call(call, f -> maker.with(f, place));
      return handleAt(place, 0);
    }
  }

  /** A call that puts a handle at a place. */
  @FunctionalInterface
  interface HandleMaker {
    int with(MethodHandle function, MemorySegment place) throws Throwable;
  }

  /** A call whose last argument is where it puts an int. */
  int anInt(Call call, HandleMaker maker) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_INT);
      call(call, f -> maker.with(f, place));
      return place.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /** A call whose last argument is where it puts a number of 8 bytes. */
  long aLong(Call call, HandleMaker maker) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      call(call, f -> maker.with(f, place));
      return place.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** A call that frees the handle at a place, such as MPI_Comm_free. */
  void free(Call call, long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      putHandle(place, 0, handle);
      call(call, f -> (int) f.invokeExact(place));
    }
  }

  /** A call that writes a text and its length. */
  String text(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(8 * TEXT_BYTES);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      call(call, f -> (int) f.invokeExact(text, length));
      return text.getString(0).strip();
    }
  }

  /** A place for a status. */
  MemorySegment newStatus(Arena arena) {
    return arena.allocate(abi.statusBytes(), 8);
  }

  /** What a status says. */
  MpiStatus status(MemorySegment status) {
    int source = status.get(ValueLayout.JAVA_INT, abi.sourceOffset());
    int tag = status.get(ValueLayout.JAVA_INT, abi.sourceOffset() + 4L);
    return new MpiStatus(Math.max(source, -1), Math.max(tag, -1), bytes(status));
  }

  /** Bytes that were moved. */
  long bytes(MemorySegment status) {
    long byteType = handle(Predefined.BYTE);
    Call call = has(Call.GET_ELEMENTS_X) ? Call.GET_ELEMENTS_X : Call.GET_ELEMENTS_C;
    return aLong(call, (f, place) -> (int) f.invokeExact(status, byteType, place));
  }
}
