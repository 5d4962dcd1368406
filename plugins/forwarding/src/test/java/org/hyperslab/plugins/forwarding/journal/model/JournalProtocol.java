package org.hyperslab.plugins.forwarding.journal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.plugins.forwarding.journal.model.JournalState.File;
import org.hyperslab.plugins.forwarding.journal.model.JournalState.Journal;
import org.hyperslab.plugins.forwarding.journal.model.JournalState.Next;
import org.hyperslab.testkit.model.Protocol;

/**
 * The protocol of {@code FileJournal} and {@code Recovery}: one file, durable edits, flushes of the
 * file and of a dataset, closing, and kills and power cuts at any time, also during a replay.
 *
 * @param most the number of edits
 * @param fault what is done wrong
 */
record JournalProtocol(int most, Fault fault) implements Protocol<JournalState> {

  /** What may be done wrong. */
  enum Fault {
    /** Nothing. */
    NONE,
    /** An edit is acknowledged when its record is appended. */
    TOLD_BEFORE_FORCED,
    /** An edit is carried out without a record. */
    NOT_APPENDED,
    /** The marker stays as it is after an edit of metadata. */
    NOT_MARKED,
    /** A flush may come between an edit of metadata and its marker. */
    FLUSHED_BETWEEN,
    /** The journal starts again before the flush. */
    ANEW_BEFORE_FLUSH,
    /** A flush is acknowledged before the journal has started again. */
    TOLD_BEFORE_ANEW,
    /** A flush is acknowledged before the folder of its new journal is forced. */
    FOLDER_NOT_FORCED,
    /** The records before a flush of a dataset stay where they are. */
    RECORDS_NOT_FORCED,
    /** A journal is deleted before the last flush. */
    DELETED_BEFORE_FLUSH,
    /** A replay repeats the edits that the marker says are there. */
    MARKER_IGNORED,
    /** A replay flushes with the marker, and deletes the journal. */
    REPLAY_KEEPS_MARKER,
    /** A replay deletes the journal before it flushes. */
    REPLAY_DELETES_FIRST
  }

  @Override
  public List<JournalState> starts() {
    File empty = new File(0, JournalState.NONE, List.of(0));
    return List.of(
        new JournalState(
            "",
            Next.IDLE,
            0,
            JournalState.NONE,
            0,
            0,
            0,
            empty,
            Optional.empty(),
            Optional.empty()));
  }

  @Override
  public List<Step<JournalState>> steps(JournalState state) {
    List<Step<JournalState>> steps = new ArrayList<>();
    switch (state.next()) {
      case IDLE -> idle(state, steps);
      case RECOVER -> recover(state, steps);
      case REPLAY -> replay(state, steps);
      case REST, REFUSED -> {}
      default -> steps.add(new Step<>(state.next().name(), carriedOn(state)));
    }
    if (fault == Fault.FLUSHED_BETWEEN && state.next() == Next.MARK) {
      steps.add(new Step<>("flush", flushed(state).next(Next.MARK)));
    }
    if (state.next().compareTo(Next.RECOVER) < 0) {
      state
          .journal()
          .ifPresent(journal ->
              steps.add(
                  new Step<>(
                      "the committer forces", state.journal(forced(journal), state.older()))));
    }
    if (state.next() != Next.REFUSED) {
      cuts(state, steps);
    }
    return steps;
  }

  private static Optional<Journal> forced(Journal journal) {
    return Optional.of(new Journal(journal.from(), journal.appended(), journal.appended()));
  }

