package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** Random histories. */
final class Generator {

  private static final int TURNS = 5;

  private final Random random;
  private final boolean newest;
  private final String external;

  /**
   * Histories of three sides, or of two.
   *
   * @param newest whether there is a newest library
   * @param external the beginning of the names of external files
   */
  Generator(Random random, boolean newest, String external) {
    this.random = random;
    this.newest = newest;
    this.external = external;
  }

  /** A history whose edits all suit. */
  History history() {
    int first = random.nextInt(newest ? 3 : 2);
    boolean modern = chance(40);
    boolean watched = modern && chance(30);
    History.Creation creation = creation(first);
    int sides = newest && creation.shared().isEmpty() ? 3 : 2;
    Model model = new Model(creation);
    EditGenerator edits = new EditGenerator(random, false, model, external);
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < TURNS; i++) {
      int side = i == 0 ? first : random.nextInt(sides);
      String low = watched ? "v110" : low(modern, i);
      boolean swmr = watched && i > 0 && chance(50);
      Predicate<Edit> suits =
          edit -> Known.of(new Known.Place(creation, model, side, edit)).isEmpty();
      turns.add(
          new Turn(side, low, "v110", swmr, edits(edits, suits, new ModelEdits(model), swmr)));
    }
    return new History(creation, turns);
  }

  /** The first turn of a modern file is such that it can be opened for SWMR. */
  private String low(boolean modern, int turn) {
    if (modern) {
      return turn == 0 || chance(67) ? "v110" : "earliest";
    }
    return turn % 2 == 0 || chance(33) ? "earliest" : "v18";
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private List<Edit> edits(
      EditGenerator generator, Predicate<Edit> suits, ModelEdits applied, boolean swmr) {
    List<Edit> made = new ArrayList<>();
    int wanted = 1 + random.nextInt(12);
    for (int tries = 0; made.size() < wanted && tries < 60; tries++) {
      Edit edit = swmr ? generator.onDataset() : generator.edit();
      if ((!swmr || isForSwmr(edit)) && suits.test(edit) && applied.apply(edit)) {
        made.add(edit);
      }
    }
    return made;
  }

  private static boolean isForSwmr(Edit edit) {
    return edit instanceof Edit.Write write && !write.type().outOfLine();
  }

  private History.Creation creation(int side) {
    List<List<Object>> shared = new ArrayList<>();
    if (side == 1 && chance(20)) {
      int flags = List.of(0x1000, 0x2, 0x8, 0x1002, 0x100A, 0x181A).get(random.nextInt(6));
      shared.add(List.of(flags, 1 + random.nextInt(40)));
    }
    boolean paged = chance(15);
    return new History.Creation(
        chance(30),
        !paged && chance(10) ? 512 : 0,
        8,
        paged ? 1 : chance(10) ? 3 : 0,
        chance(15),
        shared);
  }
}
