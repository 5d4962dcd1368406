package org.hyperslab.plugins.mpiio.dataset;

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
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.agree.ComparedCall;
import org.hyperslab.plugins.mpiio.agree.LongBytes;
import org.hyperslab.plugins.mpiio.agree.StartedFuture;
import org.hyperslab.plugins.mpiio.filtered.FilteredRead;
import org.hyperslab.plugins.mpiio.filtered.FilteredWrite;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.plugins.mpiio.transfer.ChunkKey;
import org.hyperslab.plugins.mpiio.transfer.DatasetView;
import org.hyperslab.plugins.mpiio.transfer.DirectTransfer;
import org.hyperslab.plugins.mpiio.transfer.IndependentTransfer;
import org.hyperslab.plugins.mpiio.transfer.RankChunkReader;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.mpiio.transfer.RootDataset;
import org.hyperslab.plugins.mpiio.transfer.RootTransfer;
import org.hyperslab.plugins.mpiio.transfer.StagedBytes;
import org.hyperslab.plugins.mpiio.transfer.TransferFacts;
import org.hyperslab.plugins.mpiio.transfer.TransferPieces;
import org.hyperslab.plugins.mpiio.transfer.TransferPlan;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.vol.DatasetOperation.Multi;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * An open dataset, as one rank has it.
 *
 * <p>Thread rule: collective methods are called by one thread at a time, and by all ranks; the
 * others by any thread.
 */
public final class ParallelDataset {

  /** The buffer size of transfers through rank 0 where the file has no hints. */
  private static final long DEFAULT_BUFFER_BYTES = 16 << 20;

