package org.hyperslab.plugins.mpiio.filtered;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.filter.EncodedChunk;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.StoredChunk;
import org.hyperslab.format.filter.WriteCheck;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.mpiio.transfer.ChunkKey;
import org.hyperslab.plugins.mpiio.transfer.DatasetView;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.mpiio.transfer.StagedBytes;
import org.hyperslab.plugins.mpiio.transfer.TransferPlan;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;

/**
 * One rank's part in a {@link FilteredWrite}: sends its parts of other ranks' chunks, and builds
 * its own chunks from the parts it receives.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ChunkMaker implements AutoCloseable {

  private final RawFile file;
  private final DatasetView view;
  private final TransferPlan plan;
  private final Map<ChunkKey, ChunkPiece> mine;
  private final FilterScratch scratch = new FilterScratch();
  private final byte[] chunk;
  private RuntimeException packing;
  private final StagedBytes staged;
  private long waiting;

  ChunkMaker(
      RawFile file,
      DatasetView view,
      TransferPlan plan,
      Map<ChunkKey, ChunkPiece> mine,
      StagedBytes staged) {
    this.file = file;
    this.staged = staged;
    this.view = view;
    this.plan = plan;
    this.mine = mine;
    this.chunk = new byte[Math.toIntExact(view.shape().chunkBytes())];
    staged.add(chunk.length);
  }

  private void hold(long bytes) {
    waiting += bytes;
    staged.add(bytes);
  }

  /** Releases the staged memory of a round. */
  void done() {
    staged.add(-waiting);
    waiting = 0;
  }

  /**
   * A chunk as it will be stored.
   *
   * @param number the index in the list of all chunks of the write
   */
  record Made(long number, long[] scaled, Lease bytes, int filterMask) implements AutoCloseable {
    @Override
    public void close() {
      bytes.close();
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** Exchanges the parts of a round and returns the received parts, to be closed; collective. */
  PartExchange.Received exchange(Communicator comm, Round round) {
    long[] counts = new long[comm.size()];
    int elementSize = view.type().size();
    round.ofOthers(
        comm.rank(),
        mine,
        (number, owner, piece) ->
            counts[owner] += ChunkParts.bytes(piece, plan.selections(), elementSize));
    PartExchange exchange = new PartExchange(comm, file.resources().buffers());
    long[] theirs = exchange.counts(counts);
    hold(Arrays.stream(theirs).sum());
    staged.note(Arrays.stream(counts).sum());
    return exchange.exchange(
        (message, at) -> pack(message, at, comm.rank(), round), counts, theirs);
  }

  /**
   * Packs the parts for a rank. A failure is kept for {@link #make}, because the other ranks wait
   * for the message.
   */
  private void pack(MemorySegment message, long[] at, int rank, Round round) {
    try {
      round.ofOthers(
          rank,
          mine,
          (number, owner, piece) ->
              at[owner] =
                  ChunkParts.write(
                      message, at[owner], number, piece, plan.selections(), plan.mover()));
    } catch (RuntimeException | Error e) {
      message.fill((byte) 0);
      packing = SharedFailure.typed(e, "packing chunks");
    }
  }

  /** Builds the chunks of a round that this rank owns. */
  void make(int rank, Round round, PartExchange.Received received, List<Made> made) {
    if (packing != null) {
      throw packing;
    }
    Map<Integer, List<long[]>> parts = parts(received);
    round.owned(
        rank,
        (number, chunk) -> {
          List<long[]> others = parts.getOrDefault(number, List.of());
          assemble(rank, chunk.scaled(), mine.get(chunk), others, received.bytes());
          made.add(encoded(number, chunk.scaled()));
        });
  }

  /** Returns for each chunk the parts received, as rank and offset, in order of ranks. */
  private Map<Integer, List<long[]>> parts(PartExchange.Received received) {
    Map<Integer, List<long[]>> parts = new HashMap<>();
    int elementSize = view.type().size();
    for (int rank = 0; rank < received.offsets().length - 1; rank++) {
      long at = received.offsets()[rank];
      while (at < received.offsets()[rank + 1]) {
        parts
            .computeIfAbsent(
                (int) ChunkParts.number(received.bytes(), at), number -> new ArrayList<>())
            .add(new long[] {rank, at});
        at = ChunkParts.end(received.bytes(), at, elementSize);
      }
    }
    return parts;
  }

  private void assemble(
      int rank, long[] scaled, ChunkPiece own, List<long[]> others, MemorySegment received) {
    MemorySegment target = MemorySegment.ofArray(chunk);
    if (!covered(scaled, own, others, received)) {
      load(scaled, target);
    } else if (view.shape().isPartialEdge(scaled, view.extent())) {
      view.shape().fill().fill(target);
    }
    boolean placed = own == null;
    for (long[] part : others) {
      if (!placed && part[0] > rank) {
        ChunkParts.move(own, plan.selections(), plan.mover(), target);
        placed = true;
      }
      ChunkParts.apply(received, part[1], target, view.type().size());
    }
    if (!placed) {
      ChunkParts.move(own, plan.selections(), plan.mover(), target);
    }
  }

  /** Returns whether the parts overwrite all of the chunk's old content. */
  private boolean covered(
      long[] scaled, ChunkPiece own, List<long[]> others, MemorySegment received) {
    long inside = 1;
    for (int d = 0; d < scaled.length; d++) {
      long length = view.shape().chunkDims()[d];
      inside *= Math.min(length, view.extent()[d] - scaled[d] * length);
    }
    if (others.isEmpty()) {
      return own.coversExtent();
    }
    long elements = own == null ? 0 : own.elementCount();
    for (long[] part : others) {
      elements += ChunkParts.elements(received, part[1]);
    }
    if (elements < inside) {
      return false;
    }
    BitSet covered = new BitSet();
    if (own != null) {
      ChunkParts.mark(own, covered);
    }
    others.forEach(part -> ChunkParts.mark(received, part[1], covered));
    return covered.cardinality() == inside;
  }

  private void load(long[] scaled, MemorySegment target) {
    ChunkPlace place = view.chunks().find(scaled);
    if (place == null) {
      view.shape().fill().fill(target);
      return;
    }
    if (!view.shape().isFiltered(scaled, view.extent())) {
      file.store().read(place.offset(), target);
      return;
    }
    long limit = Math.addExact(Math.multiplyExact(view.shape().chunkBytes(), 2), 1 << 20);
    if (place.storedBytes() < 0 || place.storedBytes() > limit) {
      throw new CorruptFileException(
          file.name(),
          "chunk",
          place.offset(),
          "stored size actual=" + place.storedBytes() + ", expected=0.." + limit);
    }
    MemorySegment input = scratch.input(place.storedBytes());
    file.store().read(place.offset(), input);
    StoredChunk stored = new StoredChunk(input, place.filterMask(), file.name(), place.offset());
    long least = view.shape().bytesInside(scaled, view.extent());
    long made = view.shape().pipeline().decode(stored, least, target, scratch);
    if (made < target.byteSize()) {
      target.asSlice(made).fill((byte) 0);
    }
  }

  private Made encoded(int number, long[] scaled) {
    MemorySegment content = MemorySegment.ofArray(chunk);
    MemorySegment bytes = content;
    int mask = 0;
    WriteCheck check = null;
    if (view.shape().isFiltered(scaled, view.extent())) {
      check = file.verifies() ? WriteCheck.begin(view.shape().pipeline(), content) : null;
      EncodedChunk encoded = view.shape().pipeline().encode(content, scratch);
      bytes = encoded.bytes();
      mask = encoded.filterMask();
    }
    Lease kept = file.resources().buffers().take(bytes.byteSize());
    kept.segment().copyFrom(bytes);
    if (check != null) {
      verify(check, scaled, kept, mask);
    }
    hold(bytes.byteSize());
    return new Made(number, scaled, kept, mask);
  }

  private void verify(WriteCheck check, long[] scaled, Lease kept, int mask) {
    try {
      check.require(
          new StoredChunk(kept.segment(), mask, file.name(), CorruptFileException.NO_OFFSET),
          () -> "chunk " + Arrays.toString(scaled) + " of a dataset",
          scratch);
    } catch (RuntimeException | Error failure) {
      kept.close();
      throw failure;
    }
  }

  @Override
  public void close() {
    scratch.close();
    staged.add(-chunk.length);
  }
}