  private void idle(JournalState state, List<Step<JournalState>> steps) {
    Optional<Journal> journal = state.journal();
    if (state.edits().length() < most) {
      for (char kind : new char[] {'M', 'R'}) {
        JournalState sent = state.send(kind, Next.APPEND);
        steps.add(
            new Step<>(
                "edit " + kind,
                journal.isPresent()
                    ? sent
                    : sent.journal(Optional.of(Journal.after(state.done())), Optional.empty())
                        .next(Next.START_MARKED)));
      }
    }
    if (journal.isEmpty()) {
      return;
    }
    int promised =
        switch (fault) {
          case TOLD_BEFORE_FORCED -> journal.get().appended();
          case NOT_APPENDED -> state.done();
          default -> journal.get().forced();
        };
    if (promised > state.told()) {
      steps.add(new Step<>("tell", state.told(promised)));
    }
    if (fault == Fault.ANEW_BEFORE_FLUSH) {
      steps.add(new Step<>("anew", anew(state).next(Next.ANEW)));
    } else {
      steps.add(new Step<>("flush", flushed(state).next(Next.ANEW)));
    }
    steps.add(
        new Step<>(
            "flush of a dataset",
            state.storage(state.storage().forced()).next(Next.FORCE_RECORDS)));
    JournalState closing = state.marker(JournalState.NONE);
    steps.add(
        new Step<>(
            "close",
            fault == Fault.DELETED_BEFORE_FLUSH
                ? closing.journal(Optional.empty(), Optional.empty()).next(Next.CLOSE_FLUSH)
                : closing.next(Next.CLOSE_FLUSH)));
  }

  private static JournalState flushed(JournalState state) {
    return state.storage(state.storage().flushed(state.done(), state.marker()));
  }

  private static JournalState anew(JournalState state) {
    return state.journal(Optional.of(Journal.after(state.done())), state.journal());
  }

  private JournalState carriedOn(JournalState state) {
    return switch (state.next()) {
      case START_MARKED -> flushed(state.marker(state.done())).next(Next.APPEND);
      case APPEND -> appended(state).next(Next.CARRY_OUT);
      case CARRY_OUT -> carriedOut(state);
      case MARK -> (fault == Fault.NOT_MARKED ? state : state.marker(state.done())).next(Next.IDLE);
      case ANEW -> {
        JournalState again = fault == Fault.ANEW_BEFORE_FLUSH ? flushed(state) : anew(state);
        boolean isTold = fault == Fault.FOLDER_NOT_FORCED || fault == Fault.TOLD_BEFORE_ANEW;
        yield (isTold ? again.flushed(state.done()) : again).next(Next.ANEW_FORCED);
      }
      case ANEW_FORCED ->
          state.journal(state.journal(), Optional.empty()).flushed(state.done()).next(Next.IDLE);
      case FORCE_RECORDS -> {
        JournalState forced =
            fault == Fault.RECORDS_NOT_FORCED
                ? state
                : state.journal(forced(state.journal().orElseThrow()), state.older());
        yield forced.flushedElement(state.last('R', state.done())).next(Next.IDLE);
      }
      case CLOSE_FLUSH -> flushed(state).next(Next.CLOSE_DELETE);
      case CLOSE_DELETE ->
          state.journal(Optional.empty(), Optional.empty()).flushed(state.done()).next(Next.REST);
      case REPLAY_FLUSH -> {
        int kept = fault == Fault.REPLAY_KEEPS_MARKER ? state.marker() : JournalState.NONE;
        JournalState flushed =
            state.storage(state.storage().flushed(state.done(), kept)).next(Next.REPLAY_DELETE);
        yield fault == Fault.REPLAY_DELETES_FIRST ? flushed.next(Next.REST) : flushed;
      }
      case REPLAY_DELETE -> state.journal(Optional.empty(), Optional.empty()).next(Next.REST);
      case IDLE, RECOVER, REPLAY, REST, REFUSED -> throw new IllegalStateException();
    };
  }

  private JournalState appended(JournalState state) {
    if (fault == Fault.NOT_APPENDED) {
      return state;
    }
    Journal journal = state.journal().orElseThrow();
    return state.journal(
        Optional.of(new Journal(journal.from(), journal.forced(), state.edits().length())),
        state.older());
  }

