package org.hyperslab.plugins.forwarding.journal;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A record of a journal.
 *
 * @param kind the kind of the record
 * @param sequence the number of the operation, or of the last operation before the record
 * @param number a number whose meaning depends on the kind
 * @param second another number whose meaning depends on the kind
 * @param body the message of an operation
 * @param payload the raw data of an operation, in parts
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared
record JournalRecord(
    Kind kind, long sequence, long number, long second, byte[] body, List<MemorySegment> payload) {

  /** The kind of a record, with its number on storage, which keeps its meaning for ever. */
  enum Kind {
    /**
     * The first record. The body is the opening of the file by its name relative to the root, the
     * number is the version of the journal.
     */
    START(0),
    /** A handle of the file was opened: {@code number}. */
    FILE_OPENED(1),
    /** A handle of an object was opened: {@code number}; {@code second} is the object's address. */
    OBJECT_OPENED(2),
    /** An operation of the session {@code number}, as it arrived. */
    OPERATION(3),
    /** A handle was closed: {@code number}. */
    CLOSED(4),
    /** The operation whose sequence is {@code number} failed and must not be replayed. */
    REFUSED(5);

    private static final Kind[] BY_NUMBER = byNumber();

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    private static Kind[] byNumber() {
      Kind[] all = new Kind[values().length];
      for (Kind kind : values()) {
        all[kind.number] = kind;
      }
      return all;
    }

    /** {@return the number on storage} */
    int number() {
      return number;
    }

    /** {@return whether there is a kind with a number} */
    static boolean isKnown(int number) {
      return number >= 0 && number < BY_NUMBER.length;
    }

    /** {@return the kind with a number that is known} */
    static Kind of(int number) {
      return BY_NUMBER[number];
    }
  }

  /** Creates a record without body and payload. */
  static JournalRecord of(Kind kind, long sequence, long number, long second) {
    return new JournalRecord(kind, sequence, number, second, new byte[0], List.of());
  }

  /** {@return the size of the payload in bytes} */
  long payloadBytes() {
    long bytes = 0;
    for (MemorySegment part : payload) {
      bytes += part.byteSize();
    }
    return bytes;
  }
}
