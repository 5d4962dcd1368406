package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;

/**
 * A store that refuses all changes, and all requests after it was closed.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public abstract class ReadOnlyStore implements ByteStore {

  private volatile boolean closed;

  /** Creates an open store. */
  protected ReadOnlyStore() {}

  @Override
  public final boolean readOnly() {
    return true;
  }

  @Override
  public final void write(long offset, MemorySegment source) {
    throw Ranges.readOnly(name(), "write");
  }

  @Override
  public final void truncate(long sizeBytes) {
    throw Ranges.readOnly(name(), "truncate");
  }

  @Override
  public final void preallocate(long offset, long length) {
    throw Ranges.readOnly(name(), "preallocate");
  }

  /** Has no effect, because nothing was written. */
  @Override
  public final void force(boolean withMetadata) {
    checkOpen("force");
  }

  /**
   * Requires that the store is open.
   *
   * @param operation what is requested, for the message
   * @throws org.hyperslab.error.StorageException if it was closed
   */
  protected final void checkOpen(String operation) {
    if (closed) {
      throw Ranges.closed(name(), operation);
    }
  }

  /**
   * Refuses all further requests.
   *
   * @return whether this was the first call
   */
  protected final synchronized boolean shut() {
    boolean first = !closed;
    closed = true;
    return first;
  }
}
