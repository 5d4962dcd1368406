package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.store.NativeFunction;

/**
 * Calls the C library's dlopen, dlsym and setenv. MPI libraries must be opened with dlopen and not
 * with SymbolLookup: Open MPI loads its components while it starts, and they look for the library's
 * symbols in the global scope.
 */
final class Loader {

  private static final int RTLD_NOW = 2;
  private static final int RTLD_NOLOAD = 4;
  private static final int RTLD_GLOBAL = 0x100;

  private final NativeFunction open = function("dlopen", 2);
  private final NativeFunction symbol = function("dlsym", 2);
  private final NativeFunction error = function("dlerror", 0);
  private final NativeFunction setenv = function("setenv", 3);

  private static NativeFunction function(String name, int parameters) {
    return NativeFunction.ofCLibrary(name, parameters)
        .orElseThrow(() ->
            new MpiException(
                "start",
                MpiException.NO_RANK,
                MpiException.NO_CODE,
                "the C library has no " + name + ": MPI needs a Unix system"));
  }

  /**
   * Opens a library and returns its handle; null on failure, whose reason {@link #problem} returns.
   */
  MemorySegment open(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return orNull(open.call(arena.allocateFrom(name), value(RTLD_NOW | RTLD_GLOBAL)));
    }
  }

  /** Opens a library that this process has loaded already; null if it has not. */
  MemorySegment openLoaded(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return orNull(
          open.call(arena.allocateFrom(name), value(RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD)));
    }
  }

  /** Returns the address of a symbol, or null. */
  MemorySegment find(MemorySegment library, String name) {
    try (Arena arena = Arena.ofConfined()) {
      return orNull(symbol.call(library, arena.allocateFrom(name)));
    }
  }

  /**
   * Returns the address that the whole process uses for a symbol, or null. An executable that was
   * compiled against a library may have copies of its variables, which the library uses too (copy
   * relocations).
   */
  MemorySegment findInProcess(String name) {
    return find(MemorySegment.NULL, name);
  }

  private static MemorySegment orNull(long address) {
    return address == 0 ? null : MemorySegment.ofAddress(address);
  }

  /** Returns the reason why the last call failed. */
  String problem() {
    MemorySegment text = orNull(error.call());
    return text == null ? "no reason given" : text.reinterpret(Integer.MAX_VALUE).getString(0);
  }

  /**
   * Sets an environment variable of the C library unless it is set; Java's copy does not change.
   */
  void setUnlessSet(String name, String text) {
    try (Arena arena = Arena.ofConfined()) {
      long unused = setenv.call(arena.allocateFrom(name), arena.allocateFrom(text), value(0));
    }
  }
}
