package org.hyperslab.web.request;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;

/**
 * The content of a reply: a known number of bytes, of which any range can be produced.
 *
 * <p>Thread rule: one thread at a time.
 */
public interface WebBody extends AutoCloseable {

  /** {@return the length in bytes} */
  long length();

  /**
   * {@return the bytes of a range, in order; each piece is made when it is asked for}
   *
   * @param from the first byte
   * @param endExclusive the end of the range, at most the length
   */
  Iterator<ByteBuffer> pieces(long from, long endExclusive);

  /** Releases the source of the content; called once, after the last range. */
  @Override
  default void close() {}

  /**
   * {@return a content in memory}
   *
   * @param bytes the bytes, which must not change afterwards
   */
  static WebBody of(byte[] bytes) {
    return new InMemory(List.of(ByteBuffer.wrap(bytes)));
  }

  /**
   * Bytes in memory.
   *
   * @param parts the bytes, in order
   */
  record InMemory(List<ByteBuffer> parts) implements WebBody {
    @Override
    public long length() {
      return parts.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    @Override
    public Iterator<ByteBuffer> pieces(long from, long endExclusive) {
      long[] at = {0};
      return parts.stream()
          .map(part -> {
            long first = at[0];
            at[0] += part.remaining();
            int begin = Math.clamp(from - first, 0, part.remaining());
            int end = Math.clamp(endExclusive - first, begin, part.remaining());
            return part.slice(begin, end - begin);
          })
          .filter(ByteBuffer::hasRemaining)
          .iterator();
    }
  }
}
