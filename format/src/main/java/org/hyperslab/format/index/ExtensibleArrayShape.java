package org.hyperslab.format.index;

import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The arithmetic of an extensible array: which block holds element <i>n</i>.
 *
 * <p>The first elements are in the index block. The rest, counted from 0 again, fall into super
 * blocks; super block <i>u</i> has 2<sup>⌊u/2⌋</sup> data blocks of m·2<sup>⌊(u+1)/2⌋</sup>
 * elements, m being the least number of elements in a data block, and so begins at element
 * m·(2<sup>u</sup>−1). The data blocks of the first 2·log2(least number of pointers) super blocks
 * are pointed to by the index block directly; those super blocks do not exist as blocks. A data
 * block of more elements than a page is a prefix followed by pages.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.D "Extensible Array Index"; H5EAhdr.c,
 * H5EApkg.h.
 *
 * @param spec the five parameters
 * @param format how an element is stored
 */
record ExtensibleArrayShape(ChunkIndexSpec.ExtensibleArray spec, ChunkElementFormat format) {

  /** The greatest number of bits that leaves every product of this class within a long. */
  private static final int MAXIMUM_BITS = 56;

  /** Refuses parameters that the C library would refuse, and those whose sizes overflow. */
  void check(MetadataSpace space, String structure, long address) {
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

  /** Super blocks in all, with those that do not exist as blocks. */
  int superBlocks() {
    return 1 + spec.maximumBits() - minimumElementsLog2();
  }

  /** Returns the first super block that exists as a block. */
  int firstSuperBlock() {
    return 2 * Integer.numberOfTrailingZeros(spec.minimumPointers());
  }

  /** Data block addresses in the index block. */
  int indexBlockDataBlocks() {
    return 2 * (spec.minimumPointers() - 1);
  }

  /** Super block addresses in the index block. */
  int indexBlockSuperBlocks() {
    return superBlocks() - firstSuperBlock();
  }

  /**
   * The number of elements that the array may hold: as many as an index of the maximum bits can
   * name.
   */
  long capacity() {
    return 1L << spec.maximumBits();
  }

  /** Returns the super block of element {@code rest}, counted without those of the index block. */
  int superBlockOf(long rest) {
    return 63 - Long.numberOfLeadingZeros((rest >>> minimumElementsLog2()) + 1);
  }

  /** Returns the first element of a super block, counted without those of the index block. */
  long superBlockStart(int superBlock) {
    return ((1L << superBlock) - 1) << minimumElementsLog2();
  }

  /** Data blocks of a super block. */
  long dataBlocks(int superBlock) {
    return 1L << (superBlock / 2);
  }

  /** log2 of the elements in each data block of a super block. */
  int blockElementsLog2(int superBlock) {
    return minimumElementsLog2() + (superBlock + 1) / 2;
  }

  /** Elements in each data block of a super block. */
  long blockElements(int superBlock) {
    return 1L << blockElementsLog2(superBlock);
  }

  /** Returns the number of data blocks in all earlier super blocks. */
  long dataBlocksBefore(int superBlock) {
    long half = 1L << (superBlock / 2);
    return superBlock % 2 == 0 ? 2 * (half - 1) : 3 * half - 2;
  }

  /** Elements in a page. */
  int pageElements() {
    return 1 << spec.pageBits();
  }

  /** Pages of each data block of a super block; 0 if they are not paged. */
  long pages(int superBlock) {
    long elements = blockElements(superBlock);
    return elements > pageElements() ? elements >>> spec.pageBits() : 0;
  }

  /**
   * Returns the number of bytes of all page bitmaps in a super block: whole bytes for each data
   * block.
   */
  long bitmapBytes(int superBlock) {
    return dataBlocks(superBlock) * ((pages(superBlock) + 7) / 8);
  }

  /** Returns the number of bytes that an offset within the array takes. */
  int offsetBytes() {
    return (spec.maximumBits() + 7) / 8;
  }

  private int minimumElementsLog2() {
    return Integer.numberOfTrailingZeros(spec.minimumElements());
  }
}
