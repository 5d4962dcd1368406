package org.hyperslab.plugins.nativevol.store;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.store.FamilyStore;
import org.hyperslab.format.superblock.DriverInfo;
import org.hyperslab.format.superblock.Superblock;

/**
 * Writes the driver information block of a new family whose superblock has version 0 or 1. The
 * block follows the superblock and records the size of the members, which cannot be derived from a
 * first member that is not full.
 *
 * <p>Thread rule: no state.
 */
public final class DriverBlock {

  private DriverBlock() {}

  /**
   * Writes the block and returns the superblock that points to it.
   *
   * @param family the size of the members if the file is a family
   * @param superblock the superblock
   * @return the superblock that points to the block
   */
  public static Superblock write(FamilyStore family, Superblock superblock) {
    FileGeometry geometry = superblock.geometry();
    long address = superblock.encodedSize();
    MetadataWriter writer = new MetadataWriter(geometry, 32);
    DriverInfo.family(geometry, family.memberBytes()).encodeBlock(writer);
    byte[] block = writer.toByteArray();
    family.write(superblock.baseAddress() + address, MemorySegment.ofArray(block));
    Superblock.Legacy old = superblock.legacy().orElseThrow();
    Superblock.Legacy pointing =
        new Superblock.Legacy(
            old.groupLeafK(),
            old.groupInternalK(),
            old.chunkInternalK(),
            old.freeSpaceAddress(),
            address,
            old.root());
    return new Superblock(
        superblock.version(),
        geometry,
        superblock.baseAddress(),
        superblock.endOfFile() + block.length,
        superblock.rootHeaderAddress(),
        superblock.extensionAddress(),
        superblock.consistencyFlags(),
        Optional.of(pointing));
  }
}
