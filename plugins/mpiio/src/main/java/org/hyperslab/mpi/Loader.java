package org.hyperslab.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.hyperslab.error.MpiException;

/**
 * The C library's dlopen, dlsym and setenv. MPI libraries must be opened by these and not by
 * SymbolLookup: Open MPI loads its components while it starts, and they look for the library's
 * symbols in the global scope.
 */
final class Loader {

  private static final int RTLD_NOW = 2;
  private static final int RTLD_GLOBAL = 0x100;

  private final MethodHandle open;
  private final MethodHandle symbol;
  private final MethodHandle error;
  private final MethodHandle setenv;

  Loader() {
    open = link("dlopen", ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    symbol = link("dlsym", ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    error = link("dlerror", ValueLayout.ADDRESS);
    setenv =
        link(
            "setenv",
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT);
  }

  private static MethodHandle link(String name, ValueLayout result, ValueLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    MemorySegment address =
        linker
            .defaultLookup()
            .find(name)
            .orElseThrow(() ->
                new MpiException(
                    "start",
                    MpiException.NO_RANK,
                    MpiException.NO_CODE,
                    "the C library has no " + name + ": MPI needs a Unix system"));
    return linker.downcallHandle(address, FunctionDescriptor.of(result, parameters));
  }

  /** A library's handle, or null, whose reason is what {@link #problem} says next. */
  MemorySegment open(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment library =
          (MemorySegment) open.invokeExact(arena.allocateFrom(name), RTLD_NOW | RTLD_GLOBAL);
      return library.address() == 0 ? null : library;
    } catch (Throwable e) {
      throw failed("dlopen", e);
    }
  }

  /** The address of a symbol, or null. */
  MemorySegment find(MemorySegment library, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = (MemorySegment) symbol.invokeExact(library, arena.allocateFrom(name));
      return address.address() == 0 ? null : address;
    } catch (Throwable e) {
      throw failed("dlsym", e);
    }
  }

  /** Why the last call failed. */
  String problem() {
    try {
      MemorySegment text = (MemorySegment) error.invokeExact();
      return text.address() == 0
          ? "no reason given"
          : text.reinterpret(Integer.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw failed("dlerror", e);
    }
  }

  /** Sets an environment variable of the C library unless it is set; Java's copy stays as it is. */
  void setUnlessSet(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      int unused = (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 0);
    } catch (Throwable e) {
      throw failed("setenv", e);
    }
  }

  private static MpiException failed(String call, Throwable cause) {
    return new MpiException(
        call, MpiException.NO_RANK, MpiException.NO_CODE, cause.toString(), cause);
  }
}
