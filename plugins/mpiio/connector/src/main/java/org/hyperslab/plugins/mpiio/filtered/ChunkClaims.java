package org.hyperslab.plugins.mpiio.filtered;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.plugins.mpiio.agree.LongBytes;
import org.hyperslab.plugins.mpiio.transfer.ChunkKey;
import org.hyperslab.plugins.mpiio.transfer.DatasetView;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.mpiio.transfer.TransferPlan;

/**
 * Determines the chunks that the ranks' parts of a transfer touch, and divides them into rounds.
 *
 * <p>Thread rule: stateless.
 */
final class ChunkClaims {

  private ChunkClaims() {}

  /** Returns a rank's piece of each chunk of its transfer, in row-major order of chunks. */
  static TreeMap<ChunkKey, ChunkPiece> of(TransferPlan plan, DatasetView view) {
    TreeMap<ChunkKey, ChunkPiece> mine = new TreeMap<>();
    if (plan.selections() != null) {
      Iterator<ChunkPiece> pieces =
          plan.selections().fileSelection().chunks(view.extent(), view.shape().chunkDims());
      while (pieces.hasNext()) {
        ChunkPiece piece = pieces.next();
        mine.put(new ChunkKey(piece.scaled()), piece);
      }
    }
    return mine;
  }

  /** Returns for each chunk its coordinates and the number of elements. */
  static long[] encoded(Map<ChunkKey, ChunkPiece> mine, int dimensions) {
    long[] touched = new long[mine.size() * (dimensions + 1)];
    int at = 0;
    for (Map.Entry<ChunkKey, ChunkPiece> each : mine.entrySet()) {
      System.arraycopy(each.getKey().scaled(), 0, touched, at, dimensions);
      touched[at + dimensions] = each.getValue().elementCount();
      at += dimensions + 1;
    }
    return touched;
  }

  /** Gathers the numbers of every rank; collective. */
  static long[][] gathered(Communicator comm, long[] mine) {
    byte[][] bytes =
        comm.allGatherBytes(MemorySegment.ofArray(mine).toArray(ValueLayout.JAVA_BYTE));
    long[][] all = new long[bytes.length][];
    for (int rank = 0; rank < all.length; rank++) {
      all[rank] = LongBytes.of(bytes[rank]);
    }
    return all;
  }

  /**
   * Divides chunk numbers into rounds. In a round a rank sends or receives at most a quarter of
   * {@code cb_buffer_size}, or one chunk for each rank if that is more.
   */
  static List<List<Integer>> rounds(ChunkOwners owners, RawFile file, DatasetView view) {
    int ranks = file.agreement().comm().size();
    long room = file.windowBytes() / 4 / ranks / view.shape().chunkBytes();
    int perRound = Math.clamp(room, 1, Integer.MAX_VALUE);
    List<List<Integer>> rounds = new ArrayList<>();
    for (int i = 0; i < Math.ceilDiv(owners.mostOwned(), perRound); i++) {
      rounds.add(new ArrayList<>());
    }
    for (int i = 0; i < owners.chunks().size(); i++) {
      rounds.get(owners.chunks().get(i).turn() / perRound).add(i);
    }
    return rounds;
  }
}
