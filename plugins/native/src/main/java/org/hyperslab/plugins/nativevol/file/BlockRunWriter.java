package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.store.ByteStore;

/**
 * Encodes blocks that arrive in ascending order of address, and writes adjacent blocks in one
 * request.
 *
 * <p>Thread rule: confined to one thread.
 */
final class BlockRunWriter {

  private final ByteStore store;
  private final long baseAddress;
  private final int runBytes;
  private final MetadataWriter writer;
  private long runAddress;

  /**
   * Creates a writer into {@code store}.
   *
   * @param expectedBytes the size of all blocks, if they were in one run
   * @param runBytes the size in bytes at which a run is written
   */
  BlockRunWriter(
      ByteStore store, FileGeometry geometry, long baseAddress, long expectedBytes, int runBytes) {
    this.store = store;
    this.baseAddress = baseAddress;
    this.runBytes = runBytes;
    this.writer = new MetadataWriter(geometry, Math.clamp(expectedBytes, 0, runBytes));
  }

  /** Adds a block. */
  void add(long address, long sizeBytes, MetadataBlock block) {
    if (address != runAddress + writer.position() || writer.position() >= runBytes) {
      finish();
      runAddress = address;
    }
    encode(block, sizeBytes, writer);
  }

  /** Encodes one block and checks that it has the announced size. */
  static void encode(MetadataBlock block, long sizeBytes, MetadataWriter writer) {
    int before = writer.position();
    block.encode(writer);
    if (writer.position() - before != sizeBytes) {
      throw new IllegalStateException(
          block.getClass().getSimpleName()
              + " encoded to "
              + (writer.position() - before)
              + " bytes, expected="
              + sizeBytes);
    }
  }

  /** Writes the remaining run. */
  void finish() {
    if (writer.position() > 0) {
      MemorySegment run = MemorySegment.ofArray(writer.array()).asSlice(0, writer.position());
      store.write(baseAddress + runAddress, run);
      writer.reset();
    }
  }
}
