package org.hyperslab.format.filter.community;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.coder.BitTranspose;
import org.hyperslab.format.filter.coder.BlockCodecs;

/**
 * Filter 32008, bitshuffle: blocks of elements are transposed into planes of bits; optionally, each
 * block is then compressed. Elements after the last multiple of 8 are stored unchanged.
 *
 * <p>With compression the encoded form begins with the uncompressed length (8 bytes) and the bytes
 * in a block (4 bytes); each block is preceded by its length (4 bytes); all big-endian.
 *
 * <p>Client data: version (two values), element size, elements in a block (0: about 8 KiB),
 * compression (0 none, 2 LZ4, 3 Zstandard), Zstandard's level. Source: bshuf_h5filter.c,
 * bitshuffle.c.
 */
public final class BitshuffleFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 32008;

  private static final int HEADER_BYTES = 12;
  private static final int TARGET_BLOCK_BYTES = 8192;
  private static final int MINIMUM_BLOCK = 128;
  private static final int MULTIPLE = 8;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Creates the filter, which has no state. */
  public BitshuffleFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "bitshuffle";
  }

  @Override
  public void checkParameters(int[] clientData, FilterContext context) {
    int[] values = configure(clientData, context);
    boolean blockFits = value(values, 3, 0) >= 0 && value(values, 3, 0) % MULTIPLE == 0;
    int coder = value(values, 4, 0);
    if (!blockFits || (coder != 0 && coder != 2 && coder != 3)) {
      throw new InvalidUseException(
          "bitshuffle parameters: actual="
              + Arrays.toString(clientData)
              + ", expected=block size (a multiple of 8), compression (0, 2 or 3), level");
    }
    if (coder != 0) {
      BlockCodecs.require(Parameters.coderOf(coder));
    }
  }

  /**
   * Accepts the values that a user gives, up to three, or those stored with a dataset, which are
   * more.
   */
  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    int[] wanted =
        clientData.length > 3
            ? Arrays.copyOfRange(clientData, 3, Math.min(6, clientData.length))
            : clientData;
    int[] values = new int[3 + wanted.length];
    values[0] = 0;
    values[1] = 4;
    values[2] = context.element().sizeBytes();
    System.arraycopy(wanted, 0, values, 3, wanted.length);
    return values;
  }

  /** The parameters decoded from the client data. */
  private record Parameters(int size, long blockElements, BlockCodecs.Coder coder, int level) {

    static Parameters of(int[] values) throws MalformedDataException {
      int size = value(values, 2, 0);
      int coder = value(values, 4, 0);
      long block = Integer.toUnsignedLong(value(values, 3, 0));
      if (size < 1 || block % MULTIPLE != 0 || (coder != 0 && coder != 2 && coder != 3)) {
        throw new MalformedDataException("parameters: actual=" + Arrays.toString(values));
      }
      if (block == 0) {
        block = Math.max((long) TARGET_BLOCK_BYTES / size / MULTIPLE * MULTIPLE, MINIMUM_BLOCK);
      }
      return new Parameters(size, block, coderOf(coder), value(values, 5, 3));
    }

    private static BlockCodecs.Coder coderOf(int code) {
      return switch (code) {
        case 2 -> BlockCodecs.Coder.LZ4;
        case 3 -> BlockCodecs.Coder.ZSTD;
        default -> null;
      };
    }
  }

  /** Working memory of a thread. */
  private static final class Work {
    final BitTranspose transpose = new BitTranspose();
    byte[] block = new byte[0];
    byte[] coded = new byte[0];

    void ensure(int blockBytes) {
      if (block.length < blockBytes) {
        block = new byte[blockBytes];
        coded = new byte[BlockCodecs.maximumEncodedBytes(blockBytes)];
      }
    }
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    Parameters parameters = Parameters.of(clientData);
    checkWhole(source.length(), parameters.size);
    if (parameters.coder == null) {
      return plain(source, parameters, out, true);
    }
    Work work = out.scratch().state(Work.class, Work::new);
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    byte[] target = out.array(HEADER_BYTES);
    LONG.set(target, out.arrayOffset(), (long) source.length());
    INT.set(target, out.arrayOffset() + 8, (int) (parameters.blockElements * parameters.size));
    int made = HEADER_BYTES;
    int done = 0;
    for (int count = blockAt(source.length(), done, parameters);
        count > 0;
        count = blockAt(source.length(), done, parameters)) {
      int bytes = count * parameters.size;
      work.ensure(bytes);
      work.transpose.split(
          source.array(), source.offset() + done, work.block, 0, count, parameters.size);
      int coded =
          codecs.encode(
              parameters.coder,
              parameters.level,
              new Span(work.block, 0, bytes),
              new Span(work.coded, 0, work.coded.length));
      target = out.array(made + 4L + coded);
      INT.set(target, out.arrayOffset() + made, coded);
      System.arraycopy(work.coded, 0, target, out.arrayOffset() + made + 4, coded);
      made += 4 + coded;
      done += bytes;
    }
    int left = source.length() - done;
    target = out.array(made + (long) left);
    System.arraycopy(
        source.array(), source.offset() + done, target, out.arrayOffset() + made, left);
    return made + left;
  }

  /**
   * Returns the number of elements in the block that begins at byte {@code done}; 0 if no block
   * begins there.
   */
  private static int blockAt(int length, int done, Parameters parameters) {
    int left = (length - done) / parameters.size;
    int multiple = left / MULTIPLE * MULTIPLE;
    return (int) Math.min(parameters.blockElements, multiple);
  }

  private static void checkWhole(long length, int size) throws MalformedDataException {
    if (length % size != 0) {
      throw new MalformedDataException(
          "chunk: actual=" + length + " bytes, expected=a multiple of " + size);
    }
  }

  private static int plain(Span source, Parameters parameters, FilterOutput out, boolean split)
      throws MalformedDataException {
    byte[] target = out.array(source.length());
    Work work = out.scratch().state(Work.class, Work::new);
    int done = 0;
    for (int count = blockAt(source.length(), done, parameters);
        count > 0;
        count = blockAt(source.length(), done, parameters)) {
      int from = source.offset() + done;
      int to = out.arrayOffset() + done;
      if (split) {
        work.transpose.split(source.array(), from, target, to, count, parameters.size);
      } else {
        work.transpose.join(source.array(), from, target, to, count, parameters.size);
      }
      done += count * parameters.size;
    }
    System.arraycopy(
        source.array(),
        source.offset() + done,
        target,
        out.arrayOffset() + done,
        source.length() - done);
    return source.length();
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    Parameters parameters = Parameters.of(clientData);
    if (parameters.coder == null) {
      checkWhole(source.length(), parameters.size);
      return plain(source, parameters, out, false);
    }
    if (source.length() < HEADER_BYTES) {
      throw new MalformedDataException("header: actual=" + source.length() + " bytes, expected=12");
    }
    long length = (long) LONG.get(source.array(), source.offset());
    long blockBytes = Integer.toUnsignedLong((int) INT.get(source.array(), source.offset() + 8));
    long elements = blockBytes / parameters.size;
    checkWhole(length, parameters.size);
    if (elements == 0 || elements % MULTIPLE != 0) {
      throw new MalformedDataException(
          "block: actual=" + blockBytes + " bytes, expected=a multiple of 8 elements");
    }
    out.array(length);
    Parameters stored = new Parameters(parameters.size, elements, parameters.coder, 0);
    return decodeBlocks(source, (int) length, stored, out);
  }

  private static int decodeBlocks(Span source, int length, Parameters parameters, FilterOutput out)
      throws MalformedDataException {
    byte[] target = out.array(length);
    Work work = out.scratch().state(Work.class, Work::new);
    BlockCodecs codecs = BlockCodecs.of(out.scratch());
    int at = HEADER_BYTES;
    int done = 0;
    for (int count = blockAt(length, done, parameters);
        count > 0;
        count = blockAt(length, done, parameters)) {
      int bytes = count * parameters.size;
      int coded =
          source.length() - at < 4 ? -1 : (int) INT.get(source.array(), source.offset() + at);
      at += 4;
      if (coded < 0 || coded > source.length() - at) {
        throw new MalformedDataException("blocks end early after " + done + " bytes");
      }
      work.ensure(bytes);
      int made =
          codecs.decode(parameters.coder, source.slice(at, coded), new Span(work.block, 0, bytes));
      if (made != bytes) {
        throw new MalformedDataException("block: actual=" + made + " bytes, expected=" + bytes);
      }
      work.transpose.join(work.block, 0, target, out.arrayOffset() + done, count, parameters.size);
      at += coded;
      done += bytes;
    }
    int left = length - done;
    if (left > source.length() - at) {
      throw new MalformedDataException("last elements are missing: " + left + " bytes");
    }
    System.arraycopy(source.array(), source.offset() + at, target, out.arrayOffset() + done, left);
    return length;
  }
}