  private static JournalState carriedOut(JournalState state) {
    int edit = state.edits().length();
    JournalState done = state.done(edit);
    return state.kind(edit) == 'M'
        ? done.next(Next.MARK)
        : done.storage(state.storage().write(edit)).next(Next.IDLE);
  }

  /** Opening after a crash: a journal whose file has no marker is obsolete. */
  private void recover(JournalState state, List<Step<JournalState>> steps) {
    if (state.journal().isEmpty()) {
      steps.add(new Step<>("nothing to replay", state.next(Next.REST)));
    } else if (state.storage().marker() == JournalState.NONE) {
      steps.add(new Step<>("obsolete", state.next(Next.REPLAY_DELETE)));
    } else {
      steps.add(new Step<>("replay", state.next(Next.REPLAY)));
    }
  }

  private void replay(JournalState state, List<Step<JournalState>> steps) {
    Journal journal = state.journal().orElseThrow();
    JournalState replayed = state;
    for (int edit = journal.from() + 1; edit <= journal.appended(); edit++) {
      boolean isThere = edit <= state.storage().marker() && fault != Fault.MARKER_IGNORED;
      if (state.kind(edit) == 'R') {
        replayed = replayed.storage(replayed.storage().write(edit));
      } else if (!isThere && edit <= state.storage().metadata()) {
        steps.add(new Step<>("edit " + edit + " is there already", state.next(Next.REFUSED)));
        return;
      }
      replayed = replayed.done(Math.max(edit, replayed.done()));
    }
    Optional<Journal> kept =
        fault == Fault.REPLAY_DELETES_FIRST ? Optional.empty() : state.journal();
    steps.add(
        new Step<>("replayed", replayed.journal(kept, Optional.empty()).next(Next.REPLAY_FLUSH)));
    // A crash in the middle has written some of the elements.
    for (int edit = journal.from() + 1; edit <= journal.appended(); edit++) {
      if (state.kind(edit) == 'R') {
        steps.add(
            new Step<>(
                "killed while replaying",
                state.storage(state.storage().write(edit).forced()).next(Next.RECOVER)));
      }
    }
  }

  /** Every state that a kill or a power cut may leave. */
  private void cuts(JournalState state, List<Step<JournalState>> steps) {
    List<Optional<Journal>> journals = new ArrayList<>();
    for (Optional<Journal> shown :
        state.older().isPresent()
            ? List.of(state.journal(), state.older())
            : List.of(state.journal())) {
      if (shown.isEmpty()) {
        journals.add(shown);
        continue;
      }
      Journal journal = shown.get();
      for (int last = journal.forced(); last <= journal.appended(); last++) {
        journals.add(Optional.of(new Journal(journal.from(), last, last)));
      }
    }
    for (Optional<Journal> journal : journals) {
      for (int element : state.storage().elements().stream().distinct().toList()) {
        File left =
            new File(state.storage().metadata(), state.storage().marker(), List.of(element));
        steps.add(
            new Step<>(
                "cut",
                state
                    .storage(left)
                    .journal(journal, Optional.empty())
                    .done(left.metadata())
                    .marker(left.marker())
                    .next(Next.RECOVER)));
      }
    }
  }

  @Override
  public Optional<String> broken(JournalState state) {
    if (state.next() == Next.REFUSED) {
      return Optional.of("a replay refuses an edit that was accepted");
    }
    if (state.next() != Next.REST) {
      return Optional.empty();
    }
    int promised = Math.max(state.told(), state.flushed());
    if (state.storage().marker() != JournalState.NONE) {
      return Optional.of("a file at rest has a marker and no journal");
    }
    if (state.storage().metadata() < state.last('M', promised)) {
      return Optional.of("an edit of metadata that was promised is lost");
    }
    int element = Math.max(state.last('R', promised), state.flushedElement());
    return state.storage().elements().getFirst() < element
        ? Optional.of("an element that was promised is lost")
        : Optional.empty();
  }

  @Override
  public boolean mayEnd(JournalState state) {
    return state.next() == Next.REST;
  }
}
