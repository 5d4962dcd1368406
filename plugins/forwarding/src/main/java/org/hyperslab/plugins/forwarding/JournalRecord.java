package org.hyperslab.plugins.forwarding;

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

  /** The kind of a record. Its number on storage is its ordinal. */
  enum Kind {
    /**
     * The first record. The body is the opening of the file by its name relative to the root, the
     * number is the version of the journal.
     */
    START,
    /** A handle of the file was opened: {@code number}. */
    FILE_OPENED,
    /** A handle of an object was opened: {@code number}; {@code second} is the object's address. */
    OBJECT_OPENED,
    /** An operation of the session {@code number}, as it arrived. */
    OPERATION,
    /** A handle was closed: {@code number}. */
    CLOSED,
    /** The operation whose sequence is {@code number} failed and must not be replayed. */
    REFUSED
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
