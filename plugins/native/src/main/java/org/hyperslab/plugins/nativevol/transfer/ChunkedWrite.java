package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;

/**
 * Writes elements of a chunked dataset once, in batches of chunks. Each chunk is filled and encoded
 * by any thread; the caller's thread then allocates places and writes bytes, in the order of
 * chunks, so that equal calls produce equal files.
 *
 * <p>Thread rule: created and run by one thread, which holds the file's write lock.
 */
final class ChunkedWrite {

  /** The greatest share of a chunk, as a divisor, that is taken for the beginning of a chunk. */
  private static final int BEGUN_SHARE = 2;

  private final DecodedChunks chunks;
  private final ChunkShape shape;
  private final ElementTransfer transfer;
  private final ElementMover mover;

  ChunkedWrite(DecodedChunks chunks, ElementTransfer transfer, ElementMover mover) {
    this.chunks = chunks;
    this.shape = chunks.shape();
    this.transfer = transfer;
    this.mover = mover;
  }

  /** Writes the elements. */
  void run() {
    chunks.beginTransfer();
    Iterator<ChunkPiece> pieces =
        transfer.fileSelection().chunks(transfer.fileExtent(), shape.chunkDims());
    int batchSize = chunks.batchSize();
    while (pieces.hasNext()) {
      List<Pending> batch = new ArrayList<>();
      while (pieces.hasNext() && batch.size() < batchSize) {
        batch.add(pending(pieces.next()));
      }
      write(batch);
    }
  }

  private void write(List<Pending> batch) {
    store(batch);
    chunks.endTransfer(true);
  }

  private void store(List<Pending> batch) {
    try {
      if (mover.frees()) {
        batch.forEach(each -> {
          each.fill(mover);
          each.store();
        });
        return;
      }
      if (batch.size() > 1 && transfer.mayBeShared(mover) && chunks.workers().threads() > 1) {
        chunks.workers().forEach(batch.iterator(), each -> each.fill(mover.fork()));
      } else {
        batch.forEach(each -> each.fill(mover));
      }
      batch.forEach(Pending::store);
    } finally {
      batch.forEach(Pending::close);
    }
  }

  private Pending pending(ChunkPiece piece) {
    long[] scaled = piece.scaled();
    boolean covers = piece.coversExtent() && !mover.needsBackground();
    if (!shape.isFiltered(scaled, transfer.fileExtent())) {
      ChunkLocation location = chunks.places().find(scaled);
      return location.isAllocated() && chunks.places().mayOverwrite(scaled, location)
          ? new InPlace(piece, location)
          : new Whole(piece, false, covers);
    }
    return !chunks.areKept() || (covers && !isBegun(piece))
        ? new Whole(piece, true, covers)
        : new Kept(piece);
  }

  /**
   * Returns whether a piece is the beginning of a new chunk, which waits in memory for the rest:
   * rows that are appended one by one would otherwise encode and decode it.
   */
  private boolean isBegun(ChunkPiece piece) {
    return piece.elementCount() <= elementsOfChunk() / BEGUN_SHARE
        && !chunks.places().find(piece.scaled()).isAllocated();
  }

  private long elementsOfChunk() {
    return shape.chunkBytes() / shape.elementSize();
  }

  private void moveToChunk(ChunkPiece piece, ElementMover own, MemorySegment chunk) {
    RunPairs pairs = transfer.pairs(piece);
    int fileSize = own.targetSize();
    int memorySize = own.sourceSize();
    while (pairs.nextGroup()) {
      own.move(
          transfer.memory(),
          new Steps(pairs.memoryOffset() * memorySize, pairs.memoryStride() * memorySize),
          chunk,
          new Steps(pairs.fileOffset() * fileSize, pairs.fileStride() * fileSize),
          pairs.length(),
          pairs.repeats());
    }
  }

  /** A chunk being written: filled by any thread, stored by the caller's thread. */
  private interface Pending extends AutoCloseable {
    void fill(ElementMover own);

    default void store() {}

    @Override
    default void close() {}
  }

  /** Runs that are written directly into a chunk without filters. */
  private final class InPlace implements Pending {
    private final ChunkPiece piece;
    private final ChunkLocation location;

    InPlace(ChunkPiece piece, ChunkLocation location) {
      this.piece = piece;
      this.location = location;
    }

    @Override
    public void fill(ElementMover own) {
      var memory = new RunReader.Memory(transfer.memory(), chunks.pool());
      RawBytes bytes = chunks.unfiltered(location);
      new RunWriter(bytes, transfer.pairs(piece), own, memory, shape.chunkBytes()).run();
    }
  }

  /** A chunk that is written whole. */
  private final class Whole implements Pending {
    private final ChunkPiece piece;
    private final boolean filtered;
    private final boolean covers;
    private ChunkCodec.Encoded made;
    private HyperslabException refusal;

    Whole(ChunkPiece piece, boolean filtered, boolean covers) {
      this.piece = piece;
      this.filtered = filtered;
      this.covers = covers;
    }

    @Override
    public void fill(ElementMover own) {
      if (filtered) {
        try (LentChunk chunk = chunks.codec().blank()) {
          make(chunk.bytes(), own);
          made = chunks.codec().encode(piece.scaled(), chunk.bytes());
        }
      } else {
        made = new ChunkCodec.Encoded(chunks.pool().take(shape.chunkBytes()), 0);
        make(made.bytes().segment(), own);
      }
    }

    private void make(MemorySegment chunk, ElementMover own) {
      if (!covers) {
        load(chunk);
      } else if (!piece.isWhole()) {
        shape.fill().fill(chunk);
      }
      try {
        moveToChunk(piece, own, chunk);
      } catch (HyperslabException refused) {
        if (!own.frees()) {
          throw refused;
        }
        refusal = refused;
      }
      shape.fill().own(chunk);
    }

    private void load(MemorySegment chunk) {
      if (filtered) {
        chunks.decode(piece.scaled(), chunk);
      } else {
        chunks.unfiltered(chunks.places().find(piece.scaled())).read(0, chunk);
      }
    }

    @Override
    public void store() {
      chunks.put(piece.scaled(), made.bytes().segment(), made.filterMask(), !filtered);
      chunks.forget(piece.scaled());
      if (refusal != null) {
        throw refusal;
      }
    }

    @Override
    public void close() {
      if (made != null) {
        made.close();
      }
    }
  }

  /** A filtered chunk written in part: it stays in memory, decoded, until it is encoded. */
  private final class Kept implements Pending {
    private final ChunkPiece piece;

    Kept(ChunkPiece piece) {
      this.piece = piece;
    }

    @Override
    public void fill(ElementMover own) {
      try (LentChunk chunk = chunks.change(chunks.pin(piece.scaled()))) {
        moveToChunk(piece, own, chunk.bytes());
      }
    }
  }
}
