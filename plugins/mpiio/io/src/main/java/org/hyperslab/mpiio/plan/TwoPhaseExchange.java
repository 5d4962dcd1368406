package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Two-phase I/O by messages. In each cycle every rank sends each aggregator its bytes there, and
 * the aggregator assembles and writes them while the messages of the next cycle are in flight; a
 * read proceeds in the opposite direction.
 *
 * <p>After del Rosario, Bordawekar, Choudhary: Improved Parallel I/O via a Two-phase Run-time
 * Access Strategy (1993), and ROMIO's ad_write_coll.c.
 *
 * <p>Ranks do not wait for each other in a circle: in round c an aggregator first starts all its
 * receives of cycle c; a rank blocked in round c depends only on others having begun round c, and
 * what blocks these in round c - 1 does not depend on round c.
 */
final class TwoPhaseExchange {

  private static final int STAGING = 0;
  private static final int WINDOW = 2;
  private static final int PACK = 3;

  /** Slots of requests: two of a kind, used in turn. */
  private static final int SENDS = 0;

  private static final int RECEIVES = 2;
  private static final int PACKED = 4;

  private final CollectiveInput problem;
  private final String name;
  private final Partition partition;
  private final Cycles cycles;
  private final BufferSizes sizes;
  private final int me;

  /** The aggregators for which this rank has bytes, ascending, and the portions for them. */
  private final int[] targets;

  private final AggregatorPortion[] mine;

  /** If this rank is an aggregator, the ranks that have bytes for it, and their portions. */
  private final int[] sources;

  private final AggregatorPortion[] others;
  private final ExtentRuns union;
  private final WindowAssembly assembly;
  private final int rounds;

  /** Whether each extent is sent as a message, as in collective buffering without gathering. */
  private final boolean unpacked;

  /**
   * What is equal on all ranks.
   *
   * @param ranges the range of the file that each rank accesses
   * @param indexes the index of each rank among the aggregators; -1 if it is none
   * @param rounds the most cycles of any aggregator
   */
  record Shared(AccessRanges ranges, int[] indexes, int rounds) {

    static Shared of(
        CollectiveInput problem, AccessRanges ranges, Partition partition, Cycles cycles) {
      int[] indexes = new int[problem.size()];
      Arrays.fill(indexes, -1);
      int[] aggregators = problem.setting().aggregators();
      for (int i = aggregators.length - 1; i >= 0; i--) {
        indexes[aggregators[i]] = i;
      }
      return new Shared(ranges, indexes, cycles.most(partition.aggregators()));
    }
  }

  /** Plans the exchange of a rank; {@code shared} may be null, and is computed then. */
  TwoPhaseExchange(
      CollectiveInput problem,
      String name,
      Partition partition,
      Cycles cycles,
      BufferSizes sizes,
      Shared shared) {
    this.problem = problem;
    this.name = name;
    this.partition = partition;
    this.cycles = cycles;
    this.sizes = sizes;
    this.unpacked = problem.setting().hints().variant().unpacked();
    this.me = shared == null ? problem.aggregatorIndex() : shared.indexes[problem.rank()];
    this.targets = partition.aggregatorsOf(problem.mine(), problem.rank());
    this.mine = new AggregatorPortion[targets.length];
    for (int i = 0; i < mine.length; i++) {
      mine[i] = partition.portion(problem.mine(), problem.rank(), targets[i]);
    }
    this.sources =
        me < 0
            ? new int[0]
            : partition.ranksOf(
                shared == null ? AccessRanges.of(problem.summaries()) : shared.ranges, me);
    this.others = new AggregatorPortion[sources.length];
    this.assembly =
        new WindowAssembly(
            problem.write(),
            sizes.windowBytes(),
            problem.setting().fs().costs(),
            SievingRule.territory(problem, partition),
            WINDOW);
    this.union = portionsOfOthers();
    this.rounds = shared == null ? cycles.most(partition.aggregators()) : shared.rounds;
  }

  private ExtentRuns portionsOfOthers() {
    List<ExtentRuns> all = new ArrayList<>();
    for (int i = 0; i < others.length; i++) {
      others[i] = partition.portion(problem.list(sources[i]), sources[i], me);
      all.add(others[i].extents());
    }
    return cycles.byPlace() ? ExtentRuns.union(all) : ExtentRuns.empty();
  }

  /** Returns the rank's schedule. */
  Schedule schedule() {
    return rounds == 0
        ? Schedule.empty(name, problem.rank())
        : Schedule.computed(name, problem.rank(), rounds + 2, this::round);
  }

  /**
   * Returns the steps of a round: buffers, a round for each cycle, and one more for the last
   * assembly.
   */
  private List<Step> round(int index) {
    if (index == 0) {
      return allocate();
    }
    List<Step> steps = new ArrayList<>();
    if (problem.write()) {
      addWriteRound(index - 1, steps);
    } else {
      addReadRound(index - 1, steps);
    }
    return steps;
  }

