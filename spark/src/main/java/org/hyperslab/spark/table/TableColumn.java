package org.hyperslab.spark.table;

import java.io.Serializable;

/** Where a column of a table comes from. */
public sealed interface TableColumn extends Serializable {

  /**
   * The coordinates of a dimension.
   *
   * @param axis the dimension, from 0
   */
  record Coordinate(int axis) implements TableColumn {}

  /**
   * The indices of a dimension, from 0.
   *
   * @param axis the dimension, from 0
   */
  record Index(int axis) implements TableColumn {}

  /**
   * The elements of a dataset, or a field of them.
   *
   * @param variable the number of the variable, from 0
   * @param field the name of the field; null for the whole element
   */
  record Value(int variable, String field) implements TableColumn {}

  /** The name of the file. */
  record FileName() implements TableColumn {}

  /** The index of a chunk's first element in each dimension. */
  record Origin() implements TableColumn {}

  /** The lengths of a chunk. */
  record ChunkShape() implements TableColumn {}
}
