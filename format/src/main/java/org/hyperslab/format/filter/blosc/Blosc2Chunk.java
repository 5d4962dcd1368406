package org.hyperslab.format.filter.blosc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BitTranspose;
import org.hyperslab.format.filter.coder.BlockCodecs;
import org.hyperslab.format.filter.coder.ByteTranspose;

/**
 * A chunk of Blosc 2: blocks, each compressed as one stream or as one for each byte of an element,
 * after a pipeline of filters. A chunk of one repeated value has no blocks.
 *
 * <p>Source: README_CHUNK_FORMAT.rst of c-blosc2.
 */
final class Blosc2Chunk {

  private static final int SHORT_HEADER_BYTES = 16;
  private static final int HEADER_BYTES = 32;
  private static final int EXTENDED = 0x5;
  private static final int PLAIN_COPY = 0x2;
  private static final int DONT_SPLIT = 0x10;
  private static final int CODER_SHIFT = 5;
  private static final int FILTERS_AT = 16;
  private static final int FILTER_COUNT = 6;
  private static final int FILTERS_META_AT = 24;
  private static final int FLAGS2_AT = 30;
  private static final int FLAGS_AT = 31;
  private static final int DICTIONARY = 0x1;
  private static final int LAZY = 0x8;
  private static final int INSTRUMENTED = 0x80;
  private static final int LAST_VERSION = 6;
  private static final int RUN_TOKEN = 0x1;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The kinds of chunks that repeat one value; their numbers are those of the format. */
  private enum Special {
    NONE,
    ZEROS,
    NANS,
    VALUE,
    UNINITIALIZED
  }

  private final Span chunk;
  private final Special special;
  private final int typeBytes;
  private final int length;
  private final int blockBytes;

  private Blosc2Chunk(Span chunk, Special special, int typeBytes, int length, int blockBytes) {
    this.chunk = chunk;
    this.special = special;
    this.typeBytes = typeBytes;
    this.length = length;
    this.blockBytes = blockBytes;
  }

  /**
   * {@return the chunk at the beginning of some bytes}
   *
   * @param source the bytes; others may follow the chunk
   * @throws MalformedDataException if its header is damaged, or asks for what is not supported here
   */
  static Blosc2Chunk of(Span source) throws MalformedDataException {
    require(source.length() >= SHORT_HEADER_BYTES, "header", source.length() + " bytes", "16");
    byte[] in = source.array();
    int at = source.offset();
    int version = in[at] & 0xFF;
    int length = (int) INT.get(in, at + 4);
    int blockBytes = (int) INT.get(in, at + 8);
    int stored = (int) INT.get(in, at + 12);
    require(version >= 1 && version <= LAST_VERSION, "version", version, "1 to 6");
    require(
        stored >= SHORT_HEADER_BYTES && stored <= source.length(),
        "stored length",
        stored,
        "within " + source.length());
    require(length >= 0 && blockBytes > 0, "lengths", length + ", " + blockBytes, "positive");
    Span chunk = source.slice(0, stored);
    if ((in[at + 2] & EXTENDED) != EXTENDED) {
      return new Blosc2Chunk(chunk, Special.NONE, in[at + 3] & 0xFF, length, blockBytes);
    }
    require(stored >= HEADER_BYTES, "stored length", stored, "at least 32");
    int flags = in[at + FLAGS_AT];
    require((flags & DICTIONARY) == 0, "chunk", "with a dictionary", "without one");
    require((flags & LAZY) == 0, "chunk", "its blocks are elsewhere", "a chunk with blocks");
    require((flags & INSTRUMENTED) == 0, "chunk", "measurements", "elements");
    require((in[at + FLAGS2_AT] & 1) == 0, "blocks", "of different lengths", "of one length");
    int kind = flags >> 4 & 7;
    require(kind < Special.values().length, "kind", kind, "0 to 4");
    Special special = Special.values()[kind];
    int typeBytes = special == Special.VALUE ? stored - HEADER_BYTES : in[at + 3] & 0xFF;
    require(typeBytes > 0, "element size", typeBytes, "at least 1");
    return new Blosc2Chunk(chunk, special, typeBytes, length, blockBytes);
  }

  /**
   * {@return a chunk that is recorded in its frame's index alone}
   *
   * @param kind the kind of the repeated value
   * @param length the number of bytes
   * @param typeBytes the size of an element in bytes
   * @throws MalformedDataException if there is no such kind
   */
  static Blosc2Chunk special(int kind, long length, int typeBytes) throws MalformedDataException {
    boolean known = kind == 1 || kind == 2 || kind == 4;
    require(known, "kind of repeated value", kind, "1, 2 or 4");
    boolean fits = length > 0 && length <= ArrayFilter.MAXIMUM_ARRAY_BYTES && typeBytes > 0;
    require(fits, "length", length, "below 2 GiB");
    return new Blosc2Chunk(null, Special.values()[kind], typeBytes, (int) length, (int) length);
  }