  private List<Step> allocate() {
    List<Step> steps = new ArrayList<>();
    if (me >= 0 && cycles.count(me) > 0) {
      long staged = 0;
      for (int cycle = 0; cycle < cycles.count(me); cycle++) {
        staged = Math.max(staged, stagedBytes(cycle));
      }
      steps.add(new Step.Allocate(STAGING, staged));
      steps.add(new Step.Allocate(STAGING + 1, staged));
      steps.add(new Step.Allocate(WINDOW, sizes.windowBytes()));
    }
    boolean scattered = !problem.memoryContiguous();
    for (AggregatorPortion portion : mine) {
      scattered |= portion.totalBytes() > 0 && portion.consecutiveFrom(0) < portion.totalBytes();
    }
    if (scattered) {
      steps.add(new Step.Allocate(PACK, sizes.messageBytes()));
      steps.add(new Step.Allocate(PACK + 1, sizes.messageBytes()));
    }
    return steps;
  }

  private long stagedBytes(int cycle) {
    long sum = 0;
    for (int i = 0; i < sources.length; i++) {
      sum += sources[i] == problem.rank() ? 0 : shareOf(i, cycle);
    }
    return sum;
  }

  /** Returns the bytes of the source of an index in a cycle. */
  private long shareOf(int index, int cycle) {
    ExtentRuns extents = others[index].extents();
    return cycles.start(me, cycle + 1, extents) - cycles.start(me, cycle, extents);
  }

  private void addWriteRound(int cycle, List<Step> steps) {
    if (isAtWork(cycle)) {
      long at = 0;
      for (int i = 0; i < sources.length; i++) {
        if (sources[i] != problem.rank()) {
          ByteLocation place = new ByteLocation.Buffer(STAGING + cycle % 2, at);
          at += addMessages(i, place, cycle, RECEIVES + cycle % 2, steps);
        }
      }
    }
    int[] packs = new int[1];
    eachShare(cycle, (target, from, to) -> addSends(target, from, to, cycle, packs, steps));
    if (cycle > 0 && isAtWork(cycle - 1)) {
      steps.add(new Step.Await(RECEIVES + (cycle - 1) % 2));
      assemble(cycle - 1, steps);
    }
    if (cycle > 0) {
      steps.add(new Step.Await(SENDS + (cycle - 1) % 2));
    }
    if (cycle == rounds) {
      steps.add(new Step.Await(PACKED));
      steps.add(new Step.Await(PACKED + 1));
    }
  }

  private boolean isAtWork(int cycle) {
    return me >= 0 && cycle < cycles.count(me);
  }

  /**
   * Adds the receives or sends of an aggregator for the source of an index; returns the number of
   * bytes.
   */
  private long addMessages(int index, ByteLocation place, int cycle, int slot, List<Step> steps) {
    ExtentRuns extents = others[index].extents();
    long from = cycles.start(me, cycle, extents);
    long to = cycles.start(me, cycle + 1, extents);
    for (long at = from; at < to; ) {
      long part = messageBytes(extents, at, to);
      steps.add(
          problem.write()
              ? new Step.Receive(sources[index], place.plus(at - from), part, slot)
              : new Step.Send(sources[index], place.plus(at - from), part, slot));
      at += part;
    }
    return to - from;
  }

  /** Returns the length of the message that begins with a packed byte of a share, up to its end. */
  private long messageBytes(ExtentRuns extents, long at, long end) {
    long bytes = Math.min(sizes.messageBytes(), end - at);
    if (!unpacked) {
      return bytes;
    }
    ExtentList.Cursor extent = extents.cursor();
    extent.seekPacked(at);
    extent.next();
    return Math.min(bytes, extent.length());
  }

  /** An action on a share: packed bytes {@code from .. to} of the portion for a target. */
  private interface ShareAction {
    void accept(int target, long from, long to);
  }

  /** Visits this rank's shares of a cycle, each rank beginning with another aggregator. */
  private void eachShare(int cycle, ShareAction action) {
    int found = Arrays.binarySearch(targets, problem.rank() % partition.aggregators());
    int first = found >= 0 ? found : -found - 1;
    for (int step = 0; step < targets.length; step++) {
      int target = (first + step) % targets.length;
      int aggregator = targets[target];
      if (aggregator != me && cycle < cycles.count(aggregator)) {
        ExtentRuns extents = mine[target].extents();
        long from = cycles.start(aggregator, cycle, extents);
        long to = cycles.start(aggregator, cycle + 1, extents);
        if (from < to) {
          action.accept(target, from, to);
        }
      }
    }
  }

  private boolean isOnePiece(AggregatorPortion portion, long from, long bytes) {
    return problem.memoryContiguous() && portion.consecutiveFrom(from) >= bytes;
  }

