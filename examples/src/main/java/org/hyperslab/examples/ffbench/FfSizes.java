package org.hyperslab.examples.ffbench;

/**
 * How much is written.
 *
 * @param clients how many write the rows; an even number, at least 2
 * @param rows rows of a client; 512 in the published runs
 * @param columns elements of a row, of 4 bytes; 65,536 in the published runs
 * @param requestRows rows of one request; divides {@code rows}
 * @param flashRanks ranks of FLASH's mesh
 */
public record FfSizes(int clients, int rows, int columns, int requestRows, int flashRanks) {

  /** What a machine of two cores does in seconds: 4 rows, one by one, from each of 128 clients. */
  public static final FfSizes DEFAULT = new FfSizes(128, 4, 65_536, 1, 32);

  /**
   * {@return the same for other numbers of clients}
   *
   * @param others how many
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
