package org.hyperslab.plugins.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.nativevol.transfer.ContiguousTransfer;
import org.hyperslab.plugins.nativevol.transfer.RawBytes;

/**
 * Transfers elements by one rank alone, through its view of the storage.
 *
 * <p>Thread rule: any thread.
 */
public final class IndependentTransfer {

  private final RawFile file;
  private final DatasetView view;
  private final RankChunkReader chunks;

  /**
   * Creates transfers of a dataset.
   *
   * @param chunks reads chunks; null for other layouts
   */
  public IndependentTransfer(RawFile file, DatasetView view, RankChunkReader chunks) {
    this.file = file;
    this.view = view;
    this.chunks = chunks;
  }

  /** Reads the elements of a plan without the other ranks. The elements may be in the header. */
  public void read(TransferPlan plan) {
    if (plan.selections() == null) {
      return;
    }
    if (view.isChunked()) {
      chunks.read(plan);
      return;
    }
    new ContiguousTransfer(file.resources()).read(bytes(), plan.selections(), plan.mover());
  }

  private RawBytes bytes() {
    if (view.compact().length > 0) {
      return new CompactBytes(MemorySegment.ofArray(view.compact()));
    }
    return view.contiguousOffset() < 0
        ? view.fill().bytes()
        : new StoreBytes(file, view.contiguousOffset());
  }

  /**
   * Writes the elements of a plan without the other ranks.
   *
   * @throws InvalidUseException if that needs the other ranks, naming why
   */
  public void write(TransferPlan plan) {
    requirePossible(plan.causes());
    if (plan.selections() == null) {
      return;
    }
    requirePlaces(plan);
    DirectTransfer direct = new DirectTransfer(file, new StagedBytes());
    if (plan.hasPoints() || !plan.mover().copies()) {
      HyperslabException failure = direct.writeRunByRun(plan, plan.allPieces(view));
      if (failure != null) {
        throw failure;
      }
      return;
    }
    TransferPieces.Extents extents = plan.pieces(view).extents(view.type().size());
    file.writeAlone(extents.file(), extents.memory());
  }

  private void requirePossible(Set<NoCollectiveCause> causes) {
    String why = "";
    if (TransferPlan.goesThroughRoot(causes)) {
      why = causes.stream().sorted().map(NoCollectiveCause::text).collect(Collectors.joining("; "));
    } else if (view.isFiltered()) {
      why = "filtered chunks change their size, and only rank 0 can allocate places";
    }
    if (!why.isEmpty()) {
      throw alone(why);
    }
  }

  private InvalidUseException alone(String why) {
    return new InvalidUseException(
        "independent write: actual="
            + why
            + ", expected=a collective transfer, at="
            + file.name()
            + "; give the call TransferOptions.COLLECTIVE on all ranks, or the connector the option"
            + " transfers=collective");
  }

  private void requirePlaces(TransferPlan plan) {
    boolean all = view.isChunked() ? missing(plan) == null : view.contiguousOffset() >= 0;
    if (!all) {
      throw alone("elements have no place in the file yet, and only rank 0 can allocate it");
    }
  }

  private long[] missing(TransferPlan plan) {
    Iterator<ChunkPiece> pieces =
        plan.selections().fileSelection().chunks(view.extent(), view.shape().chunkDims());
    while (pieces.hasNext()) {
      long[] scaled = pieces.next().scaled();
      if (view.chunks().find(scaled) == null) {
        return scaled;
      }
    }
    return null;
  }

  /** The elements of a compact dataset. */
  private record CompactBytes(MemorySegment data) implements RawBytes {
    @Override
    public void read(long offset, MemorySegment target) {
      MemorySegment.copy(data, offset, target, 0, target.byteSize());
    }

    @Override
    public void write(long offset, MemorySegment source) {
      throw new IllegalStateException("compact elements are written by rank 0");
    }
  }

  /** The elements of a contiguous dataset. */
  private record StoreBytes(RawFile file, long base) implements RawBytes {
    @Override
    public void read(long offset, MemorySegment target) {
      file.store().read(base + offset, target);
    }

    @Override
    public void write(long offset, MemorySegment source) {
      file.write(base + offset, source);
    }
  }
}
