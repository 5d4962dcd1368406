package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;

/**
 * A view of another store that begins at a base offset: what lies before it, a user block for one,
 * is out of reach. Closing the view closes the store.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class OffsetStore extends StoreDecorator {

  private final long baseOffset;

  /** A view of {@code store} from {@code baseOffset}, which is 0 or more, in bytes. */
  public OffsetStore(ByteStore store, long baseOffset) {
    super(store);
    Ranges.checkSize(store.name(), baseOffset);
    this.baseOffset = baseOffset;
  }

  /** The offset in the underlying store of this view's byte 0. */
  public long baseOffset() {
    return baseOffset;
  }

  @Override
  public long size() {
    return Math.max(0, store.size() - baseOffset);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    store.read(shiftRead(offset, target.byteSize()), target);
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    store.read(shiftRead(offset, Ranges.totalBytes(targets)), targets);
  }

  private long shiftRead(long offset, long length) {
    if (offset < 0 || offset > Long.MAX_VALUE - baseOffset - length) {
      Ranges.checkRead(name(), offset, length, size());
    }
    return offset + baseOffset;
  }

  @Override
  public void write(long offset, MemorySegment source) {
    store.write(shiftWrite(offset, source.byteSize()), source);
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    store.write(shiftWrite(offset, Ranges.totalBytes(sources)), sources);
  }

  private long shiftWrite(long offset, long length) {
    Ranges.checkWrite(name(), offset, length);
    Ranges.checkWrite(name(), offset + length, baseOffset);
    return offset + baseOffset;
  }

  @Override
  public void truncate(long sizeBytes) {
    Ranges.checkSize(name(), sizeBytes);
    store.truncate(shiftWrite(sizeBytes, 0));
  }

  @Override
  public void preallocate(long sizeBytes) {
    Ranges.checkSize(name(), sizeBytes);
    store.preallocate(shiftWrite(sizeBytes, 0));
  }

  @Override
  public String toString() {
    return "OffsetStore[" + store + " from " + baseOffset + "]";
  }
}
