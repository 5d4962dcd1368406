package org.hyperslab.testkit.differential;

import java.util.List;

/**
 * A part of a history: one side opens the file, edits it and closes it.
 *
 * @param side the side: 0 this project, 1 the machine's library, 2 the newest
 * @param low the lower version bound, such as {@code earliest}, {@code v18}, {@code v110}
 * @param high the upper version bound
 * @param swmr whether it is opened for single-writer, multiple-reader access
 * @param edits the edits, in order
 */
record Turn(int side, String low, String high, boolean swmr, List<Edit> edits) {

  Turn with(List<Edit> newEdits) {
    return new Turn(side, low, high, swmr, List.copyOf(newEdits));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(List.of("hyperslab", "machine", "newest").get(side));
    text.append(' ').append(low).append("..").append(high).append(swmr ? " swmr" : "");
    for (Edit edit : edits) {
      text.append("\n    ").append(Json.text(edit.tree()));
    }
    return text.toString();
  }
}
