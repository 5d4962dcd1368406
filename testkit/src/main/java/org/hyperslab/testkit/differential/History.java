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
   * @param addressBytes the number of bytes of addresses
   * @param lengthBytes the number of bytes of lengths
   * @param strategy 0 free-space managers, 1 pages, 2 aggregation, 3 none
   * @param persist whether free space is kept in the file
   * @param shared the indexes of shared messages; for the C library only
   */
  record Creation(
      HistoryKind kind,
      boolean ordered,
      int userBlock,
      int addressBytes,
      int lengthBytes,
      int strategy,
      boolean persist,
      Shared shared) {

    private static final int ATTRIBUTES = 0x1000;
    private static final int SPACES = 0x2;
    private static final int TYPES = 0x8;

    /** Returns whether attributes are among the shared messages. */
    boolean sharesAttributes() {
      return shares(ATTRIBUTES);
    }

    /** Returns whether dataspaces are among the shared messages. */
    boolean sharesSpaces() {
      return shares(SPACES);
    }

    /** Returns whether types are among the shared messages. */
    boolean sharesTypes() {
      return shares(TYPES);
    }

    private boolean shares(int kind) {
      return shared.indexes().stream().anyMatch(one -> ((Integer) one.getFirst() & kind) != 0);
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
              List.of(addressBytes, lengthBytes),
              "space",
              List.of(strategy, persist ? 1 : 0),
              "shared",
              shared.indexes(),
              "sharedphase",
              List.of(shared.mostListed(), shared.leastIndexed())));
    }
  }

  /**
   * The indexes of shared messages of a file.
   *
   * @param indexes each as flags and least size of a message in bytes; empty if none are shared
   * @param mostListed the greatest number of messages that are listed without a B-tree
   * @param leastIndexed the least number of messages in a B-tree
   */
  record Shared(List<List<Object>> indexes, int mostListed, int leastIndexed) {

    /** No shared messages. */
    static final Shared NONE = new Shared(List.of(), 50, 40);

    boolean isEmpty() {
      return indexes.isEmpty();
    }
  }

  /** Returns this history with the turns of one side made by another. */
  History with(int side, int other) {
    return new History(
        creation,
        turns.stream()
            .map(turn ->
                turn.side() == side
                    ? new Turn(other, turn.low(), turn.high(), turn.swmr(), turn.edits())
                    : turn)
            .toList());
  }

  @Override
  public String toString() {
    return Json.text(creation.tree())
        + turns.stream().map(turn -> "\n  " + turn).collect(Collectors.joining());
  }
}
