package org.hyperslab.mpiio.comm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.NativeFunction;

/**
 * The time for which the system lets a thread run before it considers another of equal priority. It
 * changes neither the share of a thread nor its priority.
 *
 * <p>Source: Linux's {@code sched_setattr(2)}; {@code sched_runtime} is the slice of a normal
 * thread since version 6.12, which limits it to 0.1 to 100 ms. Earlier versions ignore it.
 *
 * <p>Thread rule: any thread; concerns the calling thread, and those that it starts later.
 */
final class TimeSlice {

  private static final int PARAMETERS = 5;

  /** The layout of {@code struct sched_attr}, version 0. */
  private static final long BYTES = 48;

  private static final long POLICY = 4;
  private static final long RUNTIME = 24;

  /** The policies of threads that share a core: {@code SCHED_OTHER} and {@code SCHED_BATCH}. */
  private static final int OTHER = 0;

  private static final int BATCH = 3;

  private TimeSlice() {}

  /**
   * Requests a slice for the calling thread. Has no effect if the system has no such slices, or the
   * thread is scheduled in real time.
   *
   * @param nanos the length in nanoseconds
   */
  static void request(long nanos) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(BYTES);
      if (read(attributes) && shares(attributes.get(JAVA_INT, POLICY))) {
        attributes.set(JAVA_LONG_UNALIGNED, RUNTIME, nanos);
        call(value(setNumber()), value(0), attributes, value(0), value(0));
      }
    }
  }

  /** {@return the slice of the calling thread in nanoseconds; 0 if the system has none} */
  static long current() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(BYTES);
      return read(attributes) && shares(attributes.get(JAVA_INT, POLICY))
          ? attributes.get(JAVA_LONG_UNALIGNED, RUNTIME)
          : 0;
    }
  }

  private static boolean shares(int policy) {
    return policy == OTHER || policy == BATCH;
  }

  /** Reads the attributes of the calling thread; returns whether that was possible. */
  private static boolean read(MemorySegment attributes) {
    long get = setNumber() + 1;
    return get > 1
        && System.getProperty("os.name").equals("Linux")
        && call(value(get), value(0), attributes, value(BYTES), value(0)) == 0;
  }

  /**
   * Returns the number of {@code sched_setattr}, which that of {@code sched_getattr} follows; 0 for
   * an unknown architecture.
   */
  private static long setNumber() {
    return switch (System.getProperty("os.arch")) {
      case "amd64" -> 314;
      case "aarch64" -> 274;
      default -> 0;
    };
  }

  private static long call(MemorySegment... arguments) {
    try {
      Optional<NativeFunction> syscall = NativeFunction.ofCLibrary("syscall", PARAMETERS);
      return syscall.map(function -> function.call(arguments)).orElse(-1L);
    } catch (UnsupportedFeatureException denied) {
      return -1; // the JVM allows no native calls
    }
  }
}
