package org.hyperslab.plugins.nativevol.file;

import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.store.ByteStore;

/**
 * The metadata that a writer left in one block when it closed the file, instead of writing it to its
 * places. The specification does not describe it.
 *
 * <pre>
 *   4  "MDCI"          per entry:
 *   1  version, 0      1 type, 1 flags, 1 ring, 1 age
 *   1  flags           2 children, 2 dirty children, 2 parents p, 4 rank
 *   L  bytes           O address, L size
 *   4  entries           p * O parents
 *      entries           the block as it would stand at its address
 *   4  checksum
 * </pre>
 *
 * <p>Source: reference {@code H5Cimage.c}.
 */
public final class CacheImage {

  private static final String STRUCTURE = "metadata cache image";
  private static final int FIXED_ENTRY_BYTES = 4;

  private CacheImage() {}

  /**
   * A store that shows every block of the image at its place.
   *
   * @param store the file's store
   * @param baseAddress bytes before address 0
   * @param image the block, with its checksum
   */
  public static ByteStore overlay(
      ByteStore store, FileGeometry geometry, long baseAddress, byte[] image) {
    MetadataReader reader = new MetadataReader(geometry, STRUCTURE, image, 0);
    reader.signature("MDCI");
    reader.expectU8("version", 0);
    reader.skip(1);
    reader.length();
    long count = reader.u32();
    Map<Long, byte[]> patches = new TreeMap<>();
    for (long i = 0; i < count; i++) {
      reader.skip(FIXED_ENTRY_BYTES + 4);
      int parents = reader.u16();
      reader.skip(4);
      long address = reader.offset();
      long size = reader.length();
      reader.skip(parents * geometry.sizeOfOffsets());
      if (address < 0 || size < 0 || size > reader.remaining()) {
        throw reader.corrupt("entry actual=" + size + " bytes at address " + address);
      }
      patches.put(Math.addExact(baseAddress, address), reader.bytes((int) size));
    }
    reader.checksum();
    return new OverlayStore(store, patches, store.size());
  }
}
