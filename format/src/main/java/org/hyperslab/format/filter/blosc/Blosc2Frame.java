package org.hyperslab.format.filter.blosc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * A contiguous frame of Blosc 2: a header in MessagePack, chunks, and a chunk with their offsets.
 * HDF5's filter stores one chunk in it. Its elements are in the order of the array, or in that of
 * the blocks that the metalayer "b2nd" describes.
 *
 * <p>Source: README_CFRAME_FORMAT.rst and README_B2ND_METALAYER.rst of c-blosc2.
 */
final class Blosc2Frame {

  private static final byte[] MAGIC = "b2frame\0".getBytes(StandardCharsets.US_ASCII);
  private static final int MAGIC_AT = 0x02;
  private static final int HEADER_LENGTH_AT = 0x0B;
  private static final int FRAME_LENGTH_AT = 0x10;
  private static final int BYTES_AT = 0x1E;
  private static final int STORED_AT = 0x27;
  private static final int TYPE_BYTES_AT = 0x30;

  /** The offset of the first metalayer, where the part of fixed length ends. */
  static final int METALAYERS_AT = 0x57;

  private static final int OFFSET_BYTES = 8;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle OFFSET =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Span frame;
  private final int headerLength;

  private Blosc2Frame(Span frame, int headerLength) {
    this.frame = frame;
    this.headerLength = headerLength;
  }

  /** {@return whether the bytes begin as a frame does} */
  static boolean isFrame(Span source) {
    if (source.length() < METALAYERS_AT) {
      return false;
    }
    int at = source.offset() + MAGIC_AT;
    return Arrays.equals(source.array(), at, at + MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * {@return the frame at the beginning of some bytes}
   *
   * @param source the bytes; other bytes may follow the frame
   * @throws MalformedDataException if its lengths are wrong
   */
  static Blosc2Frame of(Span source) throws MalformedDataException {
    int header = (int) INT.get(source.array(), source.offset() + HEADER_LENGTH_AT);
    long length = (long) LONG.get(source.array(), source.offset() + FRAME_LENGTH_AT);
    if (header < METALAYERS_AT || header > length || length > source.length()) {
      throw new MalformedDataException(
          "frame: actual=header of "
              + header
              + " bytes, frame of "
              + length
              + ", expected=within "
              + source.length());
    }
    return new Blosc2Frame(source.slice(0, (int) length), header);
  }

  private long number(int at) {
    return (long) LONG.get(frame.array(), frame.offset() + at);
  }

  /**
   * Decodes the elements of the only chunk.
   *
   * @param out receives the elements, in the order of the array
   * @return the number of bytes produced
   * @throws MalformedDataException if the frame is damaged, or holds anything but one chunk
   */
  int decode(FilterOutput out) throws MalformedDataException {
    if (number(BYTES_AT) == 0) {
      return 0;
    }
    Blosc2Blocks blocks = Blosc2Blocks.in(frame, headerLength);
    if (blocks == null) {
      return chunk(out).decode(out);
    }
    int typeBytes = (int) INT.get(frame.array(), frame.offset() + TYPE_BYTES_AT);
    return blocks.decode(chunk(out), typeBytes, out);
  }

  private Blosc2Chunk chunk(FilterOutput out) throws MalformedDataException {
    long stored = number(STORED_AT);
    if (stored < 0 || stored > frame.length() - headerLength) {
      throw new MalformedDataException(
          "chunks: actual=" + stored + " bytes, expected=within the frame");
    }
    Blosc2Chunk index = Blosc2Chunk.of(tail(headerLength + stored));
    if (index.length() != OFFSET_BYTES) {
      throw new MalformedDataException(
          "index: actual=" + index.length() / OFFSET_BYTES + " chunks, expected=1");
    }
    byte[] offsets = new byte[OFFSET_BYTES];
    index.decodeInto(new Span(offsets, 0, OFFSET_BYTES), out.scratch());
    long offset = (long) OFFSET.get(offsets, 0);
    if (offset < 0) {
      return Blosc2Chunk.special(
          (int) (offset >>> 56) & 7,
          number(BYTES_AT),
          (int) INT.get(frame.array(), frame.offset() + TYPE_BYTES_AT));
    }
    return Blosc2Chunk.of(tail(headerLength + Math.min(offset, frame.length())));
  }

  private Span tail(long from) throws MalformedDataException {
    if (from > frame.length()) {
      throw new MalformedDataException(
          "offset: actual=" + from + ", expected=within " + frame.length());
    }
    return frame.slice((int) from, (int) (frame.length() - from));
  }
}
