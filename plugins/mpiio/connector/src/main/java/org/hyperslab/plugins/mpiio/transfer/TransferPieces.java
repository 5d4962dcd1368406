package org.hyperslab.plugins.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.plugins.nativevol.transfer.ElementTransfer;

/**
 * The pieces of a rank's transfer by their places in the file, in ascending order: one piece for a
 * contiguous dataset, otherwise one for each chunk.
 *
 * <p>Thread rule: immutable.
 */
public final class TransferPieces {

  private final List<Piece> pieces;
  private final MemorySegment memory;

  private TransferPieces(List<Piece> pieces, MemorySegment memory) {
    this.pieces = pieces;
    this.memory = memory;
  }

  /**
   * A part of the elements whose runs are counted from one offset.
   *
   * @param offset the offset in the file, from which offsets of its pairs count
   * @param pairs creates the pairs of file and memory runs, with the file side ascending
   */
  record Piece(long offset, Supplier<RunPairs> pairs) {}

  /** Returns an empty transfer. */
  public static TransferPieces none() {
    return new TransferPieces(List.of(), MemorySegment.NULL);
  }

  /** Returns the transfer of a dataset whose elements are contiguous from an offset on. */
  static TransferPieces contiguous(long offset, ElementTransfer transfer) {
    if (transfer.elements() == 0) {
      return none();
    }
    Supplier<RunPairs> pairs =
        () ->
            RunPairs.of(
                transfer.fileSelection(),
                transfer.fileExtent(),
                transfer.memorySelection(),
                transfer.memoryExtent());
    return new TransferPieces(List.of(new Piece(offset, pairs)), transfer.memory());
  }

  /** Returns the transfer of the chunks that have a place; others are skipped. */
  static TransferPieces chunked(DatasetView view, ElementTransfer transfer) {
    List<Piece> pieces = new ArrayList<>();
    Iterator<ChunkPiece> chunks =
        transfer.fileSelection().chunks(transfer.fileExtent(), view.shape().chunkDims());
    while (chunks.hasNext()) {
      ChunkPiece chunk = chunks.next();
      ChunkPlace place = view.chunks().find(chunk.scaled());
      if (place != null) {
        pieces.add(
            new Piece(
                place.offset(),
                () -> chunk.pairs(transfer.memorySelection(), transfer.memoryExtent())));
      }
    }
    pieces.sort(Comparator.comparingLong(Piece::offset));
    return new TransferPieces(pieces, transfer.memory());
  }

  /** Returns whether there are no pieces. */
  public boolean isEmpty() {
    return pieces.isEmpty();
  }

  /** Returns the pieces, ascending. */
  List<Piece> list() {
    return pieces;
  }

  /** Returns the memory that all pieces are moved to or from. */
  MemorySegment memory() {
    return memory;
  }

  /** Walks all pairs. */
  PairStream stream(int fileSize, int memorySize) {
    return new PairStream(pieces.iterator(), fileSize, memorySize);
  }

  /** The file extents and the corresponding memory of a transfer without conversion. */
  public record Extents(ExtentRuns file, MemoryExtents memory) {}

  /** Returns the extents on both sides, for elements of equal size in file and memory. */
  public Extents extents(int elementSize) {
    ExtentRuns.Builder file = ExtentRuns.builder();
    MemoryExtents.Builder there = MemoryExtents.builder(memory);
    PairStream pairs = stream(elementSize, elementSize);
    while (pairs.next(Long.MAX_VALUE)) {
      long bytes = pairs.elements() * elementSize;
      file.addRun(pairs.fileAt(), bytes, pairs.fileStride(), pairs.repeats());
      there.addRun(pairs.memoryAt(), bytes, pairs.memoryStride(), pairs.repeats());
    }
    return new Extents(file.build(), there.build());
  }
}
