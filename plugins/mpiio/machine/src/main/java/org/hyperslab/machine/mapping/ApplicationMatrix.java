package org.hyperslab.machine.mapping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.hyperslab.error.InvalidUseException;

/**
 * The amount of communication between ranks: a sparse symmetric matrix by rows, without the
 * diagonal. After Venkatesan: Optimizing Non-blocking Collective and Parallel I/O Operations
 * (2013), chapter 3.
 *
 * <p>Thread rule: immutable.
 */
public final class ApplicationMatrix {

  /** The greatest number of ranks of a matrix. */
  public static final int MAX_RANKS = 1 << 16;

  private static final int MAX_ENTRIES = 1 << 26;

  private final int[][] partners;
  private final long[][] amounts;

  ApplicationMatrix(int[][] partners, long[][] amounts) {
    this.partners = partners;
    this.amounts = amounts;
  }

  /**
   * A piece of a file that a rank accesses.
   *
   * @param rank the rank
   * @param offset the file offset of the first byte
   * @param bytes the length in bytes
   */
  public record Piece(int rank, long offset, long bytes) {}

  /**
   * Counts neighbours in a file: for each pair of ranks, the number of times a piece of one follows
   * a piece of the other. Ranks with neighbouring pieces communicate with the same aggregator.
   *
   * @param ranks how many ranks there are
   * @param order the ranks by the offsets of their pieces
   * @return the matrix
   * @throws InvalidUseException if a rank is not below the number of ranks
   */
  public static ApplicationMatrix ofOrder(int ranks, int... order) {
    Collector collector = new Collector(ranks);
    for (int i = 0; i < order.length; i++) {
      collector.check(order[i]);
      if (i > 0 && order[i - 1] != order[i]) {
        collector.add(order[i - 1], order[i], 1);
      }
    }
    return collector.build();
  }

  /**
   * Counts, for each pair of ranks, how often their pieces of a file are neighbours.
   *
   * @param ranks the number of ranks
   * @param pieces the pieces, in any order; empty ones are ignored
   * @return the matrix
   * @throws InvalidUseException if a rank is not below the number of ranks, or an offset or length
   *     is negative
   */
  public static ApplicationMatrix ofPieces(int ranks, List<Piece> pieces) {
    for (Piece piece : pieces) {
      if (piece.offset() < 0 || piece.bytes() < 0) {
        throw new InvalidUseException(
            "piece: actual=" + piece + ", expected=offset and length of at least 0");
      }
    }
    int[] order =
        pieces.stream()
            .filter(piece -> piece.bytes() > 0)
            .sorted(Comparator.comparingLong(Piece::offset).thenComparingInt(Piece::rank))
            .mapToInt(Piece::rank)
            .toArray();
    return ofOrder(ranks, order);
  }

  /**
   * Estimates the matrix from a grid of processes: only ranks with the same coordinate in the
   * outermost dimension communicate.
   *
   * @param extents the extents of the grid, outermost first; ranks are in row-major order
   * @return the matrix, whose entries are 0 or the number of ranks of a row
   * @throws InvalidUseException if an extent is less than 1, or there are more than {@link
   *     #MAX_RANKS} ranks or too many pairs
   */
  public static ApplicationMatrix ofGrid(int... extents) {
    long ranks = 1;
    for (int extent : extents) {
      ranks *= extent;
      if (extent < 1 || ranks > MAX_RANKS) {
        throw new InvalidUseException(
            "grid: actual="
                + Arrays.toString(extents)
                + ", expected=1 to "
                + MAX_RANKS
                + " processes");
      }
    }
    int row = extents.length == 0 ? 1 : (int) (ranks / extents[0]);
    if (ranks * row > MAX_ENTRIES) {
      throw new InvalidUseException(
          "grid: actual="
              + Arrays.toString(extents)
              + ", expected=at most "
              + MAX_ENTRIES
              + " pairs in rows");
    }
    int[][] partners = new int[(int) ranks][row - 1];
    long[][] amounts = new long[(int) ranks][row - 1];
    for (int rank = 0; rank < ranks; rank++) {
      int first = rank / row * row;
      for (int i = 0; i < row - 1; i++) {
        partners[rank][i] = first + i < rank ? first + i : first + i + 1;
      }
      Arrays.fill(amounts[rank], row);
    }
    return new ApplicationMatrix(partners, amounts);
  }

  /**
   * Creates a matrix from a dense one.
   *
   * @param amounts a row for each rank; symmetric, not negative; the diagonal is ignored
   * @return the sparse matrix
   * @throws InvalidUseException if it is not square or not symmetric, or a number is negative
   */
  public static ApplicationMatrix of(long[][] amounts) {
    Collector collector = new Collector(amounts.length);
    for (int a = 0; a < amounts.length; a++) {
      for (int b = 0; b < amounts.length; b++) {
        if (amounts[a].length != amounts.length
            || amounts[a][b] < 0
            || amounts[a][b] != amounts[b][a]) {
          throw new InvalidUseException(
              "application matrix: actual=row "
                  + a
                  + " column "
                  + b
                  + ", expected=a square, symmetric matrix of numbers from 0");
        }
        if (a < b) {
          collector.add(a, b, amounts[a][b]);
        }
      }
    }
    return collector.build();
  }

  /** {@return the number of ranks that exchange data} */
  public int ranks() {
    return partners.length;
  }

  /**
   * Returns one entry.
   *
   * @param a a rank
   * @param b a rank
   * @return the amount between the ranks; 0 for a rank and itself
   */
  public long amount(int a, int b) {
    int at = Arrays.binarySearch(partners[a], b);
    return at < 0 ? 0 : amounts[a][at];
  }

  /** {@return the greatest entry} */
  public long greatest() {
    return Arrays.stream(amounts).flatMapToLong(Arrays::stream).max().orElse(0);
  }

  /** {@return the number of nonzero entries} */
  public long entries() {
    return Arrays.stream(partners).mapToLong(row -> row.length).sum();
  }

  /** Returns the ranks with which a rank communicates, ascending; not to be changed. */
  int[] partners(int rank) {
    return partners[rank];
  }

  /** Returns the amount for each of the {@link #partners}; not to be changed. */
  long[] amounts(int rank) {
    return amounts[rank];
  }

  /** Adds up the amounts of pairs. */
  static final class Collector {

    private final List<TreeMap<Integer, Long>> rows = new ArrayList<>();

    Collector(int ranks) {
      if (ranks < 0 || ranks > MAX_RANKS) {
        throw new InvalidUseException(
            "application matrix: actual=" + ranks + " ranks, expected=0 to " + MAX_RANKS);
      }
      for (int i = 0; i < ranks; i++) {
        rows.add(new TreeMap<>());
      }
    }

    void check(int rank) {
      if (rank < 0 || rank >= rows.size()) {
        throw new InvalidUseException(
            "application matrix: actual=rank " + rank + ", expected=0 to " + (rows.size() - 1));
      }
    }

    void add(int a, int b, long amount) {
      check(a);
      check(b);
      if (amount > 0) {
        rows.get(a).merge(b, amount, Math::addExact);
        rows.get(b).merge(a, amount, Math::addExact);
      }
    }

    ApplicationMatrix build() {
      int[][] partners = new int[rows.size()][];
      long[][] amounts = new long[rows.size()][];
      for (int i = 0; i < partners.length; i++) {
        partners[i] = rows.get(i).keySet().stream().mapToInt(Integer::intValue).toArray();
        amounts[i] = rows.get(i).values().stream().mapToLong(Long::longValue).toArray();
      }
      return new ApplicationMatrix(partners, amounts);
    }
  }
}
