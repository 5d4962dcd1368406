package org.hyperslab.mpiio.plan;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.hint.Toggle;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * Chooses the collective algorithm from values that every rank knows, and explains the choice.
 *
 * <p>A hint decides if it names an algorithm or switches collective buffering on or off. Otherwise
 * a table decides, which the hint {@code hyperslab_selection} selects: with c the mean length of an
 * extent, k the bytes at which one writer saturates the file system, and s the stripe,
 *
 * <ul>
 *   <li>{@code published} (Chaarawi, Gabriel and others, OMPIO, 2011): c &gt; k and c &gt; s:
 *       individual; c ≤ k, c &gt; s and no gaps between the pieces of the ranks: dynamic
 *       segmentation; c &lt; k, c ≤ s and no gaps: two-phase; c &lt; k and gaps: static
 *       segmentation;
 *   <li>{@code ompio} (its later fcoll_base_file_select.c): c ≥ k and c ≥ s: individual; c &lt; k
 *       and c ≥ s: dynamic segmentation; c &lt; k and c &lt; s: two-phase;
 *   <li>{@code auto}: this library's table.
 * </ul>
 *
 * <p>This library's table differs from the later one in two cases. Without stripes it has two-phase
 * even for c ≥ s, because the windows are written once and in order. If less than an eighth of the
 * range is accessed, it has dynamic segmentation, which divides bytes instead of the range. If
 * ranks have equal blocks of an array, groups of ranks transpose them ({@link Transposition}) if
 * each then exchanges data with fewer others. Data in the page cache of this machine are read by
 * each rank itself, as long as the holes read are not much larger than the data: this copies every
 * byte once and waits for no other rank.
 */
public final class CollectiveRule {

  /** A range is sparse if less than one part in this many is accessed. */
  private static final long SPARSE = 8;

  /** The cost of a request below which the file is assumed to be in this machine's memory. */
  private static final long LOCAL_NANOS = 50_000;

  /**
   * The greatest cost of reading alone, relative to reading the same bytes in one piece, at which
   * two-phase is not chosen for data in this machine's memory. Two-phase copies each byte once
   * more, and its ranks wait for each other.
   */
  private static final double WORTH = 2;

  /**
   * The choice of an algorithm.
   *
   * @param algorithm the algorithm
   * @param reason why
   */
  public record Chosen(CollectiveAlgorithm algorithm, String reason) {}

  private final CollectiveInput problem;
  private final Hints hints;
  private final FileSystemTraits fs;
  private final Aggregators aggregators;

  /**
   * Creates a rule for one call.
   *
   * @param problem the input of the algorithm
   * @param aggregators the aggregators
   */
  public CollectiveRule(CollectiveInput problem, Aggregators aggregators) {
    this.problem = problem;
    this.hints = problem.setting().hints();
    this.fs = problem.setting().fs();
    this.aggregators = aggregators;
  }

  /** {@return the algorithm, and why} */
  public Chosen choose() {
    String hinted = hints.choice().collective();
    if (!hinted.equals("auto")) {
      return hinted.equals(Transposition.NAME)
          ? transposedIfPossible()
          : new Chosen(named(hinted), "asked for by hyperslab_collective");
    }
    Toggle toggle = problem.write() ? hints.buffering().write() : hints.buffering().read();
    return switch (toggle) {
      case DISABLE ->
          new Chosen(new IndependentAlgorithm(), "collective buffering is disabled by hint");
      case ENABLE -> new Chosen(twoPhase(), "collective buffering is enabled by hint");
      case AUTOMATIC -> byTable();
    };
  }

  /** The numbers on which the tables depend. */
  private record Numbers(long bytes, long extents, int active, long range) {

    static Numbers of(CollectiveInput problem) {
      long bytes = 0;
      long extents = 0;
      int active = 0;
      for (AccessSummary summary : problem.summaries()) {
        bytes += summary.bytes();
        extents += summary.extents();
        active += summary.isEmpty() ? 0 : 1;
      }
      return new Numbers(bytes, extents, active, problem.endExclusive() - problem.first());
    }

    /** Returns the mean length of an extent. */
    long chunk() {
      return bytes / extents;
    }

    /** Returns whether there are bytes between the extents of the ranks that no rank accesses. */
    boolean haveGaps() {
      return range > bytes;
    }
  }

