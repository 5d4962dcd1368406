package org.hyperslab.plugins.mpiio;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;

/**
 * The connector {@code mpiio}: many ranks, one HDF5 file.
 *
 * <p>Every rank opens the file and makes the same calls in the same order, but for transfers of
 * elements whose options do not say collective, which any rank may make by itself, for asking what
 * an open dataset is like, and for closing objects (what rank 0 has closed must not be used by the
 * others any more). All other calls on metadata, questions and closing the file included, are
 * collective: rank 0 asks the native engine and tells the others. Elements go straight between the
 * ranks' memory and the file, aggregated by collective input/output; filtered chunks have one owner
 * each. What is written is as a native connector would write it.
 *
 * <p>Ranks that disagree fail with an error that names them and the difference, on all of them; see
 * {@link org.hyperslab.plugins.mpiio.Agreement}. An error of one rank in a collective call is the
 * error of all. A rank that ends while others wait ends their world, in threads as in MPI; under
 * MPI a rank that lives but does not make the call is waited for without limit.
 *
 * <p>The ranks are those of {@link Worlds#current()} for the thread that opens a file, or those of
 * a communicator given to {@link #over}. In a world of one rank, operations go to the native engine
 * as they are. New datasets get their storage when they are created, unless they are filtered or
 * say otherwise, as in the HDF5 library's parallel files: so ranks may write by themselves.
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
   * {@return a connector for the ranks of a communicator, which stays the caller's}
   *
   * @param communicator the ranks
   * @param options what the connector does
   */
  public static MpiioConnector over(Communicator communicator, MpiioOptions options) {
    return over(communicator, options, RankConnector.LATER);
  }

  /**
   * Makes a connector whose deferred operations are settled by the given executor.
   *
   * @param later runs what it is given when what was deferred has waited long enough
   */
  static MpiioConnector over(Communicator communicator, MpiioOptions options, Executor later) {
    return new MpiioConnector(() -> communicator, options, later);
  }

  /**
   * {@return a connector for the ranks of the world in which each file is opened}
   *
   * @param options what the connector does
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
    RankConnector rank = byHandle.get(operation.subject());
    if (rank == null) {
      rank = current();
    }
    if (!rank.isAlone() && operation.opens().isPresent()) {
      byHandle.put(operation.opens().get(), rank);
    }
    return rank.submit(operation);
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
    // Not within computeIfAbsent, which may keep other ranks out of the map: making one is
    // collective.
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

  /** {@return what became of the calling rank's latest transfer of elements} */
  public TransferReport lastTransfer() {
    return current().log().latest();
  }

  /**
   * {@return what became of all transfers of the calling rank, alike ones counted; one line a kind}
   */
  public List<String> transfers() {
    return current().log().lines();
  }

  /**
   * Closes every open file, which is collective where there are any, and gives up the
   * communicators.
   */
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
