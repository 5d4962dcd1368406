package org.hyperslab.tools.dump;

import org.hyperslab.format.space.Dataspace;

/** Formats dataspaces in the data description language. */
final class SpaceText {

  private SpaceText() {}

  /** Returns an extent and its limits. */
  static String of(Dataspace space) {
    return switch (space.kind()) {
      case NULL -> "NULL";
      case SCALAR -> "SCALAR";
      case SIMPLE -> "SIMPLE { " + list(space.dims()) + " / " + list(space.maxDims()) + " }";
    };
  }

  private static String list(long[] lengths) {
    StringBuilder text = new StringBuilder("( ");
    for (int d = 0; d < lengths.length; d++) {
      text.append(d == 0 ? "" : ", ");
      if (lengths[d] == Dataspace.UNLIMITED) {
        text.append("H5S_UNLIMITED");
      } else {
        text.append(lengths[d]);
      }
    }
    return text.append(" )").toString();
  }
}
