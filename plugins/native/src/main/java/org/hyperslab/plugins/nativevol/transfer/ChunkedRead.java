package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;

/**
 * Reads elements of a chunked dataset once: chunk by chunk, in several threads if there are several
 * chunks. Chunks without filters are read run by run.
 *
 * <p>Thread rule: created and run by one thread.
 */
final class ChunkedRead {

  /**
   * The greatest number of bytes that the caller's thread moves alone from chunks that are already
   * decoded.
   */
  private static final long ALONE_BYTES = 1L << 20;

  /** The number of chunks looked up in the cache before any missing one is read. */
  private static final int LOOK_AHEAD = 4096;

  private final DecodedChunks chunks;
  private final ChunkShape shape;
  private final ElementTransfer transfer;
  private final ElementMover mover;

  /** Whether decoded chunks are kept in the cache. */
  private boolean keeps;

  ChunkedRead(DecodedChunks chunks, ElementTransfer transfer, ElementMover mover) {
    this.chunks = chunks;
    this.shape = chunks.shape();
    this.transfer = transfer;
    this.mover = mover;
  }

  /** Reads the elements. */
  void run() {
    chunks.beginTransfer();
    Iterator<ChunkPiece> pieces =
        transfer.fileSelection().chunks(transfer.fileExtent(), shape.chunkDims());
    if (chunks.areKept()) {
      List<ChunkPiece> absent = moveKept(pieces);
      // Of more chunks than there is room for, each would be evicted before it is used again.
      keeps = absent.size() * shape.chunkBytes() <= chunks.room();
      readEach(absent.iterator());
    }
    readEach(pieces);
    chunks.endTransfer(false);
  }

  /**
   * Moves the first pieces whose chunks are already decoded: for a small piece, handing it to
   * another thread costs more than moving it. Stops when the transfer proves to be large.
   *
   * @return the pieces whose chunks must be read
   */
  private List<ChunkPiece> moveKept(Iterator<ChunkPiece> pieces) {
    List<ChunkPiece> absent = new ArrayList<>();
    long movedBytes = 0;
    while (movedBytes < ALONE_BYTES && absent.size() < LOOK_AHEAD && pieces.hasNext()) {
      ChunkPiece piece = pieces.next();
      ChunkCache.Entry present = chunks.pinIfPresent(piece.scaled());
      if (present == null) {
        absent.add(piece);
      } else {
        moveAndReturn(piece, mover, chunks.use(present));
        movedBytes += piece.elementCount() * mover.targetSize();
      }
    }
    return absent;
  }

  private void readEach(Iterator<ChunkPiece> all) {
    ChunkPlaces places = chunks.places();
    Iterator<ChunkPiece> pieces =
        places.prefetches()
            ? new PrefetchedPieces(all, places, shape, transfer, mover.sourceSize())
            : all;
    if (transfer.mayBeShared(mover) && chunks.workers().threads() > 1) {
      chunks.workers().forEach(pieces, piece -> readPiece(piece, mover.fork()));
    } else {
      pieces.forEachRemaining(piece -> readPiece(piece, mover));
    }
  }

  private void readPiece(ChunkPiece piece, ElementMover own) {
    long[] scaled = piece.scaled();
    if (!shape.isFiltered(scaled, transfer.fileExtent())) {
      readRuns(piece, own, chunks.unfiltered(chunks.places().find(scaled)));
      return;
    }
    ChunkCache.Entry present = chunks.pinIfPresent(scaled);
    if (present != null) {
      moveAndReturn(piece, own, chunks.use(present));
    } else {
      readFiltered(piece, own);
    }
  }

  private void readFiltered(ChunkPiece piece, ElementMover own) {
    ChunkLocation location = chunks.places().find(piece.scaled());
    if (!location.isAllocated()) {
      readRuns(piece, own, shape.fill().bytes());
      return;
    }
    MemorySegment direct = directTarget(piece, own);
    if (direct != null) {
      chunks.codec().decode(piece.scaled(), location, direct);
    } else if (!keeps || piece.coversExtent()) {
      moveAndReturn(piece, own, chunks.codec().decoded(piece.scaled(), location));
    } else {
      moveAndReturn(piece, own, chunks.use(piece.scaled(), location));
    }
  }

  /**
   * Returns the memory of a chunk's elements if the chunk can be decoded into it, otherwise null.
   * It can if all of them are read, in one run, without conversion, and outside the heap, where
   * filters accept only arrays of bytes.
   */
  private MemorySegment directTarget(ChunkPiece piece, ElementMover own) {
    if (!own.copies() || !piece.isWhole() || !transfer.memory().isNative()) {
      return null;
    }
    RunPairs pairs = transfer.pairs(piece);
    return pairs.nextGroup() && pairs.length() == piece.elementCount()
        ? transfer
            .memory()
            .asSlice(pairs.memoryOffset() * own.targetSize(), pairs.length() * own.targetSize())
        : null;
  }

  private void readRuns(ChunkPiece piece, ElementMover own, RawBytes bytes) {
    var memory = new RunReader.Memory(transfer.memory(), chunks.pool());
    new RunReader(bytes, transfer.pairs(piece), own, memory, shape.chunkBytes()).run();
  }

  /** Moves the elements of a piece to memory, and returns the chunk to its owner. */
  private void moveAndReturn(ChunkPiece piece, ElementMover own, LentChunk lent) {
    try (LentChunk chunk = lent) {
      RunPairs pairs = transfer.pairs(piece);
      int fileSize = own.sourceSize();
      int memorySize = own.targetSize();
      while (pairs.nextGroup()) {
        own.move(
            chunk.bytes(),
            new Steps(pairs.fileOffset() * fileSize, pairs.fileStride() * fileSize),
            transfer.memory(),
            new Steps(pairs.memoryOffset() * memorySize, pairs.memoryStride() * memorySize),
            pairs.length(),
            pairs.repeats());
      }
    }
  }
}