  private static void require(boolean good, String what, Object actual, String expected)
      throws MalformedDataException {
    if (!good) {
      throw new MalformedDataException(
          "blosc2 " + what + ": actual=" + actual + ", expected=" + expected);
    }
  }

  /** {@return the number of bytes of all elements} */
  int length() {
    return length;
  }

  /** {@return the number of bytes of each block but the last} */
  int blockBytes() {
    return blockBytes;
  }

  /** {@return whether all elements are the same, so that there are no blocks} */
  boolean repeats() {
    return special != Special.NONE;
  }

  private boolean extended() {
    return (flags() & EXTENDED) == EXTENDED;
  }

  private int flags() {
    return chunk.array()[chunk.offset() + 2] & 0xFF;
  }

  /**
   * Decodes the elements.
   *
   * @param out receives them
   * @return the number of bytes produced
   * @throws MalformedDataException if the chunk is damaged
   */
  int decode(FilterOutput out) throws MalformedDataException {
    if (special == Special.NONE && !extended()) {
      return BloscContainer.decode(chunk, out);
    }
    byte[] target = out.array(length);
    decodeInto(new Span(target, out.arrayOffset(), length), out.scratch());
    return length;
  }

  /**
   * Decodes the elements of a chunk with the header of Blosc 2.
   *
   * @param room receives them; of the chunk's length
   * @param scratch the working memory of the calling thread
   * @throws MalformedDataException if the chunk is damaged
   */
  void decodeInto(Span room, FilterScratch scratch) throws MalformedDataException {
    if (special != Special.NONE) {
      repeat(room);
      return;
    }
    require(extended(), "header", "of Blosc 1", "of Blosc 2");
    for (int i = 0; (long) i * blockBytes < length; i++) {
      int from = i * blockBytes;
      decodeBlock(i, room.slice(from, Math.min(blockBytes, length - from)), scratch);
    }
  }

  /**
   * Decodes one block.
   *
   * @param index the block's number, counted from 0
   * @param room receives the elements; of the block's length
   * @param scratch the working memory of the calling thread
   * @throws MalformedDataException if the block is damaged
   */
  void decodeBlock(int index, Span room, FilterScratch scratch) throws MalformedDataException {
    if (special != Special.NONE) {
      repeat(room);
      return;
    }
    require(extended(), "header", "of Blosc 1", "of Blosc 2");
    if ((flags() & PLAIN_COPY) != 0) {
      Span stored = part(HEADER_BYTES + (long) index * blockBytes, room.length());
      System.arraycopy(stored.array(), stored.offset(), room.array(), room.offset(), room.length());
      return;
    }
    Work work = scratch.state(Work.class, Work::new);
    work.ensure(room.length());
    Span streams = new Span(work.first, 0, room.length());
    decodeStreams(number(HEADER_BYTES + 4L * index), streams, scratch);
    undoFilters(work, room);
  }

  /** Working memory of a thread. */
  private static final class Work {
    final BitTranspose bits = new BitTranspose();
    byte[] first = new byte[0];
    byte[] second = new byte[0];

    void ensure(int bytes) {
      if (first.length < bytes) {
        first = new byte[bytes];
        second = new byte[bytes];
      }
    }
  }

  private Span part(long from, long count) throws MalformedDataException {
    boolean inside = from >= 0 && count >= 0 && count <= chunk.length() - from;
    require(inside, "block", "offset " + from + ", " + count + " bytes", "within the chunk");
    return chunk.slice((int) from, (int) count);
  }

  private int number(long at) throws MalformedDataException {
    Span bytes = part(at, 4);
    return (int) INT.get(bytes.array(), bytes.offset());
  }

  private void decodeStreams(int offset, Span block, FilterScratch scratch)
      throws MalformedDataException {
    boolean split = (flags() & DONT_SPLIT) == 0 && block.length() == blockBytes;
    int streams = split ? typeBytes : 1;
    int streamBytes = block.length() / streams;
    require(streamBytes * streams == block.length(), "block", block.length(), "whole elements");
    long at = offset;
    for (int j = 0; j < streams; j++) {
      int stored = number(at);
      at += 4;
      Span room = block.slice(j * streamBytes, streamBytes);
      if (stored <= 0) {
        at += run(stored, at, room);
      } else {
        decodeStream(part(at, stored), room, scratch);
        at += stored;
      }
    }
  }

