package org.hyperslab.mpiio.comm;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * A world whose ranks are threads of this JVM, platform threads unless its ticker makes others. It
 * is the embedded default and needs no MPI library.
 *
 * <p>{@link #run(int, RankBody)} starts the ranks and waits for all of them. When a rank throws,
 * ranks that wait in communication fail too, and so does every later call, so that the world ends;
 * the first failure is thrown, with its rank. A deadlock of ranks is detected after two seconds and
 * reported with their calls. Messages of up to {@value #EAGER_BYTES} bytes are copied when sent;
 * longer ones wait for their receiver and are copied once, from sender's to receiver's memory. A
 * segment of a confined arena is copied once more.
 *
 * <p>Thread rule: immutable; worlds are independent of each other.
 *
 * @param ranks the number of threads, from 1
 * @param limitNanos the time after which the world fails, in nanoseconds; 0 for never
 * @param ranksPerNode the number of consecutive ranks that {@link Communicator#node} puts on one
 *     node: all of them, except to simulate several nodes
 * @param ticker the time of the world, by which ranks wait and the limit counts
 */
public record ThreadWorld(int ranks, long limitNanos, int ranksPerNode, Ticker ticker) {

  /** Messages up to this length are copied when sent. */
  public static final int EAGER_BYTES = 8192;

  /** The time between two looks at whether the world has failed. */
  private static final Duration JOIN = Duration.ofMillis(100);

  /** The time that ranks are given to notice that their world has failed. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int MAX_RANKS = 1 << 16;

  /** Checks the numbers. */
  public ThreadWorld {
    if (ranks < 1 || ranks > MAX_RANKS) {
      throw new InvalidUseException("ranks: actual=" + ranks + ", expected=1.." + MAX_RANKS);
    }
    if (limitNanos < 0 || ranksPerNode < 1) {
      throw new InvalidUseException(
          "thread world: actual="
              + limitNanos
              + " ns and "
              + ranksPerNode
              + " ranks a node, expected=at least 0 and 1");
    }
  }

  /**
   * {@return a world of the given number of ranks on one node, without a time limit}
   *
   * @param ranks how many ranks
   */
  public static ThreadWorld of(int ranks) {
    return new ThreadWorld(ranks, 0, Math.max(1, ranks), Ticker.SYSTEM);
  }

  /**
   * {@return this world with a time limit, after which it fails}
   *
   * @param limit the time for which the world may run
   */
  public ThreadWorld withTimeLimit(Duration limit) {
    return new ThreadWorld(ranks, limit.toNanos(), ranksPerNode, ticker);
  }

  /**
   * {@return the same world with consecutive ranks grouped into simulated nodes}
   *
   * @param ranksOfNode the number of ranks of a node
   */
  public ThreadWorld withRanksPerNode(int ranksOfNode) {
    return new ThreadWorld(ranks, limitNanos, ranksOfNode, ticker);
  }

  /**
   * {@return the same world with another time}
   *
   * @param time the time by which ranks wait and the limit counts
   */
  public ThreadWorld withTicker(Ticker time) {
    return new ThreadWorld(ranks, limitNanos, ranksPerNode, time);
  }

  /**
   * Runs {@code body} once on each of {@code ranks} threads and waits for all of them.
   *
   * @param ranks how many ranks
   * @param body what each rank runs
   * @throws MpiException if a rank failed: it names the rank and has its exception as cause
   */
  public static void run(int ranks, RankBody body) {
    of(ranks).run(body);
  }

  /**
   * Runs {@code body} as {@link #run(int, RankBody)} does, in this world.
   *
   * @param body what each rank runs
   */
  public void run(RankBody body) {
    ThreadUniverse universe = new ThreadUniverse(this);
    ThreadGroupContext context = ThreadGroupContext.world(universe);
    Thread[] threads = new Thread[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      ThreadCommunicator world = new ThreadCommunicator(context, rank, true);
      threads[rank] =
          ticker.newThread("rank " + rank + " of " + ranks, () -> runRank(universe, world, body));
      universe.bind(rank, threads[rank]);
    }
    for (Thread thread : threads) {
      thread.start();
    }
    join(universe, threads);
    MpiException failure = universe.failure();
    if (failure != null) {
      throw new MpiException(
          failure.call(), failure.rank(), failure.code(), failure.text(), failure.getCause());
    }
  }

  /**
   * Returns a world of one rank, used by the calling thread and by any thread that it passes its
   * communicator to.
   */
  static Communicator alone() {
    ThreadUniverse universe = new ThreadUniverse(of(1));
    universe.bind(0, Thread.currentThread());
    return new ThreadCommunicator(ThreadGroupContext.world(universe), 0, true);
  }

  private static void runRank(ThreadUniverse universe, ThreadCommunicator world, RankBody body) {
    try {
      Worlds.runIn(world, body);
    } catch (Throwable failure) {
      // A rank that only reports the failure of another is ignored: the first failure counts.
      universe.fail(
          new MpiException(
              "rank " + world.rank() + " of " + world.size(),
              world.rank(),
              MpiException.NO_CODE,
              failure instanceof HyperslabException ? failure.getMessage() : failure.toString(),
              failure));
    } finally {
      world.end();
      universe.bind(world.rank(), null);
    }
  }

  private void join(ThreadUniverse universe, Thread[] threads) {
    long graceEnd = 0;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join(JOIN);
        } catch (InterruptedException e) {
          universe.fail(
              new MpiException(
                  "ThreadWorld", MpiException.NO_RANK, MpiException.NO_CODE, "interrupted", e));
          Thread.currentThread().interrupt();
          return;
        }
        universe.expire();
        if (universe.failure() != null) {
          long now = System.nanoTime();
          graceEnd = graceEnd == 0 ? now + GRACE_NANOS : graceEnd;
          if (universe.remainingNanos() <= 0) {
            thread.interrupt();
          }
          if (now - graceEnd > 0) {
            return;
          }
        }
      }
    }
  }
}
