package org.hyperslab.tools.edit;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileLocking;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;

/**
 * The end of a file as its superblock records it (end of allocation, EOA), beside its length (end
 * of file, EOF). Both are offsets from the first byte of the file. They differ after a SWMR writer
 * of the HDF5 library crashed.
 *
 * @param recorded the end that the superblock records, in bytes
 * @param length the length of the file, in bytes
 */
record RecordedEnd(long recorded, long length) {

  /** {@return the ends of a file, which may be truncated} */
  static RecordedEnd of(Path path) {
    try (ByteStore store = FileStore.open(path, FileAccess.READ)) {
      return new RecordedEnd(SuperblockCodec.readUnchecked(store).endOfFile(), store.size());
    }
  }

  /**
   * Moves both ends to the greater of them plus a number of bytes. The file grows before the
   * superblock is written, so that an interruption leaves the file as readable as it was.
   *
   * @param path the file
   * @param bytes the number of bytes, at least 0
   * @throws InvalidUseException if the sum is more than a file can have
   */
  static void advance(Path path, long bytes) {
    try (ByteStore store = FileStore.open(path, FileAccess.UPDATE, FileLocking.EXCLUSIVE)) {
      Superblock stored = SuperblockCodec.readUnchecked(store);
      long greater = Math.max(stored.endOfFile(), store.size());
      if (bytes > Long.MAX_VALUE - greater) {
        throw new InvalidUseException(
            "end of file: actual=" + greater + " + " + bytes + ", expected=below 2^63, at=" + path);
      }
      long end = greater + bytes;
      if (end > store.size()) {
        store.truncate(end);
        store.force(true);
      }
      byte[] encoded = SuperblockCodec.encode(stored.withEndOfFile(end));
      store.write(stored.baseAddress(), MemorySegment.ofArray(encoded));
      store.force(true);
    }
  }
}
