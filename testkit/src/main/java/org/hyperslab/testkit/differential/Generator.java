package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** Generates random histories. */
final class Generator {

  private static final int TURNS = 5;
  private static final int MANY_TURNS = 14;

  /**
   * The kinds of messages that may be shared: dataspaces, types, fill values, filters, attributes.
   */
  private static final List<Integer> SHAREABLE = List.of(0x2, 0x8, 0x20, 0x800, 0x1000);

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
    return new History.Creation(HistoryKind.PLAIN, false, 0, 8, 8, 0, false, History.Shared.NONE);
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
    boolean sharing = !creation.shared().isEmpty();
    boolean isLong = chance(sharing ? 40 : 10);
    for (int i = 0; i < (isLong ? MANY_TURNS : TURNS); i++) {
      int side = i == 0 ? first : one(editors);
      String low = watched ? "v110" : low(modern, i);
      boolean swmr = watched && i > 0 && chance(50);
      BiPredicate<List<Edit>, Edit> suits =
          (before, edit) ->
              Known.of(new Known.Place(creation, model, side, before, edit)).isEmpty();
      Supplier<Edit> source =
          swmr
              ? edits::onDataset
              : () -> sharing && chance(40) ? edits.ofAttributes() : edits.edit();
      List<Edit> made =
          edits(
              source,
              (before, edit) -> (!swmr || isForSwmr(edit)) && suits.test(before, edit),
              new ModelEdits(model),
              1 + random.nextInt(isLong ? 24 : 12));
      turns.add(new Turn(side, low, high(kind), swmr, made));
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

  private static List<Edit> edits(
      Supplier<Edit> source, BiPredicate<List<Edit>, Edit> suits, ModelEdits applied, int wanted) {
    List<Edit> made = new ArrayList<>();
    for (int tries = 0; made.size() < wanted && tries < 5 * wanted; tries++) {
      Edit edit = source.get();
      if (suits.test(made, edit) && applied.apply(edit)) {
        made.add(edit);
      }
    }
    return made;
  }

  private static boolean isForSwmr(Edit edit) {
    return edit instanceof Edit.Write write && !write.type().outOfLine();
  }

  private History.Creation creation(HistoryKind kind, int side) {
    boolean alone = kind.driver() == null;
    boolean isShort = kind == HistoryKind.SHORT_ADDRESSES;
    boolean paged = alone && chance(15);
    return new History.Creation(
        kind,
        chance(30),
        alone && !paged && chance(15) ? 512 << random.nextInt(3) : 0,
        isShort ? 4 : 8,
        isShort && chance(60) ? 4 : 8,
        paged ? 1 : chance(20) ? 2 + random.nextInt(2) : 0,
        // HDF5 1.10 destroys files of its own that keep free space in short addresses.
        alone && !isShort && chance(15),
        sharing(kind, side));
  }

  /** Returns indexes of shared messages, in some of the files that the C library creates. */
  private History.Shared sharing(HistoryKind kind, int side) {
    boolean suits = kind == HistoryKind.PLAIN || kind == HistoryKind.SHORT_ADDRESSES;
    if (!suits || side != 1 || !chance(40)) {
      return History.Shared.NONE;
    }
    int[] flags = new int[1 + random.nextInt(3)];
    for (int type : SHAREABLE) {
      if (chance(60)) {
        flags[random.nextInt(flags.length)] |= type;
      }
    }
    List<List<Object>> indexes = new ArrayList<>();
    for (int one : flags) {
      if (one != 0) {
        indexes.add(List.of(one, 1 + (chance(50) ? 0 : random.nextInt(120))));
      }
    }
    int mostListed = one(List.of(0, 3, 10, 50));
    return new History.Shared(indexes, mostListed, random.nextInt(mostListed + 2));
  }
}
