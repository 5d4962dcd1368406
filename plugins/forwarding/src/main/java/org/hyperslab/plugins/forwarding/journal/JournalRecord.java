package org.hyperslab.plugins.forwarding.journal;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One record.
 *
 * @param kind what it is
 * @param sequence the number of the operation, or of the last one before it
 * @param number a number that the kind gives a meaning
 * @param second another one
 * @param body bytes, such as an operation's message
 * @param payload raw bytes beside them
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record JournalRecord(
    Kind kind, long sequence, long number, long second, byte[] body, List<MemorySegment> payload) {

  /** What a record says; the number on storage is the place in this list. */
  public enum Kind {
    /**
     * The first: the body is the opening of the file by its name below the root, the number the
     * version of the journal.
     */
    START,
    /** A handle of the file is open: the number. */
    FILE_OPENED,
    /** A handle is open, the number; the second is the address of its object. */
    OBJECT_OPENED,
    /** An operation, of the session with the number, as it came. */
    OPERATION,
    /** A handle was closed: the number. */
    CLOSED,
    /** The operation with the number as its sequence was refused, and is not to be replayed. */
    REFUSED
  }

  /** A record of a handle. */
  static JournalRecord of(Kind kind, long sequence, long number, long second) {
    return new JournalRecord(kind, sequence, number, second, new byte[0], List.of());
  }

  /** Bytes of all parts of the payload. */
  long payloadBytes() {
    long bytes = 0;
    for (MemorySegment part : payload) {
      bytes += part.byteSize();
    }
    return bytes;
  }
}
