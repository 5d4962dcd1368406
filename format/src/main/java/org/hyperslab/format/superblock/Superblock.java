package org.hyperslab.format.superblock;

import java.util.Optional;
import org.hyperslab.format.io.FileGeometry;

/**
 * The superblock, through which all other structures of a file are found. Versions 0 to 3.
 *
 * <p>Every address except {@link #endOfFile} is relative to {@link #baseAddress}, which is the size
 * of the user block.
 *
 * <p>Source: HDF5 File Format Specification, II.A "Format Signature and Superblock"; reference
 * {@code H5Fsuper_cache.c}.
 *
 * @param version 0, 1, 2 or 3
 * @param geometry the sizes of offsets and lengths, and the file's name
 * @param baseAddress the absolute offset of the superblock in the store: the size of the user block
 *     in bytes
 * @param endOfFile the absolute offset after the last byte of the file; unsigned, as in {@link
 *     org.hyperslab.format.store.MultiStore}
 * @param rootHeaderAddress the root group's object header; {@link FileGeometry#UNDEFINED} if there
 *     is none
 * @param extensionAddress the superblock extension's object header, or {@link
 *     FileGeometry#UNDEFINED}; versions 2 and 3 only
 * @param consistencyFlags {@link #OPEN_FOR_WRITE}, {@link #OPEN_FOR_SWMR}, in version 3; kept as
 *     read in other versions
 * @param legacy the fields that only versions 0 and 1 have; empty in versions 2 and 3
 */
