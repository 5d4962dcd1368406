package org.hyperslab.plugins.mpiio;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.query.Questions;

/**
 * The connector {@code mpiio}: many ranks, one HDF5 file.
 *
 * <p>Every rank opens the file and makes the same calls in the same order. Exceptions, which any
 * rank may make by itself, are transfers of elements without the collective option, descriptions of
 * open datasets, and closing objects (the other ranks must not use an object that rank 0 has
 * closed); with {@code metadata=independent}, also opening objects and reading metadata. All other
 * calls on metadata, including queries and closing the file, are collective: rank 0 executes them
 * in the native engine and sends the result to the others. Elements move directly between the
 * ranks' memory and the file, aggregated by collective I/O; each filtered chunk has one owner. The
 * written file is like that of the native connector.
 *
 * <p>If ranks disagree, all of them fail with an error that names the ranks and the difference; see
 * {@link org.hyperslab.plugins.mpiio.agree.Agreement}. An error of one rank in a collective call is
 * the error of all. A rank that ends while others wait ends their world, both in threads and in
 * MPI; under MPI, a rank that is alive but does not make the call is waited for without limit.
 *
 * <p>The ranks are those of {@link Worlds#current()} for the thread that opens a file, or those of
 * a communicator passed to {@link #over}. In a world of one rank, operations are passed to the
 * native engine unchanged. The storage of new datasets is allocated when they are created, unless
 * they are filtered or their options say otherwise, as in the HDF5 library's parallel files, so
 * that ranks may write independently.
 *
 * <p>Thread rule: any thread; collective calls of one rank's threads take turns, so that only one
 * thread of a rank should make them.
 */
public final class MpiioConnector implements Connector {

  /** Its name in configuration strings. */
  public static final String NAME = "mpiio";

  private final Supplier<Communicator> world;
  private final MpiioOptions options;
  private final Executor later;
  private final Map<Communicator, RankConnector> ranks = new ConcurrentHashMap<>();
  private final Map<Handle, RankConnector> byHandle = new ConcurrentHashMap<>();
  private RankConnector alone;

  private MpiioConnector(Supplier<Communicator> world, MpiioOptions options, Executor later) {
    this.world = world;
    this.options = options;
    this.later = later;
  }

  /**
   * {@return a connector for the ranks of a communicator, which the caller still owns}
   *
   * @param communicator the ranks
   * @param options the options of the connector
   */
  public static MpiioConnector over(Communicator communicator, MpiioOptions options) {
    return over(communicator, options, RankConnector.LATER);
  }

  /**
   * Creates a connector whose deferred operations are settled by the given executor.
   *
   * @param later runs an action once deferred operations have waited long enough
   */
  static MpiioConnector over(Communicator communicator, MpiioOptions options, Executor later) {
    return new MpiioConnector(() -> communicator, options, later);
  }

  /**
   * {@return a connector for the ranks of the world in which each file is opened}
   *
   * @param options the options of the connector
   */
  public static MpiioConnector inCurrentWorld(MpiioOptions options) {
    return new MpiioConnector(Worlds::current, options, RankConnector.LATER);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.ASYNCHRONOUS, Capability.SWMR));
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    if (operation instanceof StepOperation<?>) {
      return CompletableFuture.failedFuture(
          new UnsupportedFeatureException(
              "connector mpiio: actual=steps of a file that ranks write together, expected=a file"
                  + " of one writer; write steps through native or a staging server (forwarding),"
                  + " or flush() the file for readers that open it then"));
    }
    RankConnector rank = byHandle.get(operation.subject());
    if (rank == null) {
      rank = current();
    }
    if (!rank.isAlone() && operation.opens().isPresent()) {
      byHandle.put(operation.opens().get(), rank);
    }
    return operation instanceof DatasetOperation.Question<?> question && !rank.isAlone()
        ? answered(question)
        : rank.submit(operation);
  }

  /** Answers a question by reads of this rank alone; ranks describe the dataset together. */
  @SuppressWarnings("unchecked") // a question's record states the type of its answer
  private <R> CompletionStage<R> answered(DatasetOperation.Question<?> question) {
    try {
      return CompletableFuture.completedFuture((R) Questions.answer(this, question, null, 1));
    } catch (HyperslabException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** Returns the calling rank's part; all worlds of one rank share one. */
  private RankConnector current() {
    Communicator here = world.get();
    if (here.size() == 1) {
      return alone(here);
    }
    RankConnector known = ranks.get(here);
    if (known != null) {
      return known;
    }
    // Not within computeIfAbsent, which may block other ranks: creating a connector is collective.
    RankConnector made = new RankConnector(here, options, byHandle::remove, later);
    ranks.put(here, made);
    return made;
  }

  private synchronized RankConnector alone(Communicator one) {
    if (alone == null) {
      alone = new RankConnector(one, options, byHandle::remove, later);
    }
    return alone;
  }

  private synchronized RankConnector takeAlone() {
    RankConnector taken = alone;
    alone = null;
    return taken;
  }

  /** {@return the report of the calling rank's latest transfer of elements} */
  public TransferReport lastTransfer() {
    return current().log().latest();
  }

  /** {@return the transfers of the calling rank, with one line and a count for each kind} */
  public List<String> transfers() {
    return current().log().lines();
  }

  /** Closes every open file, which is collective, and frees the communicators. */
  @Override
  public void close() {
    RankConnector one = takeAlone();
    if (one != null) {
      one.close();
    }
    ranks.values().forEach(RankConnector::close);
    ranks.clear();
    byHandle.clear();
  }
}
