package org.hyperslab.tools.ddl;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hyperslab.format.space.Dataspace;

/** Dataspaces in the data description language. */
final class SpaceText {

  private SpaceText() {}

  /** An extent and its limits. */
  static String of(Dataspace space) {
    return switch (space.kind()) {
      case NULL -> "NULL";
      case SCALAR -> "SCALAR";
      case SIMPLE -> "SIMPLE { " + list(space.dims()) + " / " + list(space.maxDims()) + " }";
    };
  }

  private static String list(long[] lengths) {
    return Arrays.stream(lengths)
        .mapToObj(n -> n == Dataspace.UNLIMITED ? "H5S_UNLIMITED" : Long.toString(n))
        .collect(Collectors.joining(", ", "( ", " )"));
  }
}
