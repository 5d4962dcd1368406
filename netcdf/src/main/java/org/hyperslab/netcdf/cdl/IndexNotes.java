package org.hyperslab.netcdf.cdl;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Writes comments with the indices of elements, counted from 0 in the order of C, or from 1 in that
 * of Fortran.
 *
 * @param kind which comments are written
 */
record IndexNotes(CdlOptions.Annotations kind) {

  /** Returns whether each row is preceded by a comment. */
  boolean areBrief() {
    return switch (kind) {
      case BRIEF_C, BRIEF_FORTRAN -> true;
      case NONE, FULL_C, FULL_FORTRAN -> false;
    };
  }

  /** Returns whether each element is followed by a comment. */
  boolean areFull() {
    return switch (kind) {
      case FULL_C, FULL_FORTRAN -> true;
      case NONE, BRIEF_C, BRIEF_FORTRAN -> false;
    };
  }

  private boolean isFortran() {
    return kind == CdlOptions.Annotations.BRIEF_FORTRAN
        || kind == CdlOptions.Annotations.FULL_FORTRAN;
  }

  /**
   * Returns the comment before a row, with the end of its line.
   *
   * @param name the name of the variable, escaped
   * @param above the indices along the axes before the last one, at least one
   * @param length the length of the last axis
   */
  String ofRow(String name, long[] above, long length) {
    if (length == 1) {
      return "// " + name + "(" + ofOne(above, 0) + ")\n";
    }
    String indices =
        isFortran()
            ? "1-" + length + " ," + reversed(above)
            : joined(above) + ", 0-" + (length - 1);
    return "// " + name + "(" + indices + ")\n";
  }

  /**
   * Returns the comment behind an element, from the spaces before it to the begin of the next line.
   *
   * @param name the name of the variable, escaped
   * @param above the indices along the axes before the last one
   * @param last the index along the last axis
   */
  String ofElement(String name, long[] above, long last) {
    return "  // " + name + "(" + ofOne(above, last) + ")\n    ";
  }

  private String ofOne(long[] above, long last) {
    if (above.length == 0) {
      return Long.toString(isFortran() ? last + 1 : last);
    }
    return isFortran() ? (last + 1) + "," + reversed(above) : joined(above) + "," + last;
  }

  private static String joined(long[] indices) {
    return Arrays.stream(indices).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  private static String reversed(long[] indices) {
    long[] counted = new long[indices.length];
    Arrays.setAll(counted, axis -> indices[indices.length - 1 - axis] + 1);
    return joined(counted);
  }
}
