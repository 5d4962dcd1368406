package org.hyperslab.format.filter.community;

import java.util.Arrays;
import org.hyperslab.format.filter.ArrayFilter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;

/**
 * Filter 32000, LZF (of h5py): a stream of instructions. A control byte n below 32 is followed by n
 * + 1 literal bytes; any other begins a copy of earlier output: three bits of length (7 means that
 * one more byte of length follows), thirteen bits of distance.
 *
 * <p>Client data: filter revision, LZF version, chunk size in bytes. Source: h5py lzf_filter.c, M.
 * Lehmann's LibLZF.
 */
public final class LzfFilter extends ArrayFilter {

  /** The registered filter number. */
  public static final int ID = 32000;

  private static final int FILTER_REVISION = 4;
  private static final int LZF_VERSION = 0x0105;
  private static final int MAXIMUM_LITERALS = 32;
  private static final int MAXIMUM_DISTANCE = 1 << 13;
  private static final int MAXIMUM_COPY = (1 << 8) + (1 << 3);
  private static final int HASH_BITS = 14;

  /** Creates the filter, which has no state. */
  public LzfFilter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "lzf";
  }

  @Override
  public boolean failsOnGrowth() {
    return true;
  }

  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    return new int[] {FILTER_REVISION, LZF_VERSION, (int) context.chunkBytes()};
  }

  @Override
  protected int decode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    byte[] in = source.array();
    int at = source.offset();
    int end = source.end();
    // Three bytes produce at most 264.
    long possible = (long) source.length() * MAXIMUM_COPY;
    int capacity = (int) Math.min(Math.min(out.limitBytes(), possible), Integer.MAX_VALUE - 8);
    byte[] target = out.array(capacity);
    int start = out.arrayOffset();
    int to = start;
    int limit = start + capacity;
    while (at < end) {
      int control = in[at++] & 0xFF;
      if (control < MAXIMUM_LITERALS) {
        int length = control + 1;
        if (length > end - at || length > limit - to) {
          throw new MalformedDataException("literals beyond the end, at byte " + (to - start));
        }
        System.arraycopy(in, at, target, to, length);
        at += length;
        to += length;
        continue;
      }
      int length = control >>> 5;
      if (length == 7) {
        length += at < end ? in[at++] & 0xFF : 0;
      }
      length += 2;
      int distance = ((control & 0x1F) << 8) + (at < end ? in[at] & 0xFF : 0) + 1;
      if (at >= end || distance > to - start || length > limit - to) {
        throw new MalformedDataException("copy beyond the data, at byte " + (to - start));
      }
      at++;
      copy(target, to, distance, length);
      to += length;
    }
    return to - start;
  }

  /** Copies earlier output; source and target may overlap, which repeats a pattern. */
  static void copy(byte[] array, int to, int distance, int length) {
    if (distance >= length) {
      System.arraycopy(array, to - distance, array, to, length);
    } else if (distance == 1) {
      Arrays.fill(array, to, to + length, array[to - 1]);
    } else {
      for (int i = to; i < to + length; i++) {
        array[i] = array[i - distance];
      }
    }
  }

  @Override
  protected int encode(Span source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    long capacity = Math.min(out.limitBytes(), source.length() + source.length() / 32 + 4L);
    if (capacity <= 0) {
      return DECLINED;
    }
    byte[] target = out.array(capacity);
    int[] heads = out.scratch().state(LzfFilter.class, () -> new int[1 << HASH_BITS]);
    Arrays.fill(heads, -1);
    int start = out.arrayOffset();
    Encoder encoder = new Encoder(source, target, start, start + (int) capacity);
    return encoder.run(heads) ? encoder.to - start : DECLINED;
  }

  /**
   * The state of one encoding: greedy, with one remembered position for each hash of three bytes.
   */
  private static final class Encoder {
    private final byte[] in;
    private final int begin;
    private final int end;
    private final byte[] target;
    private final int limit;
    private int to;

    Encoder(Span source, byte[] target, int start, int limit) {
      this.in = source.array();
      this.begin = source.offset();
      this.end = source.end();
      this.target = target;
      this.to = start;
      this.limit = limit;
    }

    /** Encodes, and returns whether the result fitted. */
    boolean run(int[] heads) {
      int at = begin;
      int literals = begin;
      while (at + 2 < end) {
        int next = (in[at] & 0xFF) << 16 | (in[at + 1] & 0xFF) << 8 | (in[at + 2] & 0xFF);
        int slot = (next * 0x9E3779B1) >>> (32 - HASH_BITS);
        int before = heads[slot];
        heads[slot] = at;
        if (before < 0 || at - before > MAXIMUM_DISTANCE || !sameThree(before, at)) {
          at++;
          continue;
        }
        int length = matchLength(before, at);
        if (!putLiterals(literals, at) || !putCopy(at - before, length)) {
          return false;
        }
        at += length;
        literals = at;
      }
      return putLiterals(literals, end);
    }

    private boolean sameThree(int a, int b) {
      return in[a] == in[b] && in[a + 1] == in[b + 1] && in[a + 2] == in[b + 2];
    }

    private int matchLength(int before, int at) {
      int most = Math.min(MAXIMUM_COPY, end - at);
      int common = Arrays.mismatch(in, before, before + most, in, at, at + most);
      return common < 0 ? most : common;
    }

    private boolean putLiterals(int from, int until) {
      for (int at = from; at < until; ) {
        int count = Math.min(MAXIMUM_LITERALS, until - at);
        if (count + 1 > limit - to) {
          return false;
        }
        target[to++] = (byte) (count - 1);
        System.arraycopy(in, at, target, to, count);
        to += count;
        at += count;
      }
      return true;
    }

    private boolean putCopy(int distance, int length) {
      if (limit - to < 3) {
        return false;
      }
      int code = length - 2;
      int high = (distance - 1) >>> 8;
      if (code < 7) {
        target[to++] = (byte) (code << 5 | high);
      } else {
        target[to++] = (byte) (7 << 5 | high);
        target[to++] = (byte) (code - 7);
      }
      target[to++] = (byte) (distance - 1);
      return true;
    }
  }
}