  /**
   * The least bytes of a transfer that is started in the background; for less, the overhead would
   * exceed the gain.
   */
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
   * @param file the access to its bytes; null if they are reached only through rank 0
   * @param agreement keeps the ranks in step
   * @param root the dataset in the engine; null on all ranks but rank 0
   * @param snapshot the result of {@link RootDataset#snapshot}, the same on all ranks
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

  /** {@return whether the dataset is virtual, so that a write changes other datasets} */
  public boolean isVirtual() {
    return view.layout() instanceof Layout.Virtual;
  }

  /** Releases its memory. */
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

  /** Returns the checked plan of a transfer on this rank. */
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
   * {@return the current properties of the dataset; for a virtual one, those at the last change of
   * its storage}
   */
  public DatasetInfo describe() {
    return view.info();
  }

  /**
   * {@return whether this rank can execute a read by itself}
   *
   * @param transfer the transfer of this rank
   * @param target the buffer that receives the elements
   */
  public boolean readsAlone(Transfer transfer, DataBuffer target) {
    TransferPlan plan = here(TransferPlan.reading(view, transfer, target));
    Set<NoCollectiveCause> causes = EnumSet.copyOf(plan.causes());
    causes.remove(NoCollectiveCause.COMPACT_LAYOUT);
    return plan.failure() != null || !TransferPlan.goesThroughRoot(causes);
  }

  /**
   * Reads independently of the other ranks.
   *
   * @param transfer the transfer of this rank
   * @param target the buffer that receives the elements
   * @return the report of the transfer
   */
  public TransferReport readAlone(Transfer transfer, DataBuffer target) {
    TransferPlan plan = here(TransferPlan.reading(view, transfer, target));
    requireSound(plan);
    new IndependentTransfer(file, view, chunks).read(plan);
    return alone(plan, "read by this rank");
  }

  /**
   * Writes independently of the other ranks.
   *
   * @param transfer the transfer of this rank
   * @param source the elements to write
   * @return the report of the transfer
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
   * Writes the elements of every rank. Collective.
   *
   * @param call the call, as ranks compare it
   * @param transfer the transfer of this rank
   * @param source the elements to write
   * @param background receives a transfer that continues in the background; null, on all ranks, to
   *     wait for its end
   * @return the report of the transfer; null if it continues in the background
   */
  public TransferReport write(
      ComparedCall call, Transfer transfer, DataBuffer source, BackgroundTransfer background) {
    TransferPlan plan = here(TransferPlan.writing(view, transfer, source));
    long[] missing = missing(plan);
    TransferFacts agreed = agree(call, plan, missing.length > 0, background != null);
    if (TransferPlan.goesThroughRoot(agreed.causes())) {
      adopt(throughRoot().write(plan));
      return report(plan, agreed, "by rank 0, rank after rank");
    }
    if (agreed.mayStart() && agreed.bytes() >= WORTH_STARTING) {
      start(true, plan, agreed, background);
      return null;
    }
    if (view.isFiltered()) {
      RankChunkReader reader = chunks;
      String how = new FilteredWrite(file, view, root, reader::forget, staged).write(plan);
      return report(plan, agreed, how);
    }
    if (agreed.missing()) {
      findPlaces(missing);
    }
    DirectTransfer direct = new DirectTransfer(file, staged);
    direct.write(plan, plan.pieces(view), view.type().size(), agreed.windows());
    HyperslabException failure =
        plan.hasPoints() ? direct.writeRunByRun(plan, plan.allPieces(view)) : null;
    if (agreed.causes().contains(NoCollectiveCause.POINTS)) {
      agreement.requireSuccess(failure);
    }
    return report(plan, agreed, file.explain());
  }

  /**
   * Reads the elements of every rank. Collective.
   *
   * @param call the call, as ranks compare it
   * @param transfer the transfer of this rank
   * @param target the buffer that receives the elements
   * @param background receives a transfer that continues in the background; null, on all ranks, to
   *     wait for its end
   * @return the report of the transfer; null if it continues in the background
   */
  public TransferReport read(
      ComparedCall call, Transfer transfer, DataBuffer target, BackgroundTransfer background) {
    TransferPlan plan = here(TransferPlan.reading(view, transfer, target));
    long[] missing = missing(plan);
    TransferFacts agreed = agree(call, plan, missing.length > 0, background != null);
    if (TransferPlan.goesThroughRoot(agreed.causes())) {
      throughRoot().read(plan);
      return report(plan, agreed, "by rank 0, rank after rank");
    }
    if (agreed.mayStart() && agreed.bytes() >= WORTH_STARTING) {
      start(false, plan, agreed, background);
      return null;
    }
    if (view.isFiltered()) {
      return report(plan, agreed, new FilteredRead(file, view, chunks, staged).read(plan));
    }
    boolean byItself = plan.hasPoints() || missing.length > 0;
    HyperslabException failure = byItself ? readByItself(plan) : null;
    TransferPieces pieces = byItself ? TransferPieces.none() : plan.pieces(view);
    new DirectTransfer(file, staged).read(plan, pieces, view.type().size(), agreed.windows());
    if (agreed.missing() || !agreed.causes().isEmpty()) {
      agreement.requireSuccess(failure);
    }
    return report(plan, agreed, file.explain());
  }

  /**
   * Moves elements of several datasets in one access, if every rank can. Collective.
   *
   * @param call the call, as ranks compare it
   * @param operation the transfers of this rank
   * @param datasets the datasets of its parts, all of one file
   * @return the report of the transfer; empty, on all ranks, if nothing was moved and the parts
   *     must be executed one by one
   * @throws HyperslabException on all ranks if a part is invalid on any; nothing was moved then
   */
  public static Optional<TransferReport> together(
      ComparedCall call, Multi operation, List<ParallelDataset> datasets) {
    return new MultiDatasetAccess(datasets.getFirst().agreement, operation, datasets)
        .carryOut(call);
  }

  /**
   * A transfer that continues in the background after the call.
   *
   * @param future completes at the end of the transfer
   * @param report receives the report of the transfer before that, on any thread
   */
  public record BackgroundTransfer(StartedFuture future, Consumer<TransferReport> report) {}

  private void start(
      boolean write, TransferPlan plan, TransferFacts agreed, BackgroundTransfer background) {
    TransferPieces pieces = plan.pieces(view);
    TransferPieces.Extents extents =
        pieces.isEmpty()
            ? new TransferPieces.Extents(ExtentRuns.empty(), MemoryExtents.none())
            : pieces.extents(view.type().size());
    TransferReport unstaged = report(plan, agreed, "");
    file.start(
        write,
        extents,
        background.future(),
        bytes ->
            background
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
    } catch (RuntimeException | Error e) {
      return SharedFailure.typed(e, "read");
    }
  }

  private TransferFacts agree(
      ComparedCall call, TransferPlan plan, boolean missing, boolean mayStart) {
    staged.reset();
    long windowBytes = file == null ? 1 : file.windowBytes();
    long windows =
        plan.mover() == null ? 1 : DirectTransfer.windows(plan, view.type().size(), windowBytes);
    TransferFacts mine =
        new TransferFacts(
            plan.causes(),
            missing,
            windows,
            mayStart && movesInBackground(plan, missing),
            plan.elements() * view.type().size());
    return TransferFacts.decode(agreement.require(call, plan.failure(), mine.encode()));
  }

  /** Returns whether any thread can move this rank's elements directly between memory and file. */
  private boolean movesInBackground(TransferPlan plan, boolean missing) {
    return file != null
        && file.starts()
        && !missing
        && plan.failure() == null
        && plan.causes().isEmpty()
        && !view.isFiltered()
        && (plan.selections() == null
            || (plan.mover().copies() && SharedMemory.isShared(plan.buffer().elements())));
  }

  /** Returns the concatenated coordinates of unfiltered chunks without a place. */
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

  /**
   * Makes rank 0 allocate places for elements that are about to be written and have none;
   * collective.
   */
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

  /** Returns the report of a transfer, with the causes of this rank and of all ranks. */
  private TransferReport report(TransferPlan plan, TransferFacts agreed, String how) {
    boolean collective = !TransferPlan.goesThroughRoot(agreed.causes()) && !plan.hasPoints();
    return new TransferReport(
        collective, plan.causes(), agreed.causes(), plan.elements(), staged.peak(), how);
  }
}
