package org.hyperslab.plugins.nativevol.store;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;

/**
 * A read-only view of a file split by kind of data as one array of bytes. Its addresses go beyond
 * 2<sup>63</sup>, so that its end cannot be expressed as a length: it reports the greatest length,
 * and reads beyond a part's end fail.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class SplitView implements ByteStore {

  private final ByteStore parts;

  SplitView(ByteStore parts) {
    this.parts = parts;
  }

  @Override
  public String name() {
    return parts.name();
  }

  @Override
  public boolean readOnly() {
    return true;
  }

  @Override
  public long size() {
    return Long.MAX_VALUE;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    parts.read(offset, target);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    throw refused();
  }

  @Override
  public void truncate(long sizeBytes) {
    throw refused();
  }

  private StorageException refused() {
    return new StorageException(
        "write failed: actual=a file split by kind of data, expected=one file, at=" + name());
  }

  @Override
  public void force(boolean withMetadata) {}

  @Override
  public void close() {
    parts.close();
  }
}
