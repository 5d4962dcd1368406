package org.hyperslab.mpiio.waiting;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

  /** Of {@code syscall}: its number, the thread, the attributes, and up to two numbers. */
  private static final int PARAMETERS = 5;

  /** The layout of {@code struct sched_attr}, version 0. */
  private static final long BYTES = 48;

  private static final long POLICY = 4;
  private static final long RUNTIME = 24;

  /** The policies of threads that share a core: {@code SCHED_OTHER} and {@code SCHED_BATCH}. */
  private static final int OTHER = 0;

  private static final int BATCH = 3;

  /** The calling thread, where the kernel expects a thread. */
  private static final MemorySegment SELF = value(0);

  private TimeSlice() {}

  /**
   * Requests a slice for the calling thread. Has no effect if the system has no such slices, or the
   * thread is scheduled in real time.
   *
   * @param nanos the length in nanoseconds
   */
  static void request(long nanos) {
    long set = System.getProperty("os.name").equals("Linux") ? setNumber() : 0;
    if (set != 0) {
      try {
        NativeFunction.ofCLibrary("syscall", PARAMETERS)
            .ifPresent(syscall -> request(syscall, set, nanos));
      } catch (UnsupportedFeatureException denied) {
        // The JVM allows no native calls.
      }
    }
  }

  private static void request(NativeFunction syscall, long set, long nanos) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(BYTES, Long.BYTES);
      MemorySegment none = MemorySegment.NULL;
      if (syscall.call(value(set + 1), SELF, attributes, value(BYTES), none) == 0
          && shares(attributes.get(JAVA_INT, POLICY))) {
        attributes.set(JAVA_LONG, RUNTIME, nanos);
        syscall.call(value(set), SELF, attributes, none, none);
      }
    }
  }

  private static boolean shares(int policy) {
    return policy == OTHER || policy == BATCH;
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
}
