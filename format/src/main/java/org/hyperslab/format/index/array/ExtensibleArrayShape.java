package org.hyperslab.format.index.array;

import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The arithmetic of an extensible array, which determines the block that holds element <i>n</i>.
 *
 * <p>The first elements are in the index block. The others, counted from 0 again, are divided into
 * super blocks; super block <i>u</i> has 2<sup>⌊u/2⌋</sup> data blocks of m·2<sup>⌊(u+1)/2⌋</sup>
 * elements, m being the least number of elements in a data block, and so begins at element
 * m·(2<sup>u</sup>−1). The index block points directly to the data blocks of the first 2·log2(least
 * number of pointers) super blocks, which do not exist as blocks. A data block of more elements
 * than a page is a prefix followed by pages.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.D "Extensible Array Index"; H5EAhdr.c,
 * H5EApkg.h.
 *
 * @param spec the five parameters
 * @param format the format of an element
 */
public record ExtensibleArrayShape(ChunkIndexSpec.ExtensibleArray spec, ChunkElementFormat format) {

  /** The greatest number of bits for which every product in this class fits in a long. */
  private static final int MAXIMUM_BITS = 56;

  /** Refuses parameters that the C library would refuse, and those whose sizes overflow. */
  public void check(MetadataSpace space, String structure, long address) {
    boolean powers =
        isPowerOfTwo(spec.minimumPointers())
            && spec.minimumPointers() >= 2
            && isPowerOfTwo(spec.minimumElements());
    boolean bits =
        spec.maximumBits() >= 1
            && spec.maximumBits() <= MAXIMUM_BITS
            && spec.pageBits() >= 1
            && spec.pageBits() <= Math.min(30, spec.maximumBits());
    boolean sizes =
        powers
            && bits
            && spec.indexBlockElements() >= 0
            && superBlocks() >= firstSuperBlock()
            && spec.indexBlockElements() <= pageElements()
            && blockElements(firstSuperBlock()) <= pageElements();
    if (!sizes) {
      throw ChunkChecks.corrupt(
          space,
          structure,
          address,
          "parameters actual="
              + spec
              + ", expected=powers of 2, at most "
              + MAXIMUM_BITS
              + " bits, and blocks of the index block within a page");
    }
  }

  private static boolean isPowerOfTwo(int value) {
    return value > 0 && (value & (value - 1)) == 0;
  }

  /** Returns the number of super blocks, including those that do not exist as blocks. */
  public int superBlocks() {
    return 1 + spec.maximumBits() - minimumElementsLog2();
  }

  /** Returns the first super block that exists as a block. */
  public int firstSuperBlock() {
    return 2 * Integer.numberOfTrailingZeros(spec.minimumPointers());
  }

  /** Returns the number of data block addresses in the index block. */
  int indexBlockDataBlocks() {
    return 2 * (spec.minimumPointers() - 1);
  }

  /** Returns the number of super block addresses in the index block. */
  public int indexBlockSuperBlocks() {
    return superBlocks() - firstSuperBlock();
  }

  /**
   * Returns the number of elements that the array may hold, which the number of bits of an index
   * limits.
   */
  public long capacity() {
    return 1L << spec.maximumBits();
  }

  /**
   * Returns the super block of element {@code rest}, counted without the elements in the index
   * block.
   */
  public int superBlockOf(long rest) {
    return 63 - Long.numberOfLeadingZeros((rest >>> minimumElementsLog2()) + 1);
  }

  /**
   * Returns the first element of a super block, counted without the elements in the index block.
   */
  public long superBlockStart(int superBlock) {
    return ((1L << superBlock) - 1) << minimumElementsLog2();
  }

  /** Returns the number of data blocks of a super block. */
  public long dataBlocks(int superBlock) {
    return 1L << (superBlock / 2);
  }

  /** Returns log2 of the number of elements in each data block of a super block. */
  public int blockElementsLog2(int superBlock) {
    return minimumElementsLog2() + (superBlock + 1) / 2;
  }

  /** Returns the number of elements in each data block of a super block. */
  public long blockElements(int superBlock) {
    return 1L << blockElementsLog2(superBlock);
  }

  /** Returns the number of data blocks in all earlier super blocks. */
  public long dataBlocksBefore(int superBlock) {
    long half = 1L << (superBlock / 2);
    return superBlock % 2 == 0 ? 2 * (half - 1) : 3 * half - 2;
  }

  /** Returns the number of elements in a page. */
  public int pageElements() {
    return 1 << spec.pageBits();
  }

  /** Returns the number of pages of each data block of a super block; 0 if they are not paged. */
  public long pages(int superBlock) {
    long elements = blockElements(superBlock);
    return elements > pageElements() ? elements >>> spec.pageBits() : 0;
  }

  /**
   * Returns the size of all page bitmaps in a super block in bytes; each data block has whole
   * bytes.
   */
  long bitmapBytes(int superBlock) {
    return dataBlocks(superBlock) * ((pages(superBlock) + 7) / 8);
  }

  /** Returns the width of an offset within the array in bytes. */
  int offsetBytes() {
    return (spec.maximumBits() + 7) / 8;
  }

  private int minimumElementsLog2() {
    return Integer.numberOfTrailingZeros(spec.minimumElements());
  }
}