public record Superblock(
    int version,
    FileGeometry geometry,
    long baseAddress,
    long endOfFile,
    long rootHeaderAddress,
    long extensionAddress,
    int consistencyFlags,
    Optional<Legacy> legacy) {

  /** The flag of a file that is open for writing, or whose writer died with the file open. */
  public static final int OPEN_FOR_WRITE = 0x01;

  /** The flag of a file that is open for single-writer, multiple-reader access. */
  public static final int OPEN_FOR_SWMR = 0x04;

  /** The default K of symbol table nodes, which hold 2K entries. */
  public static final int DEFAULT_GROUP_LEAF_K = 4;

  /** The default K of group B-tree nodes, which have 2K children. */
  public static final int DEFAULT_GROUP_INTERNAL_K = 16;

  /** The default K of chunk B-tree nodes. */
  public static final int DEFAULT_CHUNK_INTERNAL_K = 32;

  /**
   * The fields that only versions 0 and 1 have.
   *
   * @param groupLeafK K of symbol table nodes
   * @param groupInternalK K of group B-tree nodes
   * @param chunkInternalK K of chunk B-tree nodes; stored in version 1 only, 32 in version 0
   * @param freeSpaceAddress the free-space address, undefined in all files of released libraries
   * @param driverInfoAddress the address of the driver information block, or {@link
   *     FileGeometry#UNDEFINED}
   * @param root the root group's symbol table entry
   */
  public record Legacy(
      int groupLeafK,
      int groupInternalK,
      int chunkInternalK,
      long freeSpaceAddress,
      long driverInfoAddress,
      SymbolTableEntry root) {

    /**
     * {@return fields with the default K values, no driver, and the given root}
     *
     * @param root the entry of the root group
     */
    public static Legacy of(SymbolTableEntry root) {
      return new Legacy(
          DEFAULT_GROUP_LEAF_K,
          DEFAULT_GROUP_INTERNAL_K,
          DEFAULT_CHUNK_INTERNAL_K,
          FileGeometry.UNDEFINED,
          FileGeometry.UNDEFINED,
          root);
    }
  }

  /** Requires a known version, and the legacy fields in versions 0 and 1 only. */
  public Superblock {
    if (version < 0 || version > 3 || legacy.isPresent() != version < 2) {
      throw new IllegalArgumentException("superblock version " + version + ", legacy " + legacy);
    }
  }

  /**
   * {@return a superblock of version 0 or 1}
   *
   * @param version the version
   * @param geometry the sizes of offsets and lengths in the file
   * @param baseAddress the file offset to which addresses are relative
   * @param endOfFile the end-of-file address
   * @param legacy the fields of versions 0 and 1
   */
  public static Superblock legacy(
      int version, FileGeometry geometry, long baseAddress, long endOfFile, Legacy legacy) {
    return new Superblock(
        version,
        geometry,
        baseAddress,
        endOfFile,
        legacy.root().headerAddress(),
        FileGeometry.UNDEFINED,
        0,
        Optional.of(legacy));
  }

  /**
   * {@return a superblock of version 2 or 3 without extension}
   *
   * @param version the version
   * @param geometry the sizes of offsets and lengths in the file
   * @param baseAddress the file offset to which addresses are relative
   * @param endOfFile the end-of-file address
   * @param rootHeaderAddress the address of the root group's object header
   */
  public static Superblock modern(
      int version,
      FileGeometry geometry,
      long baseAddress,
      long endOfFile,
      long rootHeaderAddress) {
    return new Superblock(
        version,
        geometry,
        baseAddress,
        endOfFile,
        rootHeaderAddress,
        FileGeometry.UNDEFINED,
        0,
        Optional.empty());
  }

  /** {@return K of symbol table nodes} */
  public int groupLeafK() {
    return legacy.map(Legacy::groupLeafK).orElse(DEFAULT_GROUP_LEAF_K);
  }

  /** {@return K of group B-tree nodes} */
  public int groupInternalK() {
    return legacy.map(Legacy::groupInternalK).orElse(DEFAULT_GROUP_INTERNAL_K);
  }

  /** {@return K of chunk B-tree nodes} */
  public int chunkInternalK() {
    return legacy.map(Legacy::chunkInternalK).orElse(DEFAULT_CHUNK_INTERNAL_K);
  }

  /**
   * {@return whether the flags indicate that a writer has the file open, or died with the file
   * open}
   */
  public boolean markedOpen() {
    return isMarked(OPEN_FOR_WRITE | OPEN_FOR_SWMR);
  }

  /**
   * {@return whether at least one of these flags is set}
   *
   * @param flags the file consistency flags
   */
  public boolean isMarked(int flags) {
    return version == 3 && (consistencyFlags & flags) != 0;
  }

  /** {@return this superblock with addresses up to 2^64} */
  public Superblock withUnsignedAddresses() {
    return new Superblock(
        version,
        geometry.withUnsignedAddresses(),
        baseAddress,
        endOfFile,
        rootHeaderAddress,
        extensionAddress,
        consistencyFlags,
        legacy);
  }

  /**
   * {@return this superblock with another end of file}
   *
   * @param newEndOfFile the new end-of-file address
   */
  public Superblock withEndOfFile(long newEndOfFile) {
    return new Superblock(
        version,
        geometry,
        baseAddress,
        newEndOfFile,
        rootHeaderAddress,
        extensionAddress,
        consistencyFlags,
        legacy);
  }

  /**
   * {@return this superblock with other consistency flags}
   *
   * @param flags the file consistency flags
   */
  public Superblock withConsistencyFlags(int flags) {
    return new Superblock(
        version,
        geometry,
        baseAddress,
        endOfFile,
        rootHeaderAddress,
        extensionAddress,
        flags,
        legacy);
  }

  /**
   * {@return this superblock with another extension}
   *
   * @param address the address, relative to the file's base address
   */
  public Superblock withExtension(long address) {
    return new Superblock(
        version,
        geometry,
        baseAddress,
        endOfFile,
        rootHeaderAddress,
        address,
        consistencyFlags,
        legacy);
  }

  /**
   * {@return this superblock with another root group, for which versions 0 and 1 also store {@code
   * cache}}
   *
   * @param headerAddress the address of the object header
   * @param cache the cached part of the object header
   */
  public Superblock withRoot(long headerAddress, SymbolTableEntry.Cache cache) {
    return new Superblock(
        version,
        geometry,
        baseAddress,
        endOfFile,
        headerAddress,
        extensionAddress,
        consistencyFlags,
        legacy.map(old ->
            new Legacy(
                old.groupLeafK,
                old.groupInternalK,
                old.chunkInternalK,
                old.freeSpaceAddress,
                old.driverInfoAddress,
                new SymbolTableEntry(old.root.nameOffset(), headerAddress, cache))));
  }

  /** {@return the size of this superblock in the file in bytes} */
  public int encodedSize() {
    return encodedSize(version, geometry);
  }

  /**
   * {@return the size of a superblock in a file in bytes}
   *
   * @param version its version, 0 to 3
   * @param geometry the sizes of offsets and lengths
   */
  public static int encodedSize(int version, FileGeometry geometry) {
    int offsets = 4 * geometry.sizeOfOffsets();
    return switch (version) {
      case 0 -> 24 + offsets + SymbolTableEntry.encodedSize(geometry);
      case 1 -> 28 + offsets + SymbolTableEntry.encodedSize(geometry);
      default -> 12 + offsets + 4;
    };
  }
}
