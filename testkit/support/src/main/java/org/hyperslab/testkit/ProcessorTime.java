package org.hyperslab.testkit;

import java.lang.management.ManagementFactory;

/**
 * Measures the processor time of a thread. A test that bounds work uses this and not wall-clock
 * time, because a busy machine may keep threads waiting for any time.
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
