package org.hyperslab.plugins.mpiio;

import java.util.List;
import java.util.Map;
import org.hyperslab.format.space.ChunkPiece;

/**
 * Some chunks of a collective transfer, which are in memory at the same time.
 *
 * @param chunks all chunks of the transfer
 * @param numbers the places in that list of those of this round
 */
record Round(List<ChunkOwners.Touched> chunks, List<Integer> numbers) {

  /** Takes a piece of a chunk. */
  @FunctionalInterface
  interface Piece {
    /**
     * Takes it.
     *
     * @param number the chunk's place in the list of all
     * @param owner the rank that reads or writes the chunk
     */
    void take(int number, int owner, ChunkPiece piece);
  }

  /** Takes a chunk. */
  @FunctionalInterface
  interface Owned {
    /** Takes the chunk with a place in the list of all. */
    void take(int number, ChunkKey chunk);
  }

  /** The pieces that a rank has of other ranks' chunks. */
  void ofOthers(int rank, Map<ChunkKey, ChunkPiece> mine, Piece each) {
    for (int number : numbers) {
      ChunkOwners.Touched chunk = chunks.get(number);
      ChunkPiece piece = chunk.owner() == rank ? null : mine.get(chunk.scaled());
      if (piece != null) {
        each.take(number, chunk.owner(), piece);
      }
    }
  }

  /** The chunks that a rank owns. */
  void owned(int rank, Owned each) {
    for (int number : numbers) {
      if (chunks.get(number).owner() == rank) {
        each.take(number, chunks.get(number).scaled());
      }
    }
  }
}
