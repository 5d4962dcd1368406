package org.hyperslab.format.index.fractal;

import java.util.Arrays;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;

/**
 * A block of objects, kept as its whole image. Object offsets are relative to the start of the
 * image.
 *
 * <pre>
 *   "FHDB" | version 0 | heap header address O | block offset | [checksum of the block] | objects
 * </pre>
 */
final class DirectBlock implements MetadataBlock {

  static final String STRUCTURE = "fractal heap direct block";
  private static final String SIGNATURE = "FHDB";

  private final HeapLayout layout;
  private final long heapOffset;
  private final byte[] image;
  private final long storedBytes;

  private DirectBlock(HeapLayout layout, long heapOffset, byte[] image, long storedBytes) {
    this.layout = layout;
    this.heapOffset = heapOffset;
    this.image = image;
    this.storedBytes = storedBytes;
  }

  static DirectBlock create(HeapLayout layout, long heapOffset, int sizeBytes) {
    MetadataWriter writer = new MetadataWriter(layout.geometry(), layout.overhead());
    layout.writeHead(writer, SIGNATURE, heapOffset);
    byte[] image = Arrays.copyOf(writer.array(), sizeBytes);
    Arrays.fill(image, writer.position(), Math.min(sizeBytes, writer.array().length), (byte) 0);
    return new DirectBlock(layout, heapOffset, image, sizeBytes);
  }

  /** Decodes a block's unfiltered image; {@code storedBytes} is its size in the file. */
  static DirectBlock decode(
      MetadataReader reader, HeapLayout layout, long heapOffset, long storedBytes) {
    byte[] image = reader.bytes(reader.remaining());
    reader.position(0);
    layout.expectHead(reader, SIGNATURE, heapOffset);
    if (layout.checksummed()) {
      int at = reader.position();
      int stored = reader.i32();
      Arrays.fill(image, at, at + 4, (byte) 0);
      int computed = Lookup3.hash(image, 0, image.length, 0);
      if (stored != computed) {
        throw reader.corrupt(
            "checksum actual=0x"
                + Integer.toHexString(computed)
                + ", expected=0x"
                + Integer.toHexString(stored));
      }
    }
    return new DirectBlock(layout, heapOffset, image, storedBytes);
  }

  /** Returns a block with the same content that will be stored unfiltered. */
  DirectBlock unfiltered() {
    return new DirectBlock(layout, heapOffset, image, image.length);
  }

  long heapOffset() {
    return heapOffset;
  }

  /** Returns the whole block, not a copy; its checksum field is zero. */
  byte[] image() {
    return image;
  }

  HeapLayout layout() {
    return layout;
  }

  /**
   * Returns the size in the file in bytes, which differs from the image's length if the block is
   * stored filtered.
   */
  @Override
  public long encodedSize() {
    return storedBytes;
  }

  @Override
  public void encode(MetadataWriter writer) {
    int start = writer.position();
    writer.bytes(image);
    if (layout.checksummed()) {
      writer.patchU32(
          start + layout.overhead() - 4, Lookup3.hash(image, 0, image.length, 0) & 0xFFFF_FFFFL);
    }
  }
}
