package org.hyperslab.plugins.mpiio.filtered;

import java.util.List;
import java.util.Map;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.plugins.mpiio.transfer.ChunkKey;

/**
 * A round of a collective transfer: chunks that are in memory at the same time.
 *
 * @param chunks all chunks of the transfer
 * @param numbers the indexes in that list of the chunks of this round
 */
record Round(List<ChunkOwners.Touched> chunks, List<Integer> numbers) {

  /** Receives pieces of chunks. */
  @FunctionalInterface
  interface Piece {
    /**
     * Receives a piece.
     *
     * @param number the chunk's index in the list of all
     * @param owner the rank that reads or writes the chunk
     */
    void take(int number, int owner, ChunkPiece piece);
  }

  /** Receives the chunks that a rank owns. */
  @FunctionalInterface
  interface Owned {
    /** Receives the chunk with an index in the list of all. */
    void take(int number, ChunkKey chunk);
  }

  /** Visits the pieces that a rank has of other ranks' chunks. */
  void ofOthers(int rank, Map<ChunkKey, ChunkPiece> mine, Piece each) {
    for (int number : numbers) {
      ChunkOwners.Touched chunk = chunks.get(number);
      ChunkPiece piece = chunk.owner() == rank ? null : mine.get(chunk.scaled());
      if (piece != null) {
        each.take(number, chunk.owner(), piece);
      }
    }
  }

  /** Visits the chunks that a rank owns. */
  void owned(int rank, Owned each) {
    for (int number : numbers) {
      if (chunks.get(number).owner() == rank) {
        each.take(number, chunks.get(number).scaled());
      }
    }
  }
}
