package org.hyperslab.web;

/**
 * The content of a reply: a known number of bytes, of which any range can be produced.
 *
 * <p>Thread rule: one thread at a time.
 */
interface WebBody extends AutoCloseable {

  /** {@return the length in bytes} */
  long length();

  /**
   * Produces a range of the content, in order.
   *
   * @param from the first byte
   * @param endExclusive the end of the range, at most the length
   * @param sink receives the bytes, piece by piece
   */
  void write(long from, long endExclusive, Sink sink);

  /** Releases the source of the content; called once, after the last range. */
  @Override
  default void close() {}

  /** Receives the bytes of a range. */
  interface Sink {

    /**
     * Takes the next bytes, and returns when it has room for more.
     *
     * @param bytes the bytes, which the caller does not change afterwards
     * @param offset the index of the first of them
     * @param count the number of bytes
     */
    void accept(byte[] bytes, int offset, int count);
  }

  /**
   * {@return a content in memory}
   *
   * @param bytes the bytes, which must not change afterwards
   */
  static WebBody of(byte[] bytes) {
    return new InMemory(bytes);
  }

  /**
   * Bytes in memory.
   *
   * @param bytes the bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record InMemory(byte[] bytes) implements WebBody {
    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void write(long from, long endExclusive, Sink sink) {
      sink.accept(bytes, Math.toIntExact(from), Math.toIntExact(endExclusive - from));
    }
  }
}
