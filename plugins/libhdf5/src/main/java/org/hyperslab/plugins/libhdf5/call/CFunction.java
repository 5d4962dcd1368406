package org.hyperslab.plugins.libhdf5.call;

import java.nio.charset.StandardCharsets;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * A C function of at most eight words, called through the C part of the bridge by JNI. Compared
 * with {@link java.lang.foreign.Linker}, that spares the JVM the generation of classes at the start
 * of every program, which an AOT cache does not hold.
 *
 * <p>As {@link org.hyperslab.format.store.NativeFunction} explains, integers and pointers are
 * passed alike, parameters that a function does not have are ignored, and a returned {@code int} is
 * the lower half of the result.
 *
 * <p>Thread rule: any number of threads, if the function permits it.
 */
public final class CFunction {

  private final long address;

  private CFunction(long address) {
    this.address = address;
  }

  /** Returns the function at an address. */
  public static CFunction at(long address) {
    return new CFunction(address);
  }

  /**
   * Returns a function of the process by its name.
   *
   * @throws UnsupportedFeatureException if there is none
   */
  public static CFunction named(String name) {
    long address = find(0, name);
    if (address == 0) {
      throw new UnsupportedFeatureException(
          "C library: actual=no " + name + ", expected=a system with POSIX functions");
    }
    return new CFunction(address);
  }

  /**
   * Returns the address of a symbol; 0 if there is none.
   *
   * @param library the handle that {@code dlopen} returned; 0 for the whole process
   * @param name the name
   */
  public static long find(long library, String name) {
    return symbol(library, (name + '\0').getBytes(StandardCharsets.UTF_8));
  }

  /** Calls a function of C with words as its arguments. */
  public long call(long a) {
    return call(address, a, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Calls a function of C with words as its arguments. */
  public long call(long a, long b) {
    return call(address, a, b, 0, 0, 0, 0, 0, 0);
  }

  /** Calls a function of C with words as its arguments. */
  public long call(long a, long b, long c) {
    return call(address, a, b, c, 0, 0, 0, 0, 0);
  }

  /** Calls a function of C with words as its arguments. */
  public long call(long a, long b, long c, long d) {
    return call(address, a, b, c, d, 0, 0, 0, 0);
  }

  /** Calls a function of C with words as its arguments. */
  public long call(long a, long b, long c, long d, long e) {
    return call(address, a, b, c, d, e, 0, 0, 0);
  }

  /** Calls a function of C with words as its arguments. */
  public long call(long a, long b, long c, long d, long e, long f) {
    return call(address, a, b, c, d, e, f, 0, 0);
  }

  /**
   * Calls a function of the process by its name.
   *
   * @return the int that it returns, or, if that is -1, the negated errno
   */
  public static int callOrErrno(String name, long first, long second) {
    return errnoCall(named(name).address, first, second);
  }

  /** Calls a function, and reads errno; bound by {@code hyperslab-bridge.c}. */
  private static native int errnoCall(long function, long first, long second);

  /** Calls the function at an address; bound by {@code hyperslab-bridge.c}. */
  public static native long call(
      long function, long a, long b, long c, long d, long e, long f, long g, long h);

  /**
   * Calls a function that stores up to 32 words at each of two addresses, which are its second and
   * third parameter; bound by {@code hyperslab-bridge.c}.
   *
   * @param function the address of the function
   * @param id its first parameter
   * @param words receives 32 words of the one address, then those of the other
   * @return what the function returns
   */
  static native int fill(long function, long id, long[] words);

  /**
   * Copies the NUL-terminated text at an address, or as much of it as there is room for; bound by
   * {@code hyperslab-bridge.c}.
   *
   * @param most the most bytes that are searched for the terminator
   * @return the length of the text, or {@code most} if it has no terminator
   */
  static native int text(long address, int most, byte[] room);

  /** Looks a NUL-terminated name up by {@code dlsym}; bound by {@code hyperslab-bridge.c}. */
  private static native long symbol(long library, byte[] name);
}
