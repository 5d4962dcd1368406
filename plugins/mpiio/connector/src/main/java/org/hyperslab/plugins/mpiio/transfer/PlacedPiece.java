package org.hyperslab.plugins.mpiio.transfer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.format.space.RunPairs;

/**
 * A piece of one of several datasets.
 *
 * @param piece its offset, and its pairs of file and memory runs
 * @param endExclusive an upper bound of its end in the file
 * @param plan the plan for its elements
 * @param fileSize the bytes of an element in the file
 */
public record PlacedPiece(
    TransferPieces.Piece piece, long endExclusive, TransferPlan plan, int fileSize) {

  /** Returns the pieces of a non-empty transfer, all of whose elements have a place. */
  public static List<PlacedPiece> of(TransferPlan plan, DatasetView view) {
    int size = view.type().size();
    long most = view.isChunked() ? view.shape().chunkBytes() : view.space().elementCount() * size;
    List<PlacedPiece> pieces = new ArrayList<>();
    for (TransferPieces.Piece piece : plan.pieces(view).list()) {
      pieces.add(new PlacedPiece(piece, piece.offset() + most, plan, size));
    }
    return pieces;
  }

  /** Returns whether no two pieces share bytes of the file, which holds in a valid file. */
  public static boolean areApart(List<PlacedPiece> some, List<PlacedPiece> others) {
    List<PlacedPiece> all = new ArrayList<>(some);
    all.addAll(others);
    all.sort(Comparator.comparingLong(PlacedPiece::offset));
    for (int i = 1; i < all.size(); i++) {
      if (all.get(i).offset() < all.get(i - 1).endExclusive) {
        return false;
      }
    }
    return true;
  }

  long offset() {
    return piece.offset();
  }

  int memorySize() {
    return plan.transfer().memoryType().size();
  }

  /** Returns the number of bytes of its first run in the file. */
  public long firstRunBytes() {
    RunPairs pairs = piece.pairs().get();
    return pairs.nextGroup() ? pairs.length() * fileSize : 0;
  }

  /** Returns the number of runs of pieces in the file; more than {@code most} if there are more. */
  public static long runs(List<PlacedPiece> pieces, long most) {
    long runs = 0;
    for (PlacedPiece each : pieces) {
      RunPairs pairs = each.piece.pairs().get();
      while (runs <= most && pairs.nextGroup()) {
        runs += pairs.repeats();
      }
    }
    return runs;
  }
}
