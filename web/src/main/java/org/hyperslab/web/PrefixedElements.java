package org.hyperslab.web;

/**
 * A content that consists of a few bytes in memory, followed by elements that are read while they
 * are sent.
 *
 * @param prefix the bytes before the elements
 * @param elements the elements
 * @param release closes the source of the elements
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PrefixedElements(byte[] prefix, SliceBytes elements, Runnable release) implements WebBody {

  @Override
  public long length() {
    return Math.addExact(prefix.length, elements.length());
  }

  @Override
  public void write(long from, long endExclusive, Sink sink) {
    if (from < prefix.length) {
      int end = (int) Math.min(endExclusive, prefix.length);
      sink.accept(prefix, (int) from, end - (int) from);
    }
    elements.read(
        Math.max(0, from - prefix.length), Math.max(0, endExclusive - prefix.length), sink::accept);
  }

  @Override
  public void close() {
    release.run();
  }
}
