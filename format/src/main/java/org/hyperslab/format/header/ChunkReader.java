package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * Reads the chunks of an object header: the first one, and those that continuation messages refer
 * to.
 */
final class ChunkReader {

  static final String STRUCTURE = "object header";

  private static final String CONTINUATION = "object header continuation";
  private static final long MAXIMUM_CHUNK_BYTES = 1L << 26;

  private ChunkReader() {}

  /** Returns the first chunk, whose size is in its prefix. */
  static HeaderChunk loadFirst(MetadataSpace space, long address) {
    byte[] bytes = space.peek(address, HeaderPrefix.MAXIMUM_BYTES, STRUCTURE);
    MetadataReader reader = new MetadataReader(space.geometry(), STRUCTURE, bytes, address);
    HeaderPrefix prefix = HeaderPrefix.decode(reader);
    if (prefix.messageBytes() > MAXIMUM_CHUNK_BYTES) {
      throw reader.corrupt(
          "size of the first chunk actual="
              + prefix.messageBytes()
              + ", expected=at most "
              + MAXIMUM_CHUNK_BYTES);
    }
    return space.load(
        address,
        HeaderChunk.firstSize(prefix),
        STRUCTURE,
        HeaderChunk.class,
        HeaderChunk::decodeFirst);
  }

  /** Returns the first chunk and all chunks reachable from it, each once and without overlaps. */
  static List<HeaderChunk> follow(MetadataSpace space, HeaderChunk first) {
    HeaderPrefix format = first.prefix();
    List<HeaderChunk> chunks = new ArrayList<>();
    NavigableMap<Long, Long> endByStart = new TreeMap<>();
    chunks.add(first);
    endByStart.put(first.address(), first.address() + first.encodedSize());
    for (int i = 0; i < chunks.size(); i++) {
      for (HeaderMessage message : chunks.get(i).messages()) {
        if (message.is(MessageType.CONTINUATION)
            && message.message() instanceof ContinuationMessage next) {
          claim(space, endByStart, next, format);
          HeaderChunk chunk =
              space.load(
                  next.address(),
                  next.sizeBytes(),
                  CONTINUATION,
                  HeaderChunk.class,
                  reader -> HeaderChunk.decodeContinuation(reader, format));
          if (chunk.isFirst() || chunk.encodedSize() != next.sizeBytes()) {
            throw corrupt(space, next.address(), "actual=another header, expected=a continuation");
          }
          chunks.add(chunk);
        }
      }
    }
    return chunks;
  }

  private static void claim(
      MetadataSpace space,
      NavigableMap<Long, Long> endByStart,
      ContinuationMessage next,
      HeaderPrefix format) {
    long start = next.address();
    long size = next.sizeBytes();
    if (size > MAXIMUM_CHUNK_BYTES || size < HeaderChunk.continuationOverhead(format)) {
      throw corrupt(
          space,
          start,
          "size of a continuation actual=" + size + ", expected=at most " + MAXIMUM_CHUNK_BYTES);
    }
    if (start > Long.MAX_VALUE - size) {
      throw corrupt(space, start, "continuation exceeds the largest possible address");
    }
    var below = endByStart.lowerEntry(start + size);
    if (below != null && below.getValue() > start) {
      throw corrupt(
          space,
          start,
          "continuation of " + size + " bytes overlaps the chunk at " + below.getKey());
    }
    endByStart.put(start, start + size);
  }

  static CorruptFileException corrupt(MetadataSpace space, long address, String problem) {
    return new CorruptFileException(space.geometry().file(), STRUCTURE, address, problem);
  }
}
