package org.hyperslab.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.RankMap;
import org.hyperslab.machine.StorageServers;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.declared.DeclaredWrites;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.staged.AccessExtents;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.mpiio.store.StorageCosts;

/**
 * Computes how long collective accesses of a job take on a machine that need not exist. The
 * algorithms plan as for a real file, and their schedules are executed in virtual time: no byte is
 * moved and no buffer allocated. The exchange of lists before a transfer is not included.
 *
 * <p>Thread rule: immutable.
 *
 * @param ranks the processor of each rank
 * @param hints the hints for accesses to the file
 * @param costs the costs that the machine does not state
 * @param network the model of messages
 */
public record SimulatedJob(
    RankMap ranks, Hints hints, UnstatedCosts costs, SimulatedNetwork network) {

  /** The largest request that servers across a network need to reach their full bandwidth. */
  private static final long SATURATION_BYTES = 4 << 20;

  /**
   * Checks the hints.
   *
   * @throws InvalidUseException if a hint has no effect in a simulation, or asks for more servers
   *     than the machine has
   */
  public SimulatedJob {
    SimulatedHints.check(hints);
    SimulatedHints.striped(ranks.machine().storage(), hints);
  }

  /**
   * Creates a job whose messages share links fairly.
   *
   * @param ranks the processor of each rank
   * @param hints the hints for accesses to the file
   * @param costs the costs that the machine does not state
   */
  public SimulatedJob(RankMap ranks, Hints hints, UnstatedCosts costs) {
    this(ranks, hints, costs, SimulatedNetwork.FLOWS);
  }

  /**
   * The access of a rank.
   *
   * @param view its view of the file
   * @param offset the offset of the first etype in the view, in etypes
   * @param bytes the bytes of the access
   */
  public record Access(FileView view, long offset, long bytes) {}

  /**
   * What ranks compute after they have started an access.
   *
   * @param seconds the time of the computation alone
   * @param testSeconds the time of computation after which a rank tests the access, again and
   *     again; a rank goes on with the access only when it tests it, or has ended its computation
   * @param testCostSeconds the time of a test
   */
  public record Computation(double seconds, double testSeconds, double testCostSeconds) {

    /**
     * Checks the times.
     *
     * @throws InvalidUseException if one is negative or not finite, or that between tests is 0
     */
    public Computation {
      boolean finite = Double.isFinite(seconds + testSeconds + testCostSeconds);
      if (!finite || seconds < 0 || !(testSeconds > 0) || testCostSeconds < 0) {
        throw new InvalidUseException(
            "computation: actual=%s s, tested each %s s, which takes %s s, expected=times of at least 0"
                .formatted(seconds, testSeconds, testCostSeconds));
      }
    }
  }

  /**
   * What a simulation found.
   *
   * @param seconds the time until the last rank has ended
   * @param stepSeconds the time of all ranks in steps of each kind, including waiting, by the
   *     kind's name, such as {@code Write} or {@code Await}
   * @param requests the number of requests to the file
   * @param fileBytes the bytes of these requests, including holes that are read with them
   * @param messages the number of messages between ranks
   * @param messageBytes their bytes
   */
  public record Result(
      double seconds,
      Map<String, Double> stepSeconds,
      long requests,
      long fileBytes,
      long messages,
      long messageBytes) {

    /**
     * {@return the sum of this result and that of accesses that follow}
     *
     * @param next the result of the accesses that follow
     */
    public Result plus(Result next) {
      Map<String, Double> steps = new TreeMap<>(stepSeconds);
      next.stepSeconds.forEach((kind, time) -> steps.merge(kind, time, Double::sum));
      return new Result(
          seconds + next.seconds,
          steps,
          requests + next.requests,
          fileBytes + next.fileBytes,
          messages + next.messages,
          messageBytes + next.messageBytes);
    }

    /**
     * {@return the sum of this result and that of other ranks at the same time}
     *
     * @param other the result of ranks that share nothing with those of this one
     */
    public Result beside(Result other) {
      Result sum = plus(other);
      return new Result(
          Math.max(seconds, other.seconds),
          sum.stepSeconds,
          sum.requests,
          sum.fileBytes,
          sum.messages,
          sum.messageBytes);
    }
  }

  /**
   * {@return the times and counts of a collective write}
   *
   * @param accesses the access of each rank, from 0; called once for each
   * @throws InvalidUseException if a hint or an access is not valid
   */
  public Result write(IntFunction<Access> accesses) {
    return run(true, accesses);
  }

  /**
   * {@return the times and counts of a collective read}
   *
   * @param accesses the access of each rank, from 0; called once for each
   * @throws InvalidUseException if a hint or an access is not valid
   */
  public Result read(IntFunction<Access> accesses) {
    return run(false, accesses);
  }

  /**
   * {@return the times and counts of a collective access, whose schedules are also written as GOAL,
   * the text that LogGOPSim reads}
   *
   * <p>Operations are those of {@link SimulatedNetwork#LOGGP}: sends, receives, copies as
   * calculations, and requests as calculations of their simulated time.
   *
   * @param write whether the file is written
   * @param accesses the access of each rank, from 0; called once for each
   * @param goal where the text goes
   * @throws IOException if the text cannot be written
   * @throws InvalidUseException if a hint or an access is not valid
   */
  public Result toGoal(boolean write, IntFunction<Access> accesses, Appendable goal)
      throws IOException {
    return result(
        new SimulatedCollective(write, hints, traits(), ranks, network)
            .runToGoal(rank -> extents(accesses.apply(rank)), costs, goal));
  }

  /**
   * {@return the times and counts of a started collective access beside which all ranks compute;
   * the time is that of both}
   *
   * @param write whether the file is written
   * @param accesses the access of each rank, from 0; called once for each
   * @param computation what each rank computes
   * @throws InvalidUseException if a hint or an access is not valid
   */
  public Result started(boolean write, IntFunction<Access> accesses, Computation computation) {
    return result(
        new SimulatedCollective(write, hints, traits(), ranks, network)
            .runBeside(rank -> extents(accesses.apply(rank)), costs, TestPoints.of(computation)));
  }

  /**
   * {@return the times and counts of writes that all ranks have declared, which aggregators collect
   * over all of them ({@link DeclaredWrites})}
   *
   * <p>The aggregators are elected by the hint {@code hyperslab_assignment}; {@code cb_nodes} is
   * the most of them, and {@code cb_buffer_size} the memory of each.
   *
   * @param accesses the writes of each rank, from 0, in their order; called once for each
   * @throws InvalidUseException if a hint or an access is not valid
   */
  public Result writeDeclared(IntFunction<List<Access>> accesses) {
    List<long[][]> all = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      all.add(writes(accesses.apply(rank)));
    }
    return result(
        new SimulatedCollective(true, hints, traits(), ranks, network).runDeclared(all, costs));
  }

  /** Returns the offsets and the lengths of the extents of all accesses, in their order. */
  private static long[][] writes(List<Access> accesses) {
    List<ExtentRuns> lists = accesses.stream().map(SimulatedJob::extents).toList();
    int count = Math.toIntExact(lists.stream().mapToLong(ExtentRuns::count).sum());
    long[][] both = new long[2][count];
    int at = 0;
    for (ExtentRuns list : lists) {
      ExtentList.Cursor cursor = list.cursor();
      while (cursor.next()) {
        both[0][at] = cursor.offset();
        both[1][at++] = cursor.length();
      }
    }
    return both;
  }

  private Result run(boolean write, IntFunction<Access> accesses) {
    return result(
        new SimulatedCollective(write, hints, traits(), ranks, network)
            .run(rank -> extents(accesses.apply(rank)), costs));
  }

  private static Result result(SimulatedCollective.Outcome found) {
    Map<String, Double> steps = new TreeMap<>();
    found.stepNanos().forEach((kind, nanos) -> steps.put(kind, 1e-9 * nanos));
    return new Result(
        1e-9 * found.nanos(),
        steps,
        found.requests(),
        found.fileBytes(),
        found.messages(),
        found.messageBytes());
  }

  static ExtentRuns extents(Access access) {
    return ExtentRuns.copyOf(AccessExtents.inFile(access.view, access.offset, access.bytes));
  }

  /** Returns the traits by which the algorithms plan: those of the machine's storage. */
  private FileSystemTraits traits() {
    return traits(hints);
  }

  /** Returns the traits with the striping of other hints. */
  FileSystemTraits traits(Hints other) {
    StorageServers storage = SimulatedHints.striped(ranks.machine().storage(), other);
    boolean known = storage.count() > 0;
    double bandwidth =
        known && storage.bytesPerSecond() > 0
            ? storage.bytesPerSecond()
            : costs.storageBytesPerSecond();
    long requestNanos =
        storage.costs().isKnown()
            ? Math.round(storage.costs().requestNanos())
            : costs.requestNanos();
    long nanosPerKibibyte = Math.max(1, Math.round(1024 * 1e9 / bandwidth));
    return new FileSystemTraits(
        "simulated",
        known ? storage.stripeBytes() : 0,
        known ? storage.count() : 1,
        storage.costs().blockBytes(),
        SATURATION_BYTES,
        new StorageCosts(requestNanos, nanosPerKibibyte, false));
  }
}
