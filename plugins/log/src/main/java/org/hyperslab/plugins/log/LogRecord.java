package org.hyperslab.plugins.log;

/**
 * A record of a log, without its payload.
 *
 * @param kind what it says
 * @param at the offset of its head in the log, in bytes
 * @param number see {@link Kind}
 * @param second see {@link Kind}
 * @param forced the length of the log that was on storage when the record was appended
 * @param body its content
 * @param payloadBytes the length of the elements that follow the body
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
record LogRecord(
    Kind kind, long at, long number, long second, long forced, byte[] body, long payloadBytes) {

  /** What a record says. The order gives the numbers in the log. */
  enum Kind {
    /** The first record: the text of {@link LogNote}; {@code number} is the mark it starts from. */
    START,
    /** Elements: {@code number} is the address of the dataset, the body is the operation. */
    WRITE,
    /**
     * All records before are committed: {@code number} counts the marks, {@code second} is 1 if the
     * metadata of the part has changed since the mark before, 0 if not.
     */
    MARK,
    /**
     * The records before, of the dataset whose address is {@code number} or of all datasets if it
     * is -1, are in the part, and what follows in the part replaces them.
     */
    SETTLED,
    /**
     * Elements of the part that those of records behind the last mark replace before they are
     * committed: like {@link #WRITE}.
     */
    REPLACED,
    /** All records are in the part, which is complete when it has no marker. */
    COMPLETE
  }

  /**
   * Where a record is.
   *
   * @param at the offset of its head in the log, in bytes
   * @param bodyBytes the length of its content
   * @param payloadBytes the length of the elements that follow the content
   */
  record Place(long at, int bodyBytes, long payloadBytes) {

    /** {@return the offset of the payload in the log} */
    long payloadAt() {
      return at + LogFormat.HEAD + bodyBytes;
    }

    /** {@return the offset of the next record} */
    long next() {
      return at + LogFormat.padded(LogFormat.HEAD + bodyBytes + payloadBytes);
    }
  }

  /** {@return where the record is} */
  Place place() {
    return new Place(at, body.length, payloadBytes);
  }
}
