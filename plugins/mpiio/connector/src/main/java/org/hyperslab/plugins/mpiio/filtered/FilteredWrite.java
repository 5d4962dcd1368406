package org.hyperslab.plugins.mpiio.filtered;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.plugins.mpiio.agree.LongBytes;
import org.hyperslab.plugins.mpiio.transfer.ChunkKey;
import org.hyperslab.plugins.mpiio.transfer.DatasetView;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.mpiio.transfer.RootDataset;
import org.hyperslab.plugins.mpiio.transfer.StagedBytes;
import org.hyperslab.plugins.mpiio.transfer.TransferPlan;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;

/**
 * A collective write to filtered chunks. Each written chunk has one owner. The other ranks send it
 * their parts; the owner combines them, in order of ranks, with the old content of the chunk unless
 * the parts cover it, and encodes the chunk. Rank 0 allocates places for the new sizes and indexes
 * them, in row-major order of chunks, and the owners write.
 *
 * <p>It proceeds in rounds, so that the parts and chunks in flight on a rank stay within a buffer
 * of {@code cb_buffer_size}, or one chunk for each rank if that is more.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class FilteredWrite {

  private final RawFile file;
  private final DatasetView view;
  private final RootDataset root;
  private final Agreement agreement;
  private final Communicator comm;
  private final Consumer<long[]> changed;
  private final StagedBytes staged;

  /**
   * Creates a write.
   *
   * @param root the dataset in the engine; null on all ranks but rank 0
   * @param changed receives every chunk that has new content
   */
  public FilteredWrite(
      RawFile file,
      DatasetView view,
      RootDataset root,
      Consumer<long[]> changed,
      StagedBytes staged) {
    this.staged = staged;
    this.file = file;
    this.view = view;
    this.root = root;
    this.agreement = file.agreement();
    this.comm = agreement.comm();
    this.changed = changed;
  }

  /** Writes; returns a description with the number of rounds and of chunks that this rank owned. */
  public String write(TransferPlan plan) {
    TreeMap<ChunkKey, ChunkPiece> mine = ChunkClaims.of(plan, view);
    int dimensions = view.extent().length;
    long[][] claims = ChunkClaims.gathered(comm, ChunkClaims.encoded(mine, dimensions));
    ChunkOwners owners = ChunkOwners.forWriting(dimensions, claims);
    List<List<Integer>> rounds = ChunkClaims.rounds(owners, file, view);
    int owned = 0;
    try (ChunkMaker maker = new ChunkMaker(file, view, plan, mine, staged)) {
      for (List<Integer> round : rounds) {
        owned += round(maker, new Round(owners.chunks(), round));
      }
    }
    return "filtered chunks with an owner each: "
        + owners.chunks().size()
        + " chunks in "
        + rounds.size()
        + " rounds, "
        + owned
        + " owned by this rank";
  }

  /** Writes the chunks of a round; returns the number of them that this rank owns. */
  private int round(ChunkMaker maker, Round round) {
    List<ChunkMaker.Made> made = new ArrayList<>();
    try (PartExchange.Received received = maker.exchange(comm, round)) {
      HyperslabException failure = null;
      try {
        maker.make(comm.rank(), round, received, made);
      } catch (RuntimeException | Error e) {
        failure = SharedFailure.typed(e, "encoding chunks");
      }
      agreement.requireSuccess(failure);
      List<ChunkPlace> places = place(round.chunks(), made);
      writeOut(made, places);
      return made.size();
    } finally {
      made.forEach(ChunkMaker.Made::close);
      maker.done();
    }
  }

  /** Returns the places of all chunks of the round, in row-major order, on every rank. */
  private List<ChunkPlace> place(List<ChunkOwners.Touched> chunks, List<ChunkMaker.Made> made) {
    long[] sizes = new long[3 * made.size()];
    for (int i = 0; i < made.size(); i++) {
      sizes[3 * i] = made.get(i).number();
      sizes[3 * i + 1] = made.get(i).bytes().segment().byteSize();
      sizes[3 * i + 2] = made.get(i).filterMask();
    }
    TreeMap<Long, ChunkPlace> wanted = new TreeMap<>();
    for (long[] theirs : ChunkClaims.gathered(comm, sizes)) {
      for (int i = 0; i < theirs.length; i += 3) {
        long[] scaled = chunks.get((int) theirs[i]).scaled().scaled();
        wanted.put(theirs[i], new ChunkPlace(scaled, -1, theirs[i + 1], (int) theirs[i + 2]));
      }
    }
    byte[] offsets =
        agreement.fromRoot(() ->
            LongBytes.bytes(
                root.storage().place(List.copyOf(wanted.values())).stream()
                    .mapToLong(ChunkPlace::offset)
                    .toArray()));
    long[] at = LongBytes.of(offsets);
    List<ChunkPlace> places = new ArrayList<>();
    int i = 0;
    for (ChunkPlace each : wanted.values()) {
      ChunkPlace place =
          new ChunkPlace(each.scaled(), at[i++], each.storedBytes(), each.filterMask());
      view.chunks().put(place);
      changed.accept(each.scaled());
      places.add(place);
    }
    return places;
  }

  private void writeOut(List<ChunkMaker.Made> made, List<ChunkPlace> places) {
    HyperslabException failure = null;
    try {
      for (ChunkMaker.Made each : made) {
        file.write(view.chunks().find(each.scaled()).offset(), each.bytes().segment());
      }
    } catch (RuntimeException | Error e) {
      failure = SharedFailure.typed(e, "writing chunks");
    }
    try {
      agreement.requireSuccess(failure);
    } catch (HyperslabException unwritten) {
      // The index refers to unwritten places: the file must not be flushed.
      if (root != null && !places.isEmpty()) {
        root.storage().fail(unwritten);
      }
      throw unwritten;
    }
  }
}
