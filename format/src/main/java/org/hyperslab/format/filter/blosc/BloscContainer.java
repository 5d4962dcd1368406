package org.hyperslab.format.filter.blosc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BitTranspose;
import org.hyperslab.format.filter.coder.BlockCodecs;
import org.hyperslab.format.filter.coder.ByteTranspose;

/**
 * The container of Blosc 1:
 *
 * <pre>
 * 0   version  | coder version | flags | element size
 * 4   uncompressed bytes (u32)
 * 8   bytes in a block (u32)
 * 12  bytes in the container (u32)
 * 16  offset of each block (u32 each), then the blocks
 * </pre>
 *
 * <p>A block consists of one stream or, if the flag DONT_SPLIT is clear, of one stream for each
 * byte of an element. Each stream is preceded by its length (u32); a stream whose length equals the
 * uncompressed length is stored uncompressed. Numbers are little-endian.
 */
public final class BloscContainer {

  static final int VERSION = 2;

  private static final int HEADER_BYTES = 16;
  private static final int BYTE_SHUFFLE = 0x1;
  private static final int PLAIN_COPY = 0x2;
  private static final int BIT_SHUFFLE = 0x4;
  private static final int DONT_SPLIT = 0x10;
  private static final int CODER_SHIFT = 5;
  private static final int MAXIMUM_SPLITS = 16;
  private static final int MINIMUM_STREAM_BYTES = 128;
  private static final int BLOCK_BYTES = 1 << 18;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private BloscContainer() {}

  /**
   * The encoding parameters: element size, level, shuffle, coder, as in the filter's client data.
   */
  record Settings(int typeBytes, int level, int shuffle, int coder) {}

  /** Working memory of a thread. */
  private static final class Work {
    final BitTranspose bits = new BitTranspose();
    byte[] block = new byte[0];
    byte[] coded = new byte[0];

    void ensure(int blockBytes) {
      if (block.length < blockBytes) {
        block = new byte[blockBytes];
      }
    }

    byte[] ensureCoded(int bytes) {
      if (coded.length < bytes) {
        coded = new byte[bytes];
      }
      return coded;
    }
  }

  /** The container's header, checked against the bytes available. */
  private record Header(int flags, int typeBytes, int length, int blockBytes, Span container) {

    static Header of(Span source) throws MalformedDataException {
      if (source.length() < HEADER_BYTES) {
        throw new MalformedDataException(
            "header: actual=" + source.length() + " bytes, expected=16");
      }
      byte[] in = source.array();
      int at = source.offset();
      int version = in[at] & 0xFF;
      int flags = in[at + 2] & 0xFF;
      int typeBytes = in[at + 3] & 0xFF;
      int length = (int) INT.get(in, at + 4);
      int blockBytes = (int) INT.get(in, at + 8);
      int stored = (int) INT.get(in, at + 12);
      boolean good =
          version >= 1
              && version <= VERSION
              && typeBytes > 0
              && length >= 0
              && blockBytes > 0
              && stored >= HEADER_BYTES
              && stored <= source.length();
      if (!good) {
        throw new MalformedDataException(
            "header: actual=version "
                + version
                + ", element "
                + typeBytes
                + ", length "
                + length
                + ", block "
                + blockBytes
                + ", stored "
                + stored
                + ", expected=version 1 or 2 and lengths within "
                + source.length());
      }
      return new Header(flags, typeBytes, length, blockBytes, source.slice(0, stored));
    }

    int blocks() {
      return (int) ((length + (long) blockBytes - 1) / blockBytes);
    }

    void requireBlocks() throws MalformedDataException {
      if (4L * blocks() > container.length() - HEADER_BYTES) {
        throw new MalformedDataException("blocks: actual=" + blocks() + ", expected=fewer");
      }
    }

    int number(long at) throws MalformedDataException {
      if (at < 0 || at > container.length() - 4) {
        throw new MalformedDataException(
            "offset: actual=" + at + ", expected=below " + container.length());
      }
      return (int) INT.get(container.array(), container.offset() + (int) at);
    }

    int streams(int bytes) {
      boolean splits =
          (flags & DONT_SPLIT) == 0
              && typeBytes <= MAXIMUM_SPLITS
              && bytes / typeBytes >= MINIMUM_STREAM_BYTES
              && bytes == blockBytes;
      return splits ? typeBytes : 1;
    }
  }

  static int decode(Span source, FilterOutput out) throws MalformedDataException {
    Header header = Header.of(source);
    if ((header.flags & PLAIN_COPY) != 0) {
      if (header.length > header.container.length() - HEADER_BYTES) {
        throw new MalformedDataException("plain copy ends early");
      }
      byte[] target = out.array(header.length);
      System.arraycopy(
          source.array(), source.offset() + HEADER_BYTES, target, out.arrayOffset(), header.length);
      return header.length;
    }
    header.requireBlocks();
    byte[] target = out.array(header.length);
    Work work = out.scratch().state(Work.class, Work::new);
    work.ensure(Math.min(header.blockBytes, header.length));
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    for (int i = 0; i < header.blocks(); i++) {
      int done = i * header.blockBytes;
      int bytes = Math.min(header.blockBytes, header.length - done);
      Span room = new Span(target, out.arrayOffset() + done, bytes);
      decodeBlock(header, header.number(HEADER_BYTES + 4L * i), room, work, codecs);
    }
    return header.length;
  }

