package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;

/**
 * What elements read as that were never written, in the file form of their type.
 *
 * <p>Thread rule: immutable.
 */
public final class FillPattern {

  private static final int BLOCK_BYTES = 64 << 10;

  private final byte[] element;

  private FillPattern(byte[] element) {
    this.element = element;
  }

  /** Zeros, whatever the element's size. */
  public static FillPattern zeros() {
    return new FillPattern(new byte[0]);
  }

  /** The given bytes for each element; zeros if all of them are zero. */
  public static FillPattern of(byte[] element) {
    for (byte b : element) {
      if (b != 0) {
        return new FillPattern(element.clone());
      }
    }
    return zeros();
  }

  /** Whether it is nothing but zeros. */
  public boolean isZero() {
    return element.length == 0;
  }

  /** Fills a range of whole elements. */
  public void fill(MemorySegment target) {
    if (element.length <= 1) {
      target.fill(element.length == 0 ? 0 : element[0]);
      return;
    }
    long size = target.byteSize();
    long filled = Math.min(size, element.length);
    MemorySegment.copy(MemorySegment.ofArray(element), 0, target, 0, filled);
    while (filled < size) {
      long more = Math.min(filled, size - filled);
      MemorySegment.copy(target, 0, target, filled, more);
      filled += more;
    }
  }

  /** Writes the pattern over a range of storage that begins with a whole element. */
  public void write(RawBytes storage, long offset, long length) {
    int size = Math.max(1, element.length);
    int whole = Math.max(size, BLOCK_BYTES / size * size);
    MemorySegment block = MemorySegment.ofArray(new byte[(int) Math.min(whole, length)]);
    fill(block);
    for (long done = 0; done < length; done += whole) {
      storage.write(offset + done, block.asSlice(0, Math.min(whole, length - done)));
    }
  }

  /** Bytes that read as this pattern wherever a whole element begins. */
  public RawBytes bytes() {
    return new RawBytes() {
      @Override
      public void read(long offset, MemorySegment target) {
        fill(target);
      }

      @Override
      public void write(long offset, MemorySegment source) {
        throw new IllegalStateException("fill values are not written to");
      }
    };
  }
}
