package org.hyperslab.plugins.nativevol.transfer;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The value of elements that were never written, in the file form of their type.
 *
 * <p>Thread rule: immutable.
 */
public final class FillPattern {

  private static final int BLOCK_BYTES = 64 << 10;

  private static final Consumer<MemorySegment> NOTHING = elements -> {};

  private final byte[] element;

  /** Gives elements their own copies of the objects to which the pattern refers. */
  private final Consumer<MemorySegment> owning;

  private FillPattern(byte[] element, Consumer<MemorySegment> owning) {
    this.element = element;
    this.owning = owning;
  }

  /** {@return a pattern of zeros, for elements of any size} */
  public static FillPattern zeros() {
    return new FillPattern(new byte[0], NOTHING);
  }

  /**
   * {@return a pattern of the given bytes for each element; zeros if all of them are zero}
   *
   * @param element the bytes of one element as stored
   */
  public static FillPattern of(byte[] element) {
    return of(element, NOTHING);
  }

  /**
   * {@return a pattern of the given bytes for each element, which refer to values elsewhere in the
   * file}
   *
   * @param element the bytes of one element as stored
   * @param owning replaces the references in some elements, which equal those of the pattern, by
   *     references to copies for each element: overwriting an element frees the objects that it
   *     refers to. Called under the file's write lock
   */
  public static FillPattern of(byte[] element, Consumer<MemorySegment> owning) {
    for (byte b : element) {
      if (b != 0) {
        return new FillPattern(element.clone(), owning);
      }
    }
    return zeros();
  }

  /**
   * {@return whether stored elements need their own copies of the objects to which the pattern
   * refers}
   */
  @SuppressWarnings("ReferenceEquality") // there is one that does nothing
  public boolean isOwned() {
    return owning != NOTHING;
  }

  /**
   * Gives elements that are about to be stored copies of the objects to which the pattern refers.
   *
   * @param elements the elements as stored
   */
  public void own(MemorySegment elements) {
    owning.accept(elements);
  }

  /** {@return whether the pattern is all zeros} */
  public boolean isZero() {
    return element.length == 0;
  }

  /**
   * Fills memory with whole elements of the pattern.
   *
   * @param target the memory to fill
   */
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

  /**
   * Writes the pattern over a range of storage that begins with a whole element.
   *
   * @param storage the dataset's bytes in the file
   * @param offset the first byte, from the beginning of the dataset's storage
   * @param length the number of bytes
   */
  public void write(RawBytes storage, long offset, long length) {
    int size = Math.max(1, element.length);
    int whole = Math.max(size, BLOCK_BYTES / size * size);
    MemorySegment block = MemorySegment.ofArray(new byte[(int) Math.min(whole, length)]);
    fill(block);
    for (long done = 0; done < length; done += whole) {
      MemorySegment part = block.asSlice(0, Math.min(whole, length - done));
      if (isOwned()) {
        fill(part);
        own(part);
      }
      storage.write(offset + done, part);
    }
  }

  /** {@return bytes that read as this pattern from the start of any element} */
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
