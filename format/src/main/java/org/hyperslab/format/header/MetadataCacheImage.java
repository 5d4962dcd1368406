package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;

/**
 * The image of the metadata cache that newer releases may leave in a file when they close it:
 * blocks of metadata for addresses at which older bytes, or none, may be stored. Until the blocks
 * are written there, readers must look in the image first.
 *
 * <pre>
 *   4  signature MDCI
 *   1  version, 0
 *   1  flags: bit 0 the cache's resize status follows (never written)
 *   L  size of the image
 *   4  number of entries
 *      per entry:
 *   1  kind of block, 1 flags (bit 0 newer than the file), 1 ring, 1 age
 *   2  flush dependency children, 2 dirty ones, 2 parents
 *   4  rank in the cache's list of recent use
 *   O  address, L size
 *   O  address of each parent
 *      the block
 *   4  checksum
 * </pre>
 *
 * <p>Source: reference {@code H5Cimage.c}; the specification does not describe it.
 *
 * @param entries the blocks, in the order of the image
 */
public record MetadataCacheImage(List<Entry> entries) {

  private static final int LARGEST_ENTRY_BYTES = 1 << 28;

  /**
   * A block of metadata in the image.
   *
   * @param kind the number of the block's kind in the reference implementation
   * @param newer whether the bytes at its address in the file are older
   * @param address the block's address in the file
   * @param content the block's bytes
   */
  public record Entry(int kind, boolean newer, long address, Bytes content) {}

  /** Copies the list. */
  public MetadataCacheImage {
    entries = List.copyOf(entries);
  }

  /**
   * Decodes an image.
   *
   * @param reader a reader over exactly the bytes that the {@link MetadataCacheImageMessage} names
   * @return the image
   * @throws org.hyperslab.error.CorruptFileException if they are not an image
   */
  public static MetadataCacheImage decode(MetadataReader reader) {
    int total = reader.remaining();
    reader.signature("MDCI");
    reader.expectU8("version", 0);
    reader.expectU8("flags", 0);
    long size = reader.length();
    if (size != total) {
      throw reader.corrupt("image size actual=" + size + ", expected=" + total);
    }
    long count = reader.u32();
    int least = leastEntryBytes(reader.geometry());
    if (count > reader.remaining() / least) {
      throw reader.corrupt(
          "entries actual=" + count + ", expected=at most " + reader.remaining() / least);
    }
    List<Entry> entries = new ArrayList<>((int) count);
    for (int i = 0; i < count; i++) {
      entries.add(entry(reader));
    }
    reader.checksum();
    return new MetadataCacheImage(entries);
  }

  private static int leastEntryBytes(FileGeometry geometry) {
    return 14 + geometry.sizeOfOffsets() + geometry.sizeOfLengths();
  }

  private static Entry entry(MetadataReader reader) {
    int kind = reader.u8();
    boolean newer = (reader.u8() & 1) != 0;
    reader.skip(6);
    int parents = reader.u16();
    reader.skip(4);
    long address = reader.offset();
    long size = reader.length();
    reader.skip(parents * reader.geometry().sizeOfOffsets());
    if (address < 0 || size < 1 || size > LARGEST_ENTRY_BYTES || size > reader.remaining()) {
      throw reader.corrupt("entry of " + size + " bytes for address " + address);
    }
    return new Entry(kind, newer, address, Bytes.read(reader, (int) size));
  }
}