  /** Fills a stream of one repeated byte; returns the number of bytes that it takes. */
  private int run(int value, long at, Span room) throws MalformedDataException {
    int from = room.offset();
    if (value == 0) {
      Arrays.fill(room.array(), from, from + room.length(), (byte) 0);
      return 0;
    }
    Span token = part(at, 1);
    boolean known = (token.array()[token.offset()] & RUN_TOKEN) != 0 && value >= -255;
    require(known, "stream", "token of length " + value, "a repeated byte");
    Arrays.fill(room.array(), from, from + room.length(), (byte) -value);
    return 1;
  }

  private void decodeStream(Span stream, Span room, FilterScratch scratch)
      throws MalformedDataException {
    if (stream.length() == room.length()) {
      System.arraycopy(stream.array(), stream.offset(), room.array(), room.offset(), room.length());
      return;
    }
    BlockCodecs codecs = BlockCodecs.of(scratch);
    int made =
        switch (flags() >>> CODER_SHIFT) {
          case 0 -> BloscLz.decode(stream, room);
          case 1 -> codecs.decode(BlockCodecs.Coder.LZ4, stream, room);
          case 3 -> codecs.decode(BlockCodecs.Coder.ZLIB, stream, room);
          case 4 -> codecs.decode(BlockCodecs.Coder.ZSTD, stream, room);
          default ->
              throw new MalformedDataException(
                  "blosc2 coder: actual="
                      + coderName()
                      + ", expected=BloscLZ, LZ4, zlib or Zstandard");
        };
    require(made == room.length(), "stream", made + " bytes", "" + room.length());
  }

  private String coderName() {
    int coder = flags() >>> CODER_SHIFT;
    return coder == 6 ? "plugin " + (chunk.array()[chunk.offset() + 22] & 0xFF) : "" + coder;
  }

  /** Undoes the filters from the last to the first; the result ends in {@code room}. */
  private void undoFilters(Work work, Span room) throws MalformedDataException {
    int bytes = room.length();
    byte[] in = chunk.array();
    byte[] from = work.first;
    byte[] to = work.second;
    for (int i = FILTER_COUNT - 1; i >= 0; i--) {
      int filter = in[chunk.offset() + FILTERS_AT + i] & 0xFF;
      int meta = in[chunk.offset() + FILTERS_META_AT + i] & 0xFF;
      switch (filter) {
        case 0, 4 -> {
          // No filter, or one that truncated the precision.
        }
        case 1, 2 -> {
          int size = filter == 1 && meta != 0 ? meta : typeBytes;
          join(filter == 2, size, new Span(from, 0, bytes), new Span(to, 0, bytes), work);
          byte[] swap = from;
          from = to;
          to = swap;
        }
        default ->
            throw new MalformedDataException(
                "blosc2 filter: actual=" + filter + ", expected=shuffle (1) or bit shuffle (2)");
      }
    }
    System.arraycopy(from, 0, room.array(), room.offset(), bytes);
  }

  private void join(boolean bits, int size, Span from, Span to, Work work) {
    int count = from.length() / size;
    if (bits) {
      int whole = count - count % 8;
      count = isOldVersion() && whole != count ? 0 : whole;
    }
    if (bits && count > 0) {
      work.bits.join(from.array(), 0, to.array(), 0, count, size);
    } else if (count > 0) {
      ByteTranspose.join(from.array(), 0, to.array(), 0, count, count, size);
    }
    int done = count * size;
    System.arraycopy(from.array(), done, to.array(), done, from.length() - done);
  }

  /** Returns whether blocks of other than a multiple of 8 elements are not transposed by bits. */
  private boolean isOldVersion() {
    return chunk.array()[chunk.offset()] == BloscContainer.VERSION;
  }

  private void repeat(Span room) throws MalformedDataException {
    byte[] value =
        switch (special) {
          case NANS -> notANumber();
          case VALUE -> {
            Span stored = part(HEADER_BYTES, typeBytes);
            yield Arrays.copyOfRange(stored.array(), stored.offset(), stored.end());
          }
          default -> new byte[1];
        };
    require(room.length() % value.length == 0, "length", room.length(), "whole elements");
    if (value.length == 1) {
      Arrays.fill(room.array(), room.offset(), room.end(), value[0]);
      return;
    }
    for (int at = 0; at < room.length(); at += value.length) {
      System.arraycopy(value, 0, room.array(), room.offset() + at, value.length);
    }
  }

  private byte[] notANumber() throws MalformedDataException {
    byte[] value = new byte[typeBytes];
    switch (typeBytes) {
      case 4 -> INT.set(value, 0, Float.floatToIntBits(Float.NaN));
      case 8 -> INT.set(value, 4, (int) (Double.doubleToLongBits(Double.NaN) >>> 32));
      default -> require(false, "element size", typeBytes, "4 or 8 for NaN");
    }
    return value;
  }
}
