package org.hyperslab.format.freespace;

/**
 * A range of unused space.
 *
 * @param address the first byte, in the address space that the manager serves
 * @param sizeBytes the length in bytes, at least 1
 * @param type the section class, an index into the client's classes
 * @param extra the additional bytes of the class, of a fixed size per class; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FreeSection(long address, long sizeBytes, int type, byte[] extra) {

  private static final byte[] NOTHING = {};

  /**
   * {@return a section whose class stores nothing besides address and size}
   *
   * @param address the address, relative to the file's base address
   * @param sizeBytes the length in bytes
   * @param type the type code of the section
   */
  public static FreeSection plain(long address, long sizeBytes, int type) {
    return new FreeSection(address, sizeBytes, type, NOTHING);
  }
}
