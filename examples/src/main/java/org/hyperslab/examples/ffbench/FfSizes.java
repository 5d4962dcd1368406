package org.hyperslab.examples.ffbench;

/**
 * The amounts of data.
 *
 * @param clients the number of clients that write rows; even, at least 2
 * @param rows the number of rows of a client; 512 in the published runs
 * @param columns the number of elements of 4 bytes in a row; 65,536 in the published runs
 * @param requestRows the number of rows of one request; divides {@code rows}
 * @param flashRanks the number of ranks of FLASH's mesh
 */
public record FfSizes(int clients, int rows, int columns, int requestRows, int flashRanks) {

  /**
   * Sizes that a machine of two cores handles in seconds: 4 rows, one by one, from each of 128
   * clients.
   */
  public static final FfSizes DEFAULT = new FfSizes(128, 4, 65_536, 1, 32);

  /**
   * {@return these sizes with another number of clients}
   *
   * @param others the number of clients
   */
  public FfSizes withClients(int others) {
    return new FfSizes(others, rows, columns, requestRows, flashRanks);
  }

  /** Checks the bounds. */
  public FfSizes {
    if (clients < 2
        || clients % 2 != 0
        || rows < 2
        || columns < 1
        || requestRows < 1
        || rows % requestRows != 0
        || flashRanks < 1) {
      throw new IllegalArgumentException(
          "sizes: actual="
              + clients
              + " clients, "
              + rows
              + " rows, "
              + columns
              + " columns, "
              + requestRows
              + " rows a request, expected=an even number of clients, at least 2 rows, a divisor"
              + " of them in a request");
    }
  }

  /** Returns the rows of the whole matrix. */
  long allRows() {
    return Math.multiplyExact((long) clients, rows);
  }
}
