package org.hyperslab.testkit.differential;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A case: how a file is created, and the turns in which it is edited.
 *
 * @param creation the creation of the file, by the first turn's side
 * @param turns the turns
 */
record History(Creation creation, List<Turn> turns) {

  /**
   * The creation of a file.
   *
   * @param kind the sides that take part, and the file driver
   * @param ordered whether the root group tracks the order of its links
   * @param userBlock the length of the user block in bytes
   * @param sizeBytes the number of bytes of addresses and lengths
   * @param strategy 0 free-space managers, 1 pages, 2 aggregation, 3 none
   * @param persist whether free space is kept in the file
   * @param shared the indexes of shared messages, each as flags and least size; for the C library
   *     only
   */
  record Creation(
      HistoryKind kind,
      boolean ordered,
      int userBlock,
      int sizeBytes,
      int strategy,
      boolean persist,
      List<List<Object>> shared) {

    private static final int ATTRIBUTES = 0x1000;
    private static final int SPACES = 0x2;

    /** Returns whether attributes are among the shared messages. */
    boolean sharesAttributes() {
      return shares(ATTRIBUTES);
    }

    /** Returns whether dataspaces are among the shared messages. */
    boolean sharesSpaces() {
      return shares(SPACES);
    }

    private boolean shares(int kind) {
      return shared.stream().anyMatch(one -> ((Integer) one.getFirst() & kind) != 0);
    }

    Json.Fields tree() {
      return new Json.Fields(
          List.of(
              "kind",
              kind.name(),
              "order",
              ordered ? 1 : 0,
              "userblock",
              userBlock,
              "sizes",
              List.of(sizeBytes, sizeBytes),
              "space",
              List.of(strategy, persist ? 1 : 0),
              "shared",
              shared));
    }
  }

  @Override
  public String toString() {
    return Json.text(creation.tree())
        + turns.stream().map(turn -> "\n  " + turn).collect(Collectors.joining());
  }
}
