package org.hyperslab.plugins.nativevol.store;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;

/**
 * A read-only view of a store with patches in memory, through which a file that needs recovery is
 * read without being changed.
 *
 * <p>Thread rule: as {@link ByteStore}; the patches are immutable.
 */
public final class OverlayStore implements ByteStore {

  private final ByteStore below;
  private final NavigableMap<Long, byte[]> patches;
  private final long sizeBytes;
  private final long longestPatch;

  /**
   * Creates an overlay.
   *
   * @param below the store to read what was not written
   * @param patches the replaced bytes by offset; they do not overlap
   * @param sizeBytes the length that the view reports
   */
  public OverlayStore(ByteStore below, Map<Long, byte[]> patches, long sizeBytes) {
    this.below = below;
    this.patches = new TreeMap<>(patches);
    this.sizeBytes = sizeBytes;
    this.longestPatch = patches.values().stream().mapToLong(patch -> patch.length).max().orElse(0);
  }

  @Override
  public String name() {
    return below.name();
  }

  @Override
  public boolean readOnly() {
    return true;
  }

  @Override
  public long size() {
    return sizeBytes;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    long length = target.byteSize();
    if (offset < 0 || offset > sizeBytes - length) {
      throw new StorageException(
          "read failed: actual="
              + length
              + " bytes at "
              + offset
              + ", expected=within "
              + sizeBytes
              + ", at="
              + name());
    }
    long stored = Math.clamp(below.size() - offset, 0, length);
    below.read(offset, target.asSlice(0, stored));
    target.asSlice(stored).fill((byte) 0);
    long end = offset + length;
    for (var patch : patches.subMap(offset - longestPatch, true, end, false).entrySet()) {
      long from = Math.max(offset, patch.getKey());
      long to = Math.min(end, patch.getKey() + patch.getValue().length);
      if (from < to) {
        MemorySegment bytes = MemorySegment.ofArray(patch.getValue());
        MemorySegment.copy(bytes, from - patch.getKey(), target, from - offset, to - from);
      }
    }
  }

  @Override
  public void write(long offset, MemorySegment source) {
    throw refused("write");
  }

  @Override
  public void truncate(long newSize) {
    throw refused("truncate");
  }

  private StorageException refused(String operation) {
    return new StorageException(
        operation + " failed: actual=opened for reading, expected=for editing, at=" + name());
  }

  @Override
  public void force(boolean withMetadata) {}

  @Override
  public void close() {
    below.close();
  }
}
