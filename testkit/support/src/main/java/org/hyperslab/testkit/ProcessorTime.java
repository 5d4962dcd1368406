package org.hyperslab.testkit;

import java.lang.management.ManagementFactory;

/**
 * How much a thread has worked. A test that bounds work asks this, not the clock on the wall, for a
 * machine with more to do than it has processors keeps threads waiting for as long as it likes.
 *
 * <p>Thread rule: any thread.
 */
public final class ProcessorTime {

  private ProcessorTime() {}

  /**
   * {@return the processor time that the calling thread has used since it started, in nanoseconds}
   */
  public static long nanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
