package org.hyperslab.plugins.nativevol.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hyperslab.testkit.model.Protocol;

/**
 * The protocol of {@code Committer} and of opening after a crash: a file that is flushed, with
 * power cuts at any time, also while a crash is repaired.
 *
 * @param flushes the number of flushes
 * @param onlyNew whether flushes overwrite nothing but the superblock
 * @param omitted the name of a step that is left out; empty for the protocol as it is
 */
record FlushProtocol(int flushes, boolean onlyNew, String omitted)
    implements Protocol<FlushProtocol.State> {

  /** What a program does next. */
  enum Next {
    WRITE_RAW,
    WRITE_NEW,
    WRITE_JOURNAL,
    FORCE_JOURNAL,
    WRITE_MARKER,
    FORCE_MARKER,
    WRITE_OLD,
    FORCE_OLD,
    WRITE_SUPERBLOCK,
    FORCE_SUPERBLOCK,
    CUT_JOURNAL,
    TELL,
    OPEN,
    REPAIR_OLD,
    REPAIR_FORCE_OLD,
    REPAIR_SUPERBLOCK,
    REPAIR_FORCE_SUPERBLOCK,
    REPAIR_CUT_JOURNAL,
    READ
  }

  /**
   * A state.
   *
   * @param storage what storage holds
   * @param next what the program does next
   * @param flush the flush that is under way, from 1, or whose journal is applied
   * @param told the last flush that has returned
   * @param isCut whether the file was opened after a power cut
   */
  record State(Storage storage, Next next, int flush, int told, boolean isCut) {}

  @Override
  public List<State> starts() {
    return List.of(new State(Storage.ofState(0), Next.WRITE_RAW, 1, 0, false));
  }

  private static final List<Next> OF_JOURNAL =
      List.of(
          Next.WRITE_JOURNAL,
          Next.WRITE_MARKER,
          Next.FORCE_MARKER,
          Next.WRITE_OLD,
          Next.FORCE_OLD,
          Next.CUT_JOURNAL);

  @Override
  public List<Step<State>> steps(State state) {
    List<Step<State>> steps = new ArrayList<>();
    if (state.flush <= flushes && state.next != Next.READ) {
      steps.add(new Step<>(name(state.next), done(state)));
    }
    for (Storage cut : state.storage.cuts()) {
      steps.add(new Step<>("power cut", new State(cut, Next.OPEN, state.flush, state.told, true)));
    }
    return steps;
  }

  /** {@return the name of a step} */
  static String name(Next next) {
    return next.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private State done(State state) {
    boolean isLeftOut =
        name(state.next).equals(omitted) || (onlyNew && OF_JOURNAL.contains(state.next));
    Storage storage = isLeftOut ? state.storage : carriedOut(state);
    return switch (state.next) {
      case TELL ->
          new State(
              storage,
              state.flush == flushes ? Next.READ : Next.WRITE_RAW,
              state.flush == flushes ? state.flush : state.flush + 1,
              state.flush,
              false);
      case OPEN -> opened(state);
      case REPAIR_CUT_JOURNAL -> new State(storage, Next.READ, state.flush, state.told, true);
      default ->
          new State(
              storage,
              Next.values()[state.next.ordinal() + 1],
              state.flush,
              state.told,
              state.isCut);
    };
  }

  private Storage carriedOut(State state) {
    Storage storage = state.storage;
    int flush = state.flush;
    return switch (state.next) {
      case WRITE_RAW -> storage.write(StoredPart.RAW, flush);
      case WRITE_NEW -> storage.write(StoredPart.NEW, flush);
      case WRITE_JOURNAL -> storage.write(StoredPart.JOURNAL, flush);
      case WRITE_MARKER -> storage.write(StoredPart.SUPERBLOCK, Storage.MARKED + flush);
      case WRITE_OLD, REPAIR_OLD -> storage.write(StoredPart.OLD, flush);
      case WRITE_SUPERBLOCK, REPAIR_SUPERBLOCK -> storage.write(StoredPart.SUPERBLOCK, flush);
      case CUT_JOURNAL, REPAIR_CUT_JOURNAL -> storage.write(StoredPart.JOURNAL, Storage.TORN);
      case FORCE_JOURNAL,
          FORCE_MARKER,
          FORCE_OLD,
          FORCE_SUPERBLOCK,
          REPAIR_FORCE_OLD,
          REPAIR_FORCE_SUPERBLOCK ->
          storage.force();
      case TELL, OPEN, READ -> storage;
    };
  }

  /** Opening: a marker means that the journal is applied. */
  private static State opened(State state) {
    int head = state.storage.read(StoredPart.SUPERBLOCK);
    return head < Storage.MARKED
        ? new State(state.storage, Next.READ, state.flush, state.told, true)
        : new State(state.storage, Next.REPAIR_OLD, head - Storage.MARKED, state.told, true);
  }

  @Override
  public Optional<String> broken(State state) {
    if (state.next == Next.REPAIR_OLD && state.storage.read(StoredPart.JOURNAL) != state.flush) {
      return Optional.of("a marker without its journal");
    }
    if (state.next != Next.READ) {
      return Optional.empty();
    }
    int shown = state.storage.read(StoredPart.SUPERBLOCK);
    if (shown < state.told) {
      return Optional.of("a flush that was told is lost");
    }
    if (!onlyNew && state.storage.read(StoredPart.OLD) != shown) {
      return Optional.of("blocks of two states");
    }
    if (state.storage.read(StoredPart.NEW) < shown) {
      return Optional.of("a block that was not stored");
    }
    return state.storage.read(StoredPart.RAW) < shown
        ? Optional.of("elements that were not stored")
        : Optional.empty();
  }

  @Override
  public boolean mayEnd(State state) {
    return state.next == Next.READ;
  }
}
