package org.hyperslab.plugins.forwarding.journal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file with a journal, at an instant. Edits have numbers from 1; {@code M} edits metadata, {@code
 * R} writes one element, whose content is the number of the edit that wrote it.
 *
 * @param edits the kinds of the edits that were sent
 * @param next what the server does next
 * @param done the last edit that was carried out in memory, together with all before it
 * @param marker the marker in memory; {@link #NONE} if there is none
 * @param told the last edit that was acknowledged as durable
 * @param flushed the last edit of the last flush of the file that was acknowledged
 * @param flushedElement the last write that a flush of its dataset acknowledged
 * @param storage what storage holds of the file
 * @param journal the journal on storage, if there is one
 * @param older the journal that a power cut may show instead, because the folder was not forced
 */
record JournalState(
    String edits,
    Next next,
    int done,
    int marker,
    int told,
    int flushed,
    int flushedElement,
    File storage,
    Optional<Journal> journal,
    Optional<Journal> older) {

  static final int NONE = -1;

  /** What the server does next. */
  enum Next {
    /** Waits for clients. */
    IDLE,
    /** Starts a journal: writes the marker and flushes. */
    START_MARKED,
    /** Appends the record of the edit that was sent. */
    APPEND,
    /** Carries out the edit that was sent. */
    CARRY_OUT,
    /** Sets the marker after an edit of metadata. */
    MARK,
    /** Has flushed; starts the journal again. */
    ANEW,
    /** Has started it again; forces the folder. */
    ANEW_FORCED,
    /** Has written elements to storage; forces the records. */
    FORCE_RECORDS,
    /** Has removed the marker; flushes. */
    CLOSE_FLUSH,
    /** Has flushed without a marker; deletes the journal. */
    CLOSE_DELETE,
    /** Was killed, or had no power; opens the file. */
    RECOVER,
    /** Has replayed the journal up to an edit. */
    REPLAY,
    /** Has replayed everything; flushes without the marker. */
    REPLAY_FLUSH,
    /** Has flushed what was replayed; deletes the journal. */
    REPLAY_DELETE,
    /** The file is at rest. */
    REST,
    /** A replay was refused. */
    REFUSED
  }

  /**
   * What storage holds of a file. Its metadata changes by flushes only, its elements at any time.
   *
   * @param metadata the last edit of the last flush
   * @param marker its marker; {@link #NONE} if there is none
   * @param elements the content of the element: the durable one, then those that were not forced
   */
  record File(int metadata, int marker, List<Integer> elements) {
    File write(int edit) {
      if (elements.getLast() == edit) {
        return this;
      }
      List<Integer> more = new ArrayList<>(elements);
      more.add(edit);
      return new File(metadata, marker, List.copyOf(more));
    }

    File forced() {
      return new File(metadata, marker, List.of(elements.getLast()));
    }

    File flushed(int edit, int itsMarker) {
      return new File(edit, itsMarker, List.of(elements.getLast()));
    }
  }

  /**
   * A journal.
   *
   * @param from the last edit before it
   * @param forced the last edit whose record is on storage
   * @param appended the last edit whose record was appended
   */
  record Journal(int from, int forced, int appended) {
    static Journal after(int edit) {
      return new Journal(edit, edit, edit);
    }
  }

  JournalState next(Next step) {
    return new JournalState(
        edits, step, done, marker, told, flushed, flushedElement, storage, journal, older);
  }

  JournalState send(char kind, Next step) {
    return new JournalState(
        edits + kind, step, done, marker, told, flushed, flushedElement, storage, journal, older);
  }

  JournalState done(int edit) {
    return new JournalState(
        edits, next, edit, marker, told, flushed, flushedElement, storage, journal, older);
  }

  JournalState marker(int edit) {
    return new JournalState(
        edits, next, done, edit, told, flushed, flushedElement, storage, journal, older);
  }

  JournalState told(int edit) {
    return new JournalState(
        edits, next, done, marker, edit, flushed, flushedElement, storage, journal, older);
  }

  JournalState flushed(int edit) {
    return new JournalState(
        edits, next, done, marker, told, edit, flushedElement, storage, journal, older);
  }

  JournalState flushedElement(int edit) {
    return new JournalState(
        edits, next, done, marker, told, flushed, edit, storage, journal, older);
  }

  JournalState storage(File file) {
    return new JournalState(
        edits, next, done, marker, told, flushed, flushedElement, file, journal, older);
  }

  JournalState journal(Optional<Journal> newJournal, Optional<Journal> shownInstead) {
    return new JournalState(
        edits,
        next,
        done,
        marker,
        told,
        flushed,
        flushedElement,
        storage,
        newJournal,
        shownInstead);
  }

  char kind(int edit) {
    return edits.charAt(edit - 1);
  }

  /** {@return the last edit of a kind up to an edit; 0 if there is none} */
  int last(char kind, int upTo) {
    return edits.substring(0, upTo).lastIndexOf(kind) + 1;
  }
}
