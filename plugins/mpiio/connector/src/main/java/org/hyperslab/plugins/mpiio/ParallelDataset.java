package org.hyperslab.plugins.mpiio;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.vol.DatasetOperation.Multi;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * An open dataset, as one rank has it.
 *
 * <p>Thread rule: the methods that say <i>collective</i> by one thread at a time, and by all ranks;
 * the others by any thread.
 */
final class ParallelDataset {

  /** The buffer size of transfers through rank 0 where the file has no hints. */
  private static final long DEFAULT_BUFFER_BYTES = 16 << 20;

  /** Where no rank moves as much, the rank waits: handing over would cost more than it hides. */
  private static final long WORTH_STARTING = 1 << 20;

  private final RawFile file;
  private final Agreement agreement;
  private final RootDataset root;
  private final StagedBytes staged = new StagedBytes();
  private volatile DatasetView view;
  private volatile RankChunkReader chunks;

  /**
   * Creates a dataset.
   *
   * @param file the way to its bytes; null if there is none but through rank 0
   * @param agreement keeps the ranks in step
   * @param root the dataset in the engine; null on all ranks but rank 0
   * @param snapshot what {@link RootDataset#snapshot} said, the same on all ranks
   */
  public ParallelDataset(RawFile file, Agreement agreement, RootDataset root, byte[] snapshot) {
    this.file = file;
    this.agreement = agreement;
    this.root = root;
    adopt(snapshot);
  }

  /**
   * Takes over rank 0's description after the dataset's storage has changed. Collective.
   *
   * @param snapshot rank 0's description of the dataset
   */
  public void adopt(byte[] snapshot) {
    RankChunkReader old = chunks;
    DatasetView now = DatasetView.of(snapshot);
    view = now;
    chunks = file != null && now.isChunked() ? new RankChunkReader(file, now) : null;
    if (old != null) {
      old.close();
    }
  }

  /** {@return the dataset in the engine; null on all ranks but rank 0} */
  public RootDataset root() {
    return root;
  }

  /** {@return whether a write changes other datasets, whose elements these are} */
  public boolean isVirtual() {
    return view.layout() instanceof Layout.Virtual;
  }

  /** Frees what it holds in memory. */
  public void close() {
    if (chunks != null) {
      chunks.close();
    }
  }

  private TransferPlan here(TransferPlan plan) {
    if (file == null) {
      plan.causes().add(NoCollectiveCause.OTHER_FILE);
    }
    return plan;
  }

  RawFile file() {
    return file;
  }

  DatasetView view() {
    return view;
  }

  /** Returns what a transfer moves on this rank, checked. */
  TransferPlan plan(boolean write, Transfer transfer, DataBuffer buffer) {
    return here(
        write
            ? TransferPlan.writing(view, transfer, buffer)
            : TransferPlan.reading(view, transfer, buffer));
  }

  /** Returns whether this rank knows where all elements are in the file, as they are stored. */
  boolean isDirect(TransferPlan plan) {
    return plan.causes().isEmpty() && !view.isFiltered() && missing(plan).length == 0;
  }

  // --- by this rank alone ---

  /**
   * {@return what the dataset is like now; of a virtual one, what it was when its storage last
   * changed}
   */
  public DatasetInfo describe() {
    return view.info();
  }

  /**
   * {@return whether this rank can read by itself what a transfer asks for}
   *
   * @param transfer what this rank moves
   * @param target where the elements go
   */
  public boolean readsAlone(Transfer transfer, DataBuffer target) {
    TransferPlan plan = here(TransferPlan.reading(view, transfer, target));
    Set<NoCollectiveCause> causes = EnumSet.copyOf(plan.causes());
    causes.remove(NoCollectiveCause.COMPACT_LAYOUT);
    return plan.failure() != null || !TransferPlan.goesThroughRoot(causes);
  }

  /**
   * {@return reads, independently of the other ranks}
   *
   * @param transfer what this rank moves
   * @param target where the elements go
   */
  public TransferReport readAlone(Transfer transfer, DataBuffer target) {
    TransferPlan plan = here(TransferPlan.reading(view, transfer, target));
    requireSound(plan);
    new IndependentTransfer(file, view, chunks).read(plan);
    return alone(plan, "read by this rank");
  }

  /**
   * {@return writes, independently of the other ranks}
   *
   * @param transfer what this rank moves
   * @param source the elements to write
   */
  public TransferReport writeAlone(Transfer transfer, DataBuffer source) {
    TransferPlan plan = here(TransferPlan.writing(view, transfer, source));
    requireSound(plan);
    new IndependentTransfer(file, view, chunks).write(plan);
    return alone(plan, "written by this rank: " + file.explain());
  }

  private static void requireSound(TransferPlan plan) {
    if (plan.failure() != null) {
      throw plan.failure();
    }
  }

  private static TransferReport alone(TransferPlan plan, String how) {
    return TransferReport.independent(
        Set.of(NoCollectiveCause.INDEPENDENT_CALL), plan.elements(), how);
  }

  // --- by all ranks ---

