package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** Generates random histories. */
final class Generator {

  private static final int TURNS = 5;

  private final Random random;
  private final boolean newest;
  private final String external;

  /**
   * Creates a generator of histories of three sides, or of two.
   *
   * @param newest whether the newest library is installed
   * @param external the prefix of the names of external files
   */
  Generator(Random random, boolean newest, String external) {
    this.random = random;
    this.newest = newest;
    this.external = external;
  }

  /** Returns a plain file without options. */
  static History.Creation plain() {
    return new History.Creation(HistoryKind.PLAIN, false, 0, 8, 0, false, List.of());
  }

  /** Returns a history of a kind, whose edits are all valid. */
  History history(HistoryKind kind) {
    int first = one(kind.editors(newest));
    boolean modern = chance(40);
    boolean watched = kind.driver() == null && modern && chance(30);
    History.Creation creation = creation(kind, first);
    List<Integer> editors = kind.editors(newest && creation.shared().isEmpty());
    Model model = new Model(creation);
    EditGenerator edits =
        new EditGenerator(random, kind == HistoryKind.NEWER_BOUNDS, model, external);
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < TURNS; i++) {
      int side = i == 0 ? first : one(editors);
      String low = watched ? "v110" : low(modern, i);
      boolean swmr = watched && i > 0 && chance(50);
      Predicate<Edit> suits =
          edit -> Known.of(new Known.Place(creation, model, side, edit)).isEmpty();
      turns.add(
          new Turn(side, low, high(kind), swmr, edits(edits, suits, new ModelEdits(model), swmr)));
    }
    return new History(creation, turns);
  }

  private String high(HistoryKind kind) {
    return kind == HistoryKind.NEWER_BOUNDS ? one(List.of("v112", "v114", "v200")) : "v110";
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /**
   * Returns the lower version bound of a turn. The first turn of a modern file makes it openable
   * for SWMR.
   */
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

  private History.Creation creation(HistoryKind kind, int side) {
    List<List<Object>> shared = new ArrayList<>();
    if (kind == HistoryKind.PLAIN && side == 1 && chance(20)) {
      int flags = List.of(0x1000, 0x2, 0x8, 0x1002, 0x100A, 0x181A).get(random.nextInt(6));
      shared.add(List.of(flags, 1 + random.nextInt(40)));
    }
    boolean alone = kind.driver() == null;
    boolean isShort = kind == HistoryKind.SHORT_ADDRESSES;
    boolean paged = alone && chance(15);
    return new History.Creation(
        kind,
        chance(30),
        alone && !paged && chance(10) ? 512 : 0,
        isShort ? 4 : 8,
        paged ? 1 : chance(10) ? 3 : 0,
        // HDF5 1.10 destroys files of its own that keep free space in short addresses.
        alone && !isShort && chance(15),
        shared);
  }
}