  private Chosen byTable() {
    Numbers numbers = Numbers.of(problem);
    if (numbers.active <= 1) {
      return new Chosen(new IndependentAlgorithm(), numbers.active + " rank accesses the file");
    }
    String text =
        "extents of "
            + numbers.chunk()
            + " bytes, k="
            + fs.saturationBytes()
            + ", stripe="
            + fs.stripeBytes();
    String table = hints.variant().selection();
    return switch (table) {
      case "auto" -> ours(numbers, text);
      case "ompio" -> new Chosen(later(numbers), "OMPIO's later table: " + text);
      case "published" ->
          new Chosen(
              published(numbers),
              "OMPIO's published table: "
                  + text
                  + (numbers.haveGaps() ? ", with gaps" : ", no gaps"));
      default ->
          throw new InvalidUseException(
              "hint: actual=hyperslab_selection=" + table + ", expected=auto, ompio or published");
    };
  }

  private CollectiveAlgorithm later(Numbers numbers) {
    boolean spansStripes = numbers.chunk() >= fs.stripeBytes();
    if (numbers.chunk() < fs.saturationBytes()) {
      return spansStripes ? dynamic() : twoPhase();
    }
    return spansStripes ? new IndependentAlgorithm() : twoPhase();
  }

  /**
   * Returns the published table's algorithm; two-phase, which is always correct, if the table has
   * no entry.
   */
  private CollectiveAlgorithm published(Numbers numbers) {
    long chunk = numbers.chunk();
    long k = fs.saturationBytes();
    boolean longerThanStripe = chunk > fs.stripeBytes();
    if (chunk > k && longerThanStripe) {
      return new IndependentAlgorithm();
    }
    if (chunk < k && numbers.haveGaps()) {
      return segmentedStatically();
    }
    return chunk <= k && longerThanStripe ? dynamic() : twoPhase();
  }

  private Chosen ours(Numbers each, String numbers) {
    long chunk = each.chunk();
    long bytes = each.bytes();
    int active = each.active();
    if (chunk >= fs.saturationBytes() && chunk >= fs.stripeBytes()) {
      return new Chosen(new IndependentAlgorithm(), numbers);
    }
    double alone = readNanos();
    double plain = fs.costs().nanos(active, bytes);
    if (!problem.write() && fs.costs().requestNanos() < LOCAL_NANOS && alone <= WORTH * plain) {
      String reason = "each rank reads for itself: %.0f us, %.0f without holes; ";
      return new Chosen(
          new IndependentAlgorithm(), String.format(reason, alone / 1e3, plain / 1e3) + numbers);
    }
    Chosen transposed = transposed();
    if (transposed != null) {
      return transposed;
    }
    if (each.range() / SPARSE > bytes) {
      return new Chosen(dynamic(), "sparse: " + bytes + " bytes in a range of " + each.range());
    }
    if (fs.isStriped() && chunk >= fs.stripeBytes()) {
      return new Chosen(dynamic(), numbers);
    }
    return new Chosen(twoPhase(), numbers);
  }

  /**
   * Returns a transposition within groups of ranks if that is worth while, otherwise null. It is
   * where requests are dear, hints leave the choice to the library, ranks have equal blocks of an
   * array, a rank exchanges with at most half as many others as a window of two-phase I/O is
   * gathered from, and a rank's requests cost less than the bytes of its node.
   */
  private Chosen transposed() {
    boolean free =
        hints.choice().domains().equals("auto")
            && hints.choice().aggregators().equals("auto")
            && hints.choice().assignment().equals("auto")
            && hints.buffering().nodes() == 0
            && !hints.others().containsKey(Hints.CB_CONFIG_LIST);
    if (!free || fs.costs().requestNanos() < LOCAL_NANOS || problem.setting().sharedMemory()) {
      return null;
    }
    BlockGrid grid = BlockGrid.find(problem.summaries());
    if (grid == null) {
      return null;
    }
    int gathering = aggregators.ranks().size();
    long domain = Math.ceilDiv(problem.endExclusive() - problem.first(), gathering);
    long window = Math.min(domain, BufferSizes.of(hints, fs.costs()).stagingBytes());
    long gathered = grid.ranksIn(window);
    for (BlockGrid.Level level : grid.levels()) {
      Transposition found = new Transposition(level);
      double bytesOfNode = (double) level.bytes() / level.groupRanks() * found.aggregators();
      bytesOfNode /= gathering;
      if (2L * level.groupRanks() <= gathered
          && fs.costs().nanos(found.extentsOfShare(), 0) < fs.costs().nanos(0, bytesOfNode)) {
        return new Chosen(
            transposed(found),
            "blocks of an array: "
                + level.groupRanks()
                + " ranks interleave to ranges of "
                + level.extentBytes()
                + " bytes and exchange among themselves, a window of two-phase would be of "
                + gathered
                + " ranks");
      }
    }
    return null;
  }

