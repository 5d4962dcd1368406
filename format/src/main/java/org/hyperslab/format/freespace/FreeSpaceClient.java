package org.hyperslab.format.freespace;

/**
 * The client of a free-space manager: the parameters that its header repeats, and the widths in
 * which its sections are encoded.
 *
 * @param id 0 for a fractal heap, 1 for a file
 * @param extraBytes the number of bytes that follow an encoded section, by section class
 * @param shrinkPercent the fill level below which the C library shrinks the list's allocation
 * @param expandPercent the percentage by which it expands the allocation
 * @param addressBits log2 of the size of the address space
 * @param maximumSectionBytes the largest tracked section in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FreeSpaceClient(
    int id,
    int[] extraBytes,
    int shrinkPercent,
    int expandPercent,
    int addressBits,
    long maximumSectionBytes) {

  /** The client number of fractal heaps. */
  public static final int FRACTAL_HEAP = 0;

  /** The client number of files. */
  public static final int FILE = 1;

  /** Returns the number of bytes of an encoded section address. */
  int addressBytes() {
    return (addressBits + 7) / 8;
  }

  /** Returns the number of bytes of an encoded section size. */
  int lengthBytes() {
    return encodedBytes(maximumSectionBytes);
  }

  /** Returns the number of bytes needed for any number up to an unsigned limit. */
  static int encodedBytes(long limit) {
    return limit == 0 ? 1 : (63 - Long.numberOfLeadingZeros(limit)) / 8 + 1;
  }
}