  private static void decodeBlock(
      Header header, int offset, Span room, Work work, BlockCodecs codecs)
      throws MalformedDataException {
    int bytes = room.length();
    int size = header.typeBytes;
    boolean byteShuffled = (header.flags & BYTE_SHUFFLE) != 0 && size > 1;
    boolean bitShuffled = !byteShuffled && (header.flags & BIT_SHUFFLE) != 0 && bytes >= size;
    Span target = byteShuffled || bitShuffled ? new Span(work.block, 0, bytes) : room;
    decodeStreams(header, offset, target, codecs);
    if (byteShuffled) {
      joinBytes(target, room, size);
    } else if (bitShuffled) {
      joinBits(target, room, size, work.bits);
    }
  }

  /** Decodes to the form of HDF5's shuffle filter, as {@code BareDecoders} describes. */
  public static boolean decodeShuffled(Span source, int size, byte[] target, FilterScratch scratch)
      throws MalformedDataException {
    Header header = Header.of(source);
    boolean shuffled = (header.flags & (BYTE_SHUFFLE | PLAIN_COPY)) == BYTE_SHUFFLE && size > 1;
    if (!shuffled
        || header.typeBytes != size
        || header.length != target.length
        || header.length % size != 0
        || header.blockBytes % size != 0) {
      return false;
    }
    header.requireBlocks();
    Work work = scratch.state(Work.class, Work::new);
    work.ensure(Math.min(header.blockBytes, header.length));
    BlockCodecs codecs = BlockCodecs.of(scratch);
    int all = header.length / size;
    for (int i = 0; i < header.blocks(); i++) {
      int done = i * header.blockBytes;
      int bytes = Math.min(header.blockBytes, header.length - done);
      int count = bytes / size;
      Span block = new Span(work.block, 0, bytes);
      decodeStreams(header, header.number(HEADER_BYTES + 4L * i), block, codecs);
      for (int j = 0; j < size; j++) {
        System.arraycopy(work.block, j * count, target, j * all + done / size, count);
      }
    }
    return true;
  }

  private static void decodeStreams(Header header, int offset, Span target, BlockCodecs codecs)
      throws MalformedDataException {
    int bytes = target.length();
    int streams = header.streams(bytes);
    int streamBytes = bytes / streams;
    long at = offset;
    for (int j = 0; j < streams; j++) {
      int stored = header.number(at);
      at += 4;
      if (stored < 0 || stored > header.container.length() - at) {
        throw new MalformedDataException("stream length: actual=" + stored + ", expected=less");
      }
      Span stream = header.container.slice((int) at, stored);
      decodeStream(header, stream, target.slice(j * streamBytes, streamBytes), codecs);
      at += stored;
    }
  }

  private static void decodeStream(Header header, Span stream, Span room, BlockCodecs codecs)
      throws MalformedDataException {
    if (stream.length() == room.length()) {
      System.arraycopy(stream.array(), stream.offset(), room.array(), room.offset(), room.length());
      return;
    }
    int made =
        switch (header.flags >>> CODER_SHIFT) {
          case 0 -> BloscLz.decode(stream, room);
          case 1 -> codecs.decode(BlockCodecs.Coder.LZ4, stream, room);
          case 2 -> codecs.decode(BlockCodecs.Coder.SNAPPY, stream, room);
          case 3 -> codecs.decode(BlockCodecs.Coder.ZLIB, stream, room);
          case 4 -> codecs.decode(BlockCodecs.Coder.ZSTD, stream, room);
          default ->
              throw new MalformedDataException(
                  "coder: actual=" + (header.flags >>> CODER_SHIFT) + ", expected=0 to 4");
        };
    if (made != room.length()) {
      throw new MalformedDataException(
          "stream: actual=" + made + " bytes, expected=" + room.length());
    }
  }

  private static void joinBytes(Span from, Span to, int size) {
    int count = from.length() / size;
    ByteTranspose.join(from.array(), from.offset(), to.array(), to.offset(), count, count, size);
    copyFrom(from, to, count * size);
  }

  private static void joinBits(Span from, Span to, int size, BitTranspose bits) {
    int count = from.length() / size;
    if (count % 8 != 0) {
      copyFrom(from, to, 0);
      return;
    }
    bits.join(from.array(), from.offset(), to.array(), to.offset(), count, size);
    copyFrom(from, to, count * size);
  }

  private static void copyFrom(Span from, Span to, int done) {
    System.arraycopy(
        from.array(), from.offset() + done, to.array(), to.offset() + done, from.length() - done);
  }

