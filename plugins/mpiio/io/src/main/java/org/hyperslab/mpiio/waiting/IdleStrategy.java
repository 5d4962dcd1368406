package org.hyperslab.mpiio.waiting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpi.MpiRequest;

/**
 * The strategy by which a rank of an MPI job waits for another. MPI libraries poll, which is
 * fastest if every rank has a core. With more ranks than cores, polling takes processor time from
 * the ranks that are waited for; a rank then lets other threads run between its polls, and after
 * 100 milliseconds sleeps between them.
 *
 * <p>All ranks of a job have the same strategy, because {@link #SLEEPS} uses other collective
 * calls; it is used only if all ranks run on one machine.
 *
 * <p>Thread rule: immutable.
 */
public enum IdleStrategy {
  /** Lets the library wait. */
  NONE,
  /** Sleeps while it waits. */
  SLEEPS;

  private static final Path CORES = Path.of("/sys/devices/system/cpu/online");

  /**
   * The time of a wait for ranks that take turns on a core while each writes its part. Waking up
   * takes as long as many of the waits between the rounds of a collective call, and ranks that wake
   * up late end late.
   */
  private static final long YIELDING_NANOS = 100_000_000;

  private static final long SLEEP_NANOS = 250_000;

  /**
   * How long a rank that shares a core computes before the next one does. A rank that is
   * interrupted while it has the lock of a file delays all others, and finds its data in no cache
   * afterwards.
   */
  private static final long SLICE_NANOS = 20_000_000;

  private static final IdleStrategy HERE = of(System.getenv(), coresHere());

  /** {@return the strategy of this process} */
  public static IdleStrategy ofThisProcess() {
    return HERE;
  }

  /**
   * Returns the strategy for a launcher's environment.
   *
   * @param cores the number of cores of this machine
   */
  static IdleStrategy of(Map<String, String> environment, int cores) {
    int open = number(environment, "OMPI_COMM_WORLD_SIZE");
    int here = number(environment, "OMPI_COMM_WORLD_LOCAL_SIZE");
    if (open == 0) {
      open = number(environment, "PMI_SIZE");
      here = number(environment, "MPI_LOCALNRANKS");
    }
    return open == here && here > cores ? SLEEPS : NONE;
  }

  private static int number(Map<String, String> environment, String name) {
    String text = environment.getOrDefault(name, "");
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  /**
   * Counts all cores of the machine, including those to which this process is not bound; unlimited
   * if the system has no list.
   */
  private static int coresHere() {
    try {
      return cores(Files.readString(CORES));
    } catch (IOException | NumberFormatException unknown) {
      return Integer.MAX_VALUE;
    }
  }

  /** Returns the number of cores in a list such as {@code 0-3,8}. */
  static int cores(String list) {
    int cores = 0;
    for (String range : list.strip().split(",")) {
      String[] ends = range.split("-");
      cores += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
    }
    return cores;
  }

  /** Prepares the calling thread, which becomes that of a rank. */
  public void prepareThread() {
    if (this == SLEEPS) {
      TimeSlice.request(SLICE_NANOS);
    }
  }

  /**
   * Waits until the request has completed; throws its failure.
   *
   * @param request the request
   */
  public void await(MpiRequest request) {
    if (this == SLEEPS) {
      sleepUntil(request);
    }
    request.await();
  }

  /**
   * Waits for a request, but not longer than a time.
   *
   * @param nanos the longest time; below 1 only tests
   * @param request the request
   * @return whether it has ended
   */
  public boolean awaitAtMost(MpiRequest request, long nanos) {
    long start = System.nanoTime();
    while (!hasEnded(request)) {
      long waited = System.nanoTime() - start;
      if (waited >= nanos) {
        return false;
      }
      if (this == SLEEPS) {
        idle(waited);
      }
    }
    return true;
  }

  /**
   * Waits until all requests have completed; throws the first failure.
   *
   * @param requests the number of requests to the file
   */
  public void awaitAll(List<MpiRequest> requests) {
    if (this == SLEEPS) {
      requests.forEach(IdleStrategy::sleepUntil);
    }
    MpiRequest.awaitAll(requests);
  }

  /**
   * Returns whether a request has ended. A failed request has ended too; waiting for it reports the
   * failure.
   */
  private static boolean hasEnded(MpiRequest request) {
    try {
      return request.test();
    } catch (MpiException failed) {
      return true;
    }
  }

  private static void sleepUntil(MpiRequest request) {
    long start = System.nanoTime();
    while (!hasEnded(request)) {
      idle(System.nanoTime() - start);
    }
  }

  /** Leaves the core to other threads between two polls. */
  private static void idle(long waitedNanos) {
    if (waitedNanos < YIELDING_NANOS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(SLEEP_NANOS);
    }
  }
}