  private Chosen transposedIfPossible() {
    BlockGrid grid = BlockGrid.find(problem.summaries());
    return grid == null
        ? new Chosen(
            twoPhase(),
            "asked for by hyperslab_collective=transposed, but ranks do not have equal blocks that"
                + " interleave to longer ranges")
        : new Chosen(
            transposed(new Transposition(grid.levels().getFirst())),
            "asked for by hyperslab_collective");
  }

  private static CollectiveAlgorithm transposed(Transposition partition) {
    return new CollectiveAlgorithm.Aggregated(Transposition.NAME, partition, false);
  }

  /** Returns the sum of the ranks' costs of independent reads. */
  private double readNanos() {
    double nanos = 0;
    for (AccessSummary summary : problem.summaries()) {
      nanos += summary.circumstances().readNanos();
    }
    return nanos;
  }

  private CollectiveAlgorithm named(String name) {
    return switch (name) {
      case IndependentAlgorithm.NAME -> new IndependentAlgorithm();
      case "two-phase", "two_phase", "view" -> twoPhase();
      case "dynamic" -> dynamic();
      case "static" -> segmentedStatically();
      default -> provided(name);
    };
  }

  private static CollectiveAlgorithm provided(String name) {
    List<CollectiveAlgorithm.Separate> others = AlgorithmProvider.all();
    return others.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new InvalidUseException(
                "hint: actual=hyperslab_collective="
                    + name
                    + ", expected="
                    + Stream.concat(
                            Stream.of(
                                "auto, individual, two-phase, view, transposed, dynamic, static"),
                            others.stream().map(CollectiveAlgorithm::name))
                        .collect(Collectors.joining(", "))
                    + (others.isEmpty() ? " (others need the module org.hyperslab.baselines)" : "")
                    + "; vendor only where MPI opened the file"));
  }

  private CollectiveAlgorithm segmentedStatically() {
    return new CollectiveAlgorithm.Aggregated("static", groups(), true);
  }

  private CollectiveAlgorithm dynamic() {
    return new CollectiveAlgorithm.Aggregated("dynamic", groups(), false);
  }

  private Partition groups() {
    return new Partition.Groups(aggregators.groups(), aggregators.leaders().size());
  }

  private CollectiveAlgorithm twoPhase() {
    return new CollectiveAlgorithm.Aggregated("two-phase", domains(), false);
  }

  private Partition domains() {
    long first = problem.first();
    long end = problem.endExclusive();
    int count = aggregators.ranks().size();
    long stripe = fs.stripeBytes() > 0 ? fs.stripeBytes() : fs.blockBytes();
    long block = hints.choice().blockBytes();
    long buffer = hints.buffering().bufferBytes();
    int servers = Math.max(1, fs.stripes());
    return switch (hints.choice().domains()) {
      case "auto" ->
          fs.isStriped()
              ? FileDomains.striped(first, end, count, stripe, fs.stripes())
              : FileDomains.aligned(first, end, count, stripe);
      case "even" -> FileDomains.even(first, end, count, hints.buffering().minDomainBytes());
      case "aligned" -> FileDomains.aligned(first, end, count, stripe);
      case "lustre" -> FileDomains.lustre(first, end, count, stripe, servers);
      case "group-cyclic" -> FileDomains.groupCyclic(first, end, count, stripe, servers);
      case "balanced" -> FileDomains.balanced(first, end, count);
      case "random" -> FileDomains.random(first, end, count, block > 0 ? block : buffer);
      case "block" -> FileDomains.block(first, end, count);
      case "cyclic" ->
          FileDomains.cyclic("HPF CYCLIC", first, end, count, block > 0 ? block : buffer);
      case "layout" -> FileDomains.layout(first, end, count, stripe, servers);
      default ->
          throw new InvalidUseException(
              "hint: actual=hyperslab_domains="
                  + hints.choice().domains()
                  + ", expected=auto, even, aligned, balanced, lustre, group-cyclic, block, cyclic,"
                  + " random or layout");
    };
  }
}