  static int encode(Span source, Settings settings, FilterOutput out)
      throws MalformedDataException {
    int length = source.length();
    int size = settings.typeBytes;
    int unit = size * 8;
    int blockBytes = Math.max(1, Math.min(length, Math.max(BLOCK_BYTES / unit, 1) * unit));
    int blocks = (int) ((length + (long) blockBytes - 1) / blockBytes);
    long start = HEADER_BYTES + 4L * blocks;
    if (settings.level == 0 || start > out.limitBytes()) {
      return plainCopy(source, settings, out);
    }
    Work work = out.scratch().state(Work.class, Work::new);
    work.ensure(blockBytes);
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    byte[] coded = work.ensureCoded(BlockCodecs.maximumEncodedBytes(blockBytes));
    byte[] target = out.array(start);
    int made = (int) start;
    for (int i = 0; i < blocks; i++) {
      Span block = source.slice(i * blockBytes, Math.min(blockBytes, length - i * blockBytes));
      Span shuffled = shuffle(block, settings, work);
      Span room = new Span(coded, 0, coded.length);
      int bytes = codecs.encode(coder(settings.coder), level(settings), shuffled, room);
      boolean plain = bytes >= block.length();
      Span stored = plain ? shuffled : room.slice(0, bytes);
      long end = made + 4L + stored.length();
      if (end >= length + (long) HEADER_BYTES || end > out.limitBytes()) {
        return plainCopy(source, settings, out);
      }
      target = out.array(end);
      int base = out.arrayOffset();
      INT.set(target, base + HEADER_BYTES + 4 * i, made);
      INT.set(target, base + made, stored.length());
      System.arraycopy(stored.array(), stored.offset(), target, base + made + 4, stored.length());
      made = (int) end;
    }
    int flags = formatOf(settings) << CODER_SHIFT | DONT_SPLIT | shuffleFlag(settings);
    putHeader(target, out.arrayOffset(), flags, settings, new int[] {length, blockBytes, made});
    return made;
  }

  private static int plainCopy(Span source, Settings settings, FilterOutput out)
      throws MalformedDataException {
    int length = source.length();
    int made = Math.addExact(length, HEADER_BYTES);
    if (made > out.limitBytes()) {
      return (int) Filter.DECLINED;
    }
    byte[] target = out.array(made);
    int base = out.arrayOffset();
    System.arraycopy(source.array(), source.offset(), target, base + HEADER_BYTES, length);
    int flags = formatOf(settings) << CODER_SHIFT | PLAIN_COPY | DONT_SPLIT;
    putHeader(target, base, flags, settings, new int[] {length, Math.max(1, length), made});
    return made;
  }

  private static void putHeader(
      byte[] target, int at, int flags, Settings settings, int[] lengths) {
    target[at] = VERSION;
    target[at + 1] = 1;
    target[at + 2] = (byte) flags;
    target[at + 3] = (byte) settings.typeBytes;
    for (int i = 0; i < lengths.length; i++) {
      INT.set(target, at + 4 + 4 * i, lengths[i]);
    }
  }

  private static int shuffleFlag(Settings settings) {
    return switch (settings.shuffle) {
      case 1 -> BYTE_SHUFFLE;
      case 2 -> BIT_SHUFFLE;
      default -> 0;
    };
  }

  private static Span shuffle(Span block, Settings settings, Work work) {
    int size = settings.typeBytes;
    int count = block.length() / size;
    boolean bytes = settings.shuffle == 1 && size > 1;
    boolean bits = settings.shuffle == 2 && count > 0 && count % 8 == 0;
    if (!bytes && !bits) {
      return block;
    }
    Span shuffled = new Span(work.block, 0, block.length());
    if (bytes) {
      ByteTranspose.split(block.array(), block.offset(), work.block, 0, count, count, size);
    } else {
      work.bits.split(block.array(), block.offset(), work.block, 0, count, size);
    }
    copyFrom(block, shuffled, count * size);
    return shuffled;
  }

  /** Returns the coder with a number in the client data. */
  static BlockCodecs.Coder coder(int number) {
    return switch (number) {
      case 3 -> BlockCodecs.Coder.SNAPPY;
      case 4 -> BlockCodecs.Coder.ZLIB;
      case 5 -> BlockCodecs.Coder.ZSTD;
      default -> BlockCodecs.Coder.LZ4;
    };
  }

  private static int formatOf(Settings settings) {
    return switch (coder(settings.coder)) {
      case LZ4 -> 1;
      case SNAPPY -> 2;
      case ZLIB -> 3;
      case ZSTD -> 4;
    };
  }

  /** Converts a Blosc level, 0 to 9, to the coder's own level. */
  private static int level(Settings settings) {
    if (settings.coder != 5) {
      return settings.level;
    }
    return settings.level < 9 ? settings.level * 2 - 1 : 22;
  }
}
