package org.hyperslab.benchmarks.parallel;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.comm.Worlds;

/**
 * Measures the meeting before a collective call: its time and the heap memory that it allocates on
 * a rank. Ranks are those of {@code mpirun}, or a given number of threads.
 */
final class MeetingCost {

  private static final int ROUNDS = 9;
  private static final long LIMIT_NANOS = 60_000_000_000L;

  private MeetingCost() {}

  /**
   * Prints the median time of a meeting and the bytes that it allocates on rank 0.
   *
   * @param arguments the meetings of a round, and the number of ranks that are threads
   */
  public static void main(String[] arguments) {
    int meetings = Integer.parseInt(arguments[0]);
    if (arguments.length > 1) {
      ThreadWorld.run(Integer.parseInt(arguments[1]), comm -> measure(comm, meetings));
    } else {
      measure(Worlds.current(), meetings);
    }
  }

  private static void measure(Communicator comm, int meetings) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double[] micros = new double[ROUNDS];
    long bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      for (int i = 0; i < meetings; i++) {
        comm.meet("writeAtAll after " + round + " started accesses", LIMIT_NANOS);
      }
      micros[round] = (System.nanoTime() - start) / 1e3 / meetings;
      bytes = (threads.getCurrentThreadAllocatedBytes() - allocated) / meetings;
    }
    Arrays.sort(micros);
    if (comm.rank() == 0) {
      System.out.printf(
          "%s: %.2f µs a meeting (%.2f to %.2f), %d bytes allocated%n",
          comm.describe(), micros[ROUNDS / 2], micros[0], micros[ROUNDS - 1], bytes);
    }
  }
}
