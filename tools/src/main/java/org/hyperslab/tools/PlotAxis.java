package org.hyperslab.tools;

/**
 * An axis of a picture, along which elements are at equal distances.
 *
 * @param title its name and unit; may be empty
 * @param cells the number of elements, at least 1
 * @param first the coordinate of the first element
 * @param last the coordinate of the last element
 * @param isIndex whether coordinates are indices of elements
 */
record PlotAxis(String title, long cells, double first, double last, boolean isIndex) {

  /**
   * {@return an axis of the indices of elements}
   *
   * @param title its name; may be empty
   * @param count the number of elements
   */
  static PlotAxis ofIndices(String title, long count) {
    return new PlotAxis(title, count, 0, count - 1.0, true);
  }
}