  /**
   * Writes what every rank has. Collective.
   *
   * @param call the call, as ranks compare it
   * @param transfer what this rank moves
   * @param source the elements to write
   * @param goingOn hears of a transfer that goes on when this returns; null, on all ranks, if it
   *     shall have ended
   * @return how the elements were moved; null if the transfer goes on
   */
  public TransferReport write(
      ComparedCall call, Transfer transfer, DataBuffer source, GoingOn goingOn) {
    TransferPlan plan = here(TransferPlan.writing(view, transfer, source));
    long[] missing = missing(plan);
    Least least = agree(call, plan, missing.length > 0, goingOn != null);
    if (TransferPlan.goesThroughRoot(least.causes)) {
      adopt(throughRoot().write(plan));
      return report(plan, least, "by rank 0, rank after rank");
    }
    if (least.starts) {
      start(true, plan, least, goingOn);
      return null;
    }
    if (view.isFiltered()) {
      RankChunkReader reader = chunks;
      String how = new FilteredWrite(file, view, root, reader::forget, staged).write(plan);
      return report(plan, least, how);
    }
    if (least.missing) {
      findPlaces(missing);
    }
    DirectTransfer direct = new DirectTransfer(file, staged);
    direct.write(plan, plan.pieces(view), view.type().size(), least.windows);
    HyperslabException failure =
        plan.hasPoints() ? direct.writeRunByRun(plan, plan.allPieces(view)) : null;
    if (least.causes.contains(NoCollectiveCause.POINTS)) {
      agreement.requireSuccess(failure);
    }
    return report(plan, least, file.explain());
  }

  /**
   * Reads what every rank wants. Collective.
   *
   * @param call the call, as ranks compare it
   * @param transfer what this rank moves
   * @param target where the elements go
   * @param goingOn hears of a transfer that goes on when this returns; null, on all ranks, if it
   *     shall have ended
   * @return how the elements were moved; null if the transfer goes on
   */
  public TransferReport read(
      ComparedCall call, Transfer transfer, DataBuffer target, GoingOn goingOn) {
    TransferPlan plan = here(TransferPlan.reading(view, transfer, target));
    long[] missing = missing(plan);
    Least least = agree(call, plan, missing.length > 0, goingOn != null);
    if (TransferPlan.goesThroughRoot(least.causes)) {
      throughRoot().read(plan);
      return report(plan, least, "by rank 0, rank after rank");
    }
    if (least.starts) {
      start(false, plan, least, goingOn);
      return null;
    }
    if (view.isFiltered()) {
      return report(plan, least, new FilteredRead(file, view, chunks, staged).read(plan));
    }
    boolean byItself = plan.hasPoints() || missing.length > 0;
    HyperslabException failure = byItself ? readByItself(plan) : null;
    TransferPieces pieces = byItself ? TransferPieces.none() : plan.pieces(view);
    new DirectTransfer(file, staged).read(plan, pieces, view.type().size(), least.windows);
    if (least.missing || !least.causes.isEmpty()) {
      agreement.requireSuccess(failure);
    }
    return report(plan, least, file.explain());
  }

  /**
   * Moves elements of several datasets in one access, if every rank can. Collective.
   *
   * @param call the call, as ranks compare it
   * @param operation what this rank moves
   * @param datasets the datasets of its parts, all of one file
   * @return how the elements were moved; empty, on all ranks, if nothing was and the parts must be
   *     carried out one by one
   * @throws HyperslabException on all ranks if a part is wrong on any; nothing has moved then
   */
  public static Optional<TransferReport> together(
      ComparedCall call, Multi operation, List<ParallelDataset> datasets) {
    return new MultiDatasetAccess(datasets.getFirst().agreement, operation, datasets)
        .carryOut(call);
  }

  /**
   * A transfer that goes on after the call.
   *
   * @param future completes at its end
   * @param report hears how the elements were moved, before that; on any thread
   */
  record GoingOn(StartedFuture future, Consumer<TransferReport> report) {}

  private void start(boolean write, TransferPlan plan, Least least, GoingOn goingOn) {
    TransferPieces pieces = plan.pieces(view);
    TransferPieces.Extents extents =
        pieces.isEmpty()
            ? new TransferPieces.Extents(ExtentRuns.empty(), MemoryExtents.none())
            : pieces.extents(view.type().size());
    TransferReport unstaged = report(plan, least, "");
    file.start(
        write,
        extents,
        goingOn.future(),
        bytes ->
            goingOn
                .report()
                .accept(
                    new TransferReport(
                        true,
                        unstaged.local(),
                        unstaged.global(),
                        unstaged.elements(),
                        bytes,
                        file.explain())));
  }

  private RootTransfer throughRoot() {
    long bufferBytes = file == null ? DEFAULT_BUFFER_BYTES : file.windowBytes();
    return new RootTransfer(agreement, root, view, bufferBytes, staged);
  }

  private HyperslabException readByItself(TransferPlan plan) {
    try {
      new IndependentTransfer(file, view, chunks).read(plan);
      return null;
    } catch (RuntimeException e) {
      return SharedFailure.typed(e, "read");
    }
  }

