package org.hyperslab.format.index.fractal;

/**
 * The position of a block in the tree of doubling tables.
 *
 * @param parent the heap offset of the parent indirect block; 0 for the root
 * @param entry the entry in the parent
 */
record HeapPosition(long parent, int entry) {

  /**
   * Returns the position of the block that begins at a heap offset.
   *
   * @param direct whether to return the position of the direct block that begins there, or of the
   *     indirect one
   */
  static HeapPosition of(DoublingTable table, long heapOffset, boolean direct) {
    long base = 0;
    long left = heapOffset;
    while (true) {
      int entry = table.entryAt(left);
      int row = entry / table.width();
      left -= table.entryOffset(entry);
      if (row < table.directRows() || table.rowsOfChild(row) < 1 || (!direct && left == 0)) {
        return new HeapPosition(base, entry);
      }
      base += table.entryOffset(entry);
    }
  }
}
