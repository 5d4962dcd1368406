package org.hyperslab.format.index.fractal;

/**
 * The arithmetic of a doubling table: rows of {@code width} blocks. The blocks of the first two
 * rows have the start size, those of each further row twice the size of the previous row. Rows
 * below {@link #directRows()} hold direct blocks, later ones indirect blocks, each of which is a
 * doubling table itself. Rows and columns are 0-based; offsets are bytes in the heap's address
 * space.
 *
 * <p>Thread rule: immutable.
 */
final class DoublingTable {

  /** The largest direct block of any heap, which fits in one array. */
  private static final long MAXIMUM_DIRECT_BYTES = 1L << 30;

  private final int width;
  private final int startBits;
  private final int firstRowBits;
  private final int directRows;
  private final int maximumRows;
  private final long[] freeInBlock;

  /**
   * Creates a table whose parameters {@link #problem} has accepted.
   *
   * @param overhead the bytes of a direct block that hold no objects
   */
  DoublingTable(int width, long startBytes, long maximumDirectBytes, int indexBits, int overhead) {
    this.width = width;
    this.startBits = log2(startBytes);
    this.firstRowBits = startBits + log2(width);
    this.directRows = log2(maximumDirectBytes) - startBits + 2;
    this.maximumRows = Math.min(indexBits, 62) - firstRowBits + 1;
    this.freeInBlock = new long[Math.max(maximumRows, directRows)];
    for (int row = 0; row < freeInBlock.length; row++) {
      freeInBlock[row] =
          row < directRows ? blockBytes(row) - overhead : freeInRows(rowsOfChild(row));
    }
  }

  /** Describes the problem with a table's parameters, or returns null if there is none. */
  static String problem(
      int width, long startBytes, long maximumDirectBytes, int indexBits, int overhead) {
    if (!powerOfTwo(width) || !powerOfTwo(startBytes) || !powerOfTwo(maximumDirectBytes)) {
      return "table width "
          + width
          + ", start block "
          + startBytes
          + ", largest direct block "
          + maximumDirectBytes
          + ", expected=powers of two";
    }
    if (startBytes <= overhead
        || maximumDirectBytes < startBytes
        || maximumDirectBytes > MAXIMUM_DIRECT_BYTES) {
      return "start block "
          + startBytes
          + ", largest direct block "
          + maximumDirectBytes
          + ", expected="
          + (overhead + 1)
          + ".."
          + MAXIMUM_DIRECT_BYTES;
    }
    int firstRowBits = log2(startBytes) + log2(width);
    if (indexBits > 64 || indexBits < firstRowBits || firstRowBits > 61) {
      return "heap size of 2^" + indexBits + ", expected=2^" + firstRowBits + "..2^64";
    }
    return null;
  }

  private static boolean powerOfTwo(long value) {
    return value > 0 && (value & (value - 1)) == 0;
  }

  static int log2(long value) {
    return 63 - Long.numberOfLeadingZeros(value);
  }

  int width() {
    return width;
  }

  /** Returns the number of rows of direct blocks in a table that has that many rows. */
  int directRows() {
    return directRows;
  }

  /** Returns the number of rows of the largest root. */
  int maximumRows() {
    return maximumRows;
  }

  long startBytes() {
    return 1L << startBits;
  }

  /** Returns the number of heap bytes that one block in a row covers. */
  long blockBytes(int row) {
    return 1L << (startBits + Math.max(0, row - 1));
  }

  /** Returns the offset of a row's first block from the start of its table. */
  long rowOffset(int row) {
    return row == 0 ? 0 : 1L << (firstRowBits + row - 1);
  }

  /** Returns the number of heap bytes that a table of {@code rows} rows, at least 1, covers. */
  long span(int rows) {
    return 1L << (firstRowBits + rows - 1);
  }

  /** Returns the offset of an entry from the start of its table. */
  long entryOffset(int entry) {
    int row = entry / width;
    return rowOffset(row) + (entry % width) * blockBytes(row);
  }

  /** Returns the row that covers an offset from the start of a table. */
  int rowAt(long offset) {
    return offset < 1L << firstRowBits ? 0 : log2(offset) - firstRowBits + 1;
  }

  /**
   * Returns the entry, row times width plus column, that covers an offset from the start of a
   * table.
   */
  int entryAt(long offset) {
    int row = rowAt(offset);
    return row * width + (int) ((offset - rowOffset(row)) / blockBytes(row));
  }

  /** Returns the first row whose direct blocks have at least the given size in bytes. */
  int rowOfSize(long blockBytes) {
    return blockBytes <= startBytes() ? 0 : log2(blockBytes - 1) + 1 - startBits + 1;
  }

  /**
   * Returns the number of rows of the indirect blocks in a row; less than 1 if the table cannot
   * have that row.
   */
  int rowsOfChild(int row) {
    return log2(blockBytes(row)) - firstRowBits + 1;
  }

  /** Returns the size of the largest direct block in a table with the given number of rows. */
  long largestDirect(int rows) {
    return blockBytes(Math.min(rows, directRows) - 1);
  }

  /**
   * Returns the number of bytes for objects in one block of a row, including all blocks below it.
   */
  long freeInBlock(int row) {
    return freeInBlock[row];
  }

  /** Returns the number of bytes for objects in a table with the given number of rows. */
  long freeInRows(int rows) {
    long free = 0;
    for (int row = 0; row < rows; row++) {
      free += freeInBlock[row] * width;
    }
    return free;
  }
}