  /**
   * What holds for some rank: the causes, whether places are missing, the most windows; and whether
   * every rank's part may go on by itself, and some part is worth it.
   */
  private record Least(
      Set<NoCollectiveCause> causes, boolean missing, long windows, boolean starts) {}

  /** Returns the causes as facts: 0 where a cause holds, which is what the least tells. */
  private static long[] facts(Set<NoCollectiveCause> causes) {
    long[] facts = new long[NoCollectiveCause.values().length];
    for (NoCollectiveCause cause : NoCollectiveCause.values()) {
      facts[cause.ordinal()] = causes.contains(cause) ? 0 : 1;
    }
    return facts;
  }

  private static Set<NoCollectiveCause> causes(long[] facts) {
    Set<NoCollectiveCause> causes = EnumSet.noneOf(NoCollectiveCause.class);
    for (NoCollectiveCause cause : NoCollectiveCause.values()) {
      if (facts[cause.ordinal()] == 0) {
        causes.add(cause);
      }
    }
    return causes;
  }

  private Least agree(ComparedCall call, TransferPlan plan, boolean missing, boolean goesOn) {
    staged.reset();
    long[] causes = facts(plan.causes());
    long[] facts = Arrays.copyOf(causes, causes.length + 4);
    long windowBytes = file == null ? 1 : file.windowBytes();
    facts[causes.length] = missing ? 0 : 1;
    facts[causes.length + 1] =
        plan.mover() == null ? -1 : -DirectTransfer.windows(plan, view.type().size(), windowBytes);
    facts[causes.length + 2] = goesOn && mayGoOn(plan, missing) ? 1 : 0;
    facts[causes.length + 3] = -plan.elements() * view.type().size();
    long[] least = agreement.require(call, plan.failure(), facts);
    boolean starts = least[causes.length + 2] == 1 && -least[causes.length + 3] >= WORTH_STARTING;
    return new Least(causes(least), least[causes.length] == 0, -least[causes.length + 1], starts);
  }

  /** Returns whether this rank's elements can go straight between memory and file by any thread. */
  private boolean mayGoOn(TransferPlan plan, boolean missing) {
    return file != null
        && file.starts()
        && !missing
        && plan.failure() == null
        && plan.causes().isEmpty()
        && !view.isFiltered()
        && (plan.selections() == null
            || (plan.mover().copies() && SharedMemory.isShared(plan.buffer().elements())));
  }

  /** Returns the coordinates, one chunk after the other, of unfiltered chunks without a place. */
  private long[] missing(TransferPlan plan) {
    if (plan.selections() == null || TransferPlan.goesThroughRoot(plan.causes())) {
      return new long[0];
    }
    if (!view.isChunked()) {
      return view.contiguousOffset() < 0 ? new long[] {0} : new long[0];
    }
    if (view.isFiltered()) {
      return new long[0];
    }
    List<long[]> missing = new ArrayList<>();
    Iterator<ChunkPiece> pieces =
        plan.selections().fileSelection().chunks(view.extent(), view.shape().chunkDims());
    while (pieces.hasNext()) {
      long[] scaled = pieces.next().scaled();
      if (view.chunks().find(scaled) == null) {
        missing.add(scaled);
      }
    }
    return missing.stream().flatMapToLong(Arrays::stream).toArray();
  }

  /** Collective: rank 0 allocates what is about to be written and has no place. */
  private void findPlaces(long[] missing) {
    if (!view.isChunked()) {
      adopt(
          agreement.fromRoot(() -> {
            root.storage().allocate();
            return root.snapshot();
          }));
      return;
    }
    int dimensions = view.extent().length;
    TreeSet<ChunkKey> all = new TreeSet<>();
    for (byte[] theirs : agreement.comm().allGatherBytes(LongBytes.bytes(missing))) {
      long[] scaled = LongBytes.of(theirs);
      for (int at = 0; at < scaled.length; at += dimensions) {
        all.add(new ChunkKey(Arrays.copyOfRange(scaled, at, at + dimensions)));
      }
    }
    List<long[]> wanted = all.stream().map(ChunkKey::scaled).toList();
    byte[] offsets =
        agreement.fromRoot(() ->
            LongBytes.bytes(
                root.storage().allocateChunks(wanted).stream()
                    .mapToLong(ChunkPlace::offset)
                    .toArray()));
    long[] at = LongBytes.of(offsets);
    for (int i = 0; i < at.length; i++) {
      view.chunks().put(new ChunkPlace(wanted.get(i), at[i], view.shape().chunkBytes(), 0));
    }
  }

  /**
   * Returns the rank's own causes: what stood in the way here, and what made all ranks go another
   * way.
   */
  private TransferReport report(TransferPlan plan, Least least, String how) {
    boolean collective = !TransferPlan.goesThroughRoot(least.causes) && !plan.hasPoints();
    return new TransferReport(
        collective, plan.causes(), least.causes, plan.elements(), staged.peak(), how);
  }
}
