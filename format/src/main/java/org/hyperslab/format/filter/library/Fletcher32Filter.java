package org.hyperslab.format.filter.library;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.hyperslab.format.filter.Filter;
import org.hyperslab.format.filter.FilterContext;
import org.hyperslab.format.filter.FilterOutput;
import org.hyperslab.format.filter.MalformedDataException;

/**
 * Filter 3, Fletcher-32: appends a checksum of four bytes, little-endian. No client data.
 *
 * <p>HDF5 1.6.2 and earlier swapped the bytes of each half of the checksum on little-endian
 * machines; both forms are accepted. Source: H5Zfletcher32.c, H5checksum.c.
 */
public final class Fletcher32Filter implements Filter {

  /** The registered filter number. */
  public static final int ID = 3;

  private static final int CHECKSUM_BYTES = 4;
  private static final int MODULUS = 65_535;

  /** The number of words after which the sums are reduced: the second sum stays far below 2^63. */
  private static final long WORDS_PER_FOLD = 1 << 16;

  private static final ValueLayout.OfShort WORD =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong FOUR_WORDS =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt STORED =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Creates the filter, which has no state. */
  public Fletcher32Filter() {}

  @Override
  public int id() {
    return ID;
  }

  @Override
  public String name() {
    return "fletcher32";
  }

  @Override
  public int[] configure(int[] clientData, FilterContext context) {
    return new int[0];
  }

  @Override
  public long maximumEncodedBytes(long bytes, int[] clientData) {
    return bytes + CHECKSUM_BYTES;
  }

  @Override
  public long encode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    long length = source.byteSize();
    MemorySegment target = out.segment(length + CHECKSUM_BYTES);
    MemorySegment.copy(source, 0, target, 0, length);
    target.set(STORED, length, checksum(source, length));
    return length + CHECKSUM_BYTES;
  }

  @Override
  public long decode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    long length = source.byteSize() - CHECKSUM_BYTES;
    if (length < 0) {
      throw new MalformedDataException(
          "no room for a checksum: actual=" + source.byteSize() + " bytes, expected=at least 4");
    }
    int stored = source.get(STORED, length);
    int computed = checksum(source, length);
    if (stored != computed && stored != exchanged(computed)) {
      throw new MalformedDataException(
          String.format("checksum mismatch: actual=%#010x, expected=%#010x", computed, stored));
    }
    out.pass(source.asSlice(0, length));
    return length;
  }

  /** Returns the checksum with the two bytes of each half swapped. */
  static int exchanged(int checksum) {
    return ((checksum & 0x00FF00FF) << 8) | ((checksum >>> 8) & 0x00FF00FF);
  }

  /**
   * Returns the Fletcher-32 checksum of the first {@code length} bytes as big-endian words; an odd
   * last byte is the high byte of a word. As in HDF5, the sums are in 1 … 65535 unless all words
   * are 0.
   */
  static int checksum(MemorySegment bytes, long length) {
    long words = length / 2;
    long first = 0;
    long second = 0;
    for (long done = 0; done < words; ) {
      long end = Math.min(words, done + WORDS_PER_FOLD);
      long fours = done + (end - done) / 4 * 4;
      for (; done < fours; done += 4) {
        long four = bytes.get(FOUR_WORDS, 2 * done);
        long a = four >>> 48;
        long b = (four >>> 32) & 0xFFFF;
        long c = (four >>> 16) & 0xFFFF;
        long d = four & 0xFFFF;
        second += 4 * first + 4 * a + 3 * b + 2 * c + d;
        first += a + b + c + d;
      }
      for (; done < end; done++) {
        first += Short.toUnsignedLong(bytes.get(WORD, 2 * done));
        second += first;
      }
      first = reduce(first);
      second = reduce(second);
    }
    if (length % 2 != 0) {
      first += Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, length - 1)) << 8;
      second += first;
    }
    return (int) (reduce(second) << 16 | reduce(first));
  }

  /** Returns the remainder modulo 65535, with 65535 in place of 0 unless {@code sum} is 0. */
  private static long reduce(long sum) {
    return sum == 0 ? 0 : (sum - 1) % MODULUS + 1;
  }
}
