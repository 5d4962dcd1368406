package org.hyperslab.format.filter.community;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BlockCodecs;

/**
 * Filter 32004, LZ4: the uncompressed length (8 bytes) and the block size (4 bytes), then for each
 * block its length (4 bytes) and bytes; a block whose length equals the uncompressed length is
 * stored uncompressed. All numbers are big-endian. Client data: the block size in bytes, 0 for 1
 * GiB.
 *
 * <p>Source: H5Zlz4.c of HDF5's registered filter plugins, and its format description.
 */
public final class Lz4Filter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 32004;

  private static final int HEADER_BYTES = 12;
  private static final int DEFAULT_BLOCK_BYTES = 1 << 30;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Creates the filter, which has no state. */
  public Lz4Filter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "lz4";
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    BlockCodecs.require(BlockCodecs.Coder.LZ4);
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    int asked = value(clientData, 0, 0);
    int blockBytes = Math.min(asked <= 0 ? DEFAULT_BLOCK_BYTES : asked, source.length());
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    byte[] staging =
        out.scratch()
            .state(Staging.class, Staging::new)
            .ensure(BlockCodecs.maximumEncodedBytes(blockBytes));
    if (out.limitBytes() < HEADER_BYTES) {
      return DECLINED;
    }
    byte[] target = out.array(HEADER_BYTES);
    LONG.set(target, out.arrayOffset(), (long) source.length());
    INT.set(target, out.arrayOffset() + 8, blockBytes);
    int made = HEADER_BYTES;
    for (int done = 0; done < source.length(); done += blockBytes) {
      int length = Math.min(blockBytes, source.length() - done);
      Span block = source.slice(done, length);
      Span room = new Span(staging, 0, staging.length);
      int coded = codecs.encode(BlockCodecs.Coder.LZ4, 0, block, room);
      boolean plain = coded >= length;
      int stored = plain ? length : coded;
      target = out.array(made + 4L + stored);
      int at = out.arrayOffset() + made;
      INT.set(target, at, stored);
      System.arraycopy(
          plain ? source.array() : staging, plain ? block.offset() : 0, target, at + 4, stored);
      made += 4 + stored;
    }
    return made;
  }

  /** Memory for one encoded block. */
  static final class Staging {
    private byte[] bytes = new byte[0];

    byte[] ensure(int length) {
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      return bytes;
    }
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    if (source.length() < HEADER_BYTES) {
      throw new MalformedDataException("header: actual=" + source.length() + " bytes, expected=12");
    }
    byte[] in = source.array();
    long length = (long) LONG.get(in, source.offset());
    int blockBytes = (int) INT.get(in, source.offset() + 8);
    byte[] target = out.array(length);
    if (blockBytes <= 0 && length > 0) {
      throw new MalformedDataException("block size: actual=" + blockBytes + ", expected=1 or more");
    }
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    int at = HEADER_BYTES;
    int done = 0;
    while (done < length) {
      int expected = (int) Math.min(blockBytes, length - done);
      if (source.length() - at < 4) {
        throw new MalformedDataException("blocks end early after " + done + " bytes");
      }
      int stored = (int) INT.get(in, source.offset() + at);
      at += 4;
      if (stored < 0 || stored > source.length() - at) {
        throw new MalformedDataException(
            "block length: actual=" + stored + ", expected=at most " + (source.length() - at));
      }
      Span block = source.slice(at, stored);
      Span room = new Span(target, out.arrayOffset() + done, expected);
      decodeBlock(codecs, block, room);
      at += stored;
      done += expected;
    }
    return done;
  }

  private static void decodeBlock(BlockCodecs codecs, Span block, Span room)
      throws MalformedDataException {
    if (block.length() == room.length()) {
      System.arraycopy(block.array(), block.offset(), room.array(), room.offset(), room.length());
      return;
    }
    int made = codecs.decode(BlockCodecs.Coder.LZ4, block, room);
    if (made != room.length()) {
      throw new MalformedDataException(
          "block: actual=" + made + " bytes decoded, expected=" + room.length());
    }
  }
}
