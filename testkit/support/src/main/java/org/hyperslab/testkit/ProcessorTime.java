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

  /** Nanoseconds for which the calling thread has had a processor, from its start. */
  public static long nanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
