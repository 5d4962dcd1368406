package org.hyperslab.spark.read;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * What one task reads: ranges of units.
 *
 * @param ranges the ranges, in the order in which they are read
 */
record UnitPartition(List<Range> ranges) implements InputPartition {

  /**
   * Successive units of one file.
   *
   * @param file the number of the file among those of the scan
   * @param first the first unit
   * @param end the unit after the last one
   * @param skip rows of them that are left out at the beginning
   * @param rows the most rows that are read after that
   */
  record Range(int file, long first, long end, long skip, long rows) implements Serializable {}

  UnitPartition {
    ranges = List.copyOf(ranges);
  }
}
