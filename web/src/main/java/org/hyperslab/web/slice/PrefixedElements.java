package org.hyperslab.web.slice;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.hyperslab.web.request.WebBody;

/**
 * A content that consists of a few bytes in memory, followed by elements that are read while they
 * are sent.
 *
 * @param prefix the bytes before the elements
 * @param elements the elements
 * @param release closes the source of the elements
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PrefixedElements(byte[] prefix, SliceBytes elements, Runnable release)
    implements WebBody {

  @Override
  public long length() {
    return Math.addExact(prefix.length, elements.length());
  }

  @Override
  public Iterator<ByteBuffer> pieces(long from, long endExclusive) {
    Iterator<ByteBuffer> rest =
        elements.pieces(
            Math.max(0, from - prefix.length), Math.max(0, endExclusive - prefix.length));
    if (from >= prefix.length) {
      return rest;
    }
    int end = (int) Math.min(endExclusive, prefix.length);
    return new Joined(ByteBuffer.wrap(prefix, (int) from, end - (int) from).slice(), rest);
  }

  @Override
  public void close() {
    release.run();
  }

  /**
   * The prefix, then the elements. The first elements are read before the prefix is returned, so
   * that a failure to read them comes before anything has been sent.
   */
  private static final class Joined implements Iterator<ByteBuffer> {
    private final Deque<ByteBuffer> ready = new ArrayDeque<>();
    private final Iterator<ByteBuffer> rest;
    private ByteBuffer prefix;

    private Joined(ByteBuffer prefix, Iterator<ByteBuffer> rest) {
      this.prefix = prefix;
      this.rest = rest;
    }

    @Override
    public boolean hasNext() {
      return prefix != null || !ready.isEmpty() || rest.hasNext();
    }

    @Override
    public ByteBuffer next() {
      if (prefix != null) {
        ready.add(prefix);
        prefix = null;
        if (rest.hasNext()) {
          ready.add(rest.next());
        }
      }
      return ready.isEmpty() ? rest.next() : ready.remove();
    }
  }
}