  /**
   * Adds the sends of a share. Packed messages use two buffers in turn.
   *
   * @param packs the number of messages that the round has packed so far
   */
  private void addSends(int target, long from, long to, int cycle, int[] packs, List<Step> steps) {
    AggregatorPortion portion = mine[target];
    int destination = problem.setting().aggregators()[targets[target]];
    for (long at = from; at < to; ) {
      long part = messageBytes(portion.extents(), at, to);
      if (isOnePiece(portion, at, part)) {
        ByteLocation place = new ByteLocation.Memory(portion.wholePosition(at));
        steps.add(new Step.Send(destination, place, part, SENDS + cycle % 2));
      } else {
        int turn = packs[0]++ % 2;
        steps.add(new Step.Await(PACKED + turn));
        addCopies(portion, at, part, PACK + turn, steps);
        ByteLocation packed = new ByteLocation.Buffer(PACK + turn, 0);
        steps.add(new Step.Send(destination, packed, part, PACKED + turn));
      }
      at += part;
    }
  }

  /** Copies between a packing buffer and this rank's memory. */
  private void addCopies(
      AggregatorPortion portion, long from, long bytes, int buffer, List<Step> steps) {
    for (long done = 0; done < bytes; ) {
      long part = Math.min(portion.consecutiveFrom(from + done), bytes - done);
      ByteLocation memory = new ByteLocation.Memory(portion.wholePosition(from + done));
      ByteLocation packed = new ByteLocation.Buffer(buffer, done);
      steps.add(
          problem.write()
              ? new Step.Copy(memory, packed, part)
              : new Step.Copy(packed, memory, part));
      done += part;
    }
  }

  /** Assembles a cycle and writes it to the file, or reads it from the file and distributes it. */
  private void assemble(int cycle, List<Step> steps) {
    List<WindowAssembly.Source> parts = new ArrayList<>();
    List<ExtentRuns> lists = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < sources.length; i++) {
      AggregatorPortion portion = others[i];
      long from = cycles.start(me, cycle, portion.extents());
      long to = cycles.start(me, cycle + 1, portion.extents());
      if (from == to) {
        continue;
      }
      WindowAssembly.Source source;
      if (sources[i] == problem.rank()) {
        source =
            new WindowAssembly.Direct(
                portion.part(from, to), new ByteLocation.Memory(0), problem.memoryContiguous());
      } else {
        ByteLocation place = new ByteLocation.Buffer(STAGING + cycle % 2, at);
        source = new WindowAssembly.Staged(ExtentRuns.copyOf(portion.extents(), from, to), place);
        at += to - from;
      }
      parts.add(source);
      lists.add(source.extents());
    }
    ExtentRuns all = unionOf(cycle, lists);
    long[] windows = assembly.windows(all);
    for (int i = 0; i < windows.length; i += 2) {
      ExtentRuns inWindow = ExtentRuns.copyOf(all.within(windows[i], windows[i + 1]));
      assembly.addSteps(parts, windows[i], windows[i + 1], inWindow, steps);
    }
  }

  private ExtentRuns unionOf(int cycle, List<ExtentRuns> lists) {
    if (!cycles.byPlace()) {
      return ExtentRuns.union(lists);
    }
    long from = cycles.start(me, cycle, union);
    return ExtentRuns.copyOf(union, from, cycles.start(me, cycle + 1, union));
  }

  private void addReadRound(int cycle, List<Step> steps) {
    eachShare(cycle, (target, from, to) -> addReceives(target, from, to, cycle, true, steps));
    if (isAtWork(cycle)) {
      steps.add(new Step.Await(SENDS + cycle % 2));
      assemble(cycle, steps);
      long at = 0;
      for (int i = 0; i < sources.length; i++) {
        if (sources[i] != problem.rank()) {
          ByteLocation place = new ByteLocation.Buffer(STAGING + cycle % 2, at);
          at += addMessages(i, place, cycle, SENDS + cycle % 2, steps);
        }
      }
    }
    eachShare(cycle, (target, from, to) -> addReceives(target, from, to, cycle, false, steps));
    steps.add(new Step.Await(RECEIVES + cycle % 2));
    if (cycle == rounds) {
      steps.add(new Step.Await(SENDS));
      steps.add(new Step.Await(SENDS + 1));
    }
  }

  /**
   * Adds the receives of a share, directly into memory or through a buffer. A share is received
   * entirely through the buffer, in order, unless all its messages can be received directly.
   */
  private void addReceives(
      int target, long from, long to, int cycle, boolean straight, List<Step> steps) {
    AggregatorPortion portion = mine[target];
    if (isOnePiece(portion, from, to - from) != straight) {
      return;
    }
    int source = problem.setting().aggregators()[targets[target]];
    for (long at = from; at < to; ) {
      long part = messageBytes(portion.extents(), at, to);
      if (straight) {
        ByteLocation place = new ByteLocation.Memory(portion.wholePosition(at));
        steps.add(new Step.Receive(source, place, part, RECEIVES + cycle % 2));
      } else {
        steps.add(new Step.Receive(source, new ByteLocation.Buffer(PACK, 0), part, PACKED));
        steps.add(new Step.Await(PACKED));
        addCopies(portion, at, part, PACK, steps);
      }
      at += part;
    }
  }
}
