package org.hyperslab.machine.assignment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * The number of bytes of each file domain that each rank accesses: the matrix C of Liu et al.
 * (2018), sparse and by columns.
 *
 * <p>Thread rule: immutable.
 */
public final class DomainTraffic {

  private final int ranks;
  private final int[][] contributors;
  private final long[][] bytes;

  private DomainTraffic(int ranks, int[][] contributors, long[][] bytes) {
    this.ranks = ranks;
    this.contributors = contributors;
    this.bytes = bytes;
  }

  /**
   * Creates a builder of a matrix.
   *
   * @param ranks the number of ranks
   * @param domains the number of file domains
   * @return a builder of a matrix of zeros
   */
  public static Builder builder(int ranks, int domains) {
    return new Builder(ranks, domains);
  }

  /**
   * Creates a matrix from a dense one.
   *
   * @param bytes a row for each rank, a column for each domain
   * @return the sparse matrix
   * @throws InvalidUseException if a number is negative
   */
  public static DomainTraffic of(long[][] bytes) {
    Builder builder = builder(bytes.length, bytes.length == 0 ? 0 : bytes[0].length);
    for (int rank = 0; rank < bytes.length; rank++) {
      for (int domain = 0; domain < bytes[rank].length; domain++) {
        builder.add(rank, domain, bytes[rank][domain]);
      }
    }
    return builder.build();
  }

  /**
   * Creates a matrix from the nonzero numbers of its rows.
   *
   * @param shares for each rank alternating domains, ascending, and bytes
   * @param domains the number of domains
   * @return the sparse matrix
   * @throws InvalidUseException if there is no such domain, or a number is negative
   */
  public static DomainTraffic ofShares(long[][] shares, int domains) {
    Builder builder = builder(shares.length, domains);
    for (int rank = 0; rank < shares.length; rank++) {
      for (int i = 0; i < shares[rank].length; i += 2) {
        builder.add(rank, Math.toIntExact(shares[rank][i]), shares[rank][i + 1]);
      }
    }
    return builder.build();
  }

  /** {@return the number of ranks, the rows of the matrix} */
  public int ranks() {
    return ranks;
  }

  /** {@return the number of file domains} */
  public int domains() {
    return contributors.length;
  }

  /** Returns the ranks that access a domain, ascending; not to be changed. */
  int[] contributors(int domain) {
    return contributors[domain];
  }

  /** Returns the bytes that each of the {@link #contributors} accesses; not to be changed. */
  long[] bytes(int domain) {
    return bytes[domain];
  }

  /**
   * Returns one entry.
   *
   * @param rank the rank
   * @param domain the domain
   * @return the bytes of the domain that the rank accesses
   */
  public long bytes(int rank, int domain) {
    int at = Arrays.binarySearch(contributors[domain], rank);
    return at < 0 ? 0 : bytes[domain][at];
  }

  /**
   * Collects the entries of a matrix. The entries of a domain must be added in ascending order of
   * ranks.
   */
  public static final class Builder {

    private final int ranks;
    private final List<List<long[]>> columns = new ArrayList<>();

    private Builder(int ranks, int domains) {
      this.ranks = ranks;
      for (int i = 0; i < domains; i++) {
        columns.add(new ArrayList<>());
      }
    }

    /**
     * Adds the bytes of a domain that a rank accesses.
     *
     * @param rank the rank, not less than in the last call for the domain
     * @param domain the domain
     * @param bytes the number of bytes, at least 0
     * @throws InvalidUseException if there is no such rank or domain, or the number is negative
     */
    public void add(int rank, int domain, long bytes) {
      List<long[]> column =
          domain >= 0 && domain < columns.size() ? columns.get(domain) : List.of();
      boolean ordered = column.isEmpty() || column.getLast()[0] < rank;
      if (bytes < 0
          || rank < 0
          || rank >= ranks
          || domain < 0
          || domain >= columns.size()
          || !ordered) {
        throw new InvalidUseException(
            ("traffic: actual=%d bytes of rank %d and domain %d, expected=at least 0, ranks"
                    + " ascending below %d, domains below %d")
                .formatted(bytes, rank, domain, ranks, columns.size()));
      }
      if (bytes > 0) {
        column.add(new long[] {rank, bytes});
      }
    }

    /** {@return the matrix} */
    public DomainTraffic build() {
      int[][] contributors = new int[columns.size()][];
      long[][] bytes = new long[columns.size()][];
      for (int i = 0; i < bytes.length; i++) {
        contributors[i] = columns.get(i).stream().mapToInt(entry -> (int) entry[0]).toArray();
        bytes[i] = columns.get(i).stream().mapToLong(entry -> entry[1]).toArray();
      }
      return new DomainTraffic(ranks, contributors, bytes);
    }
  }
}
