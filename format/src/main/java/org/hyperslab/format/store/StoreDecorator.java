package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Passes every request on to another store. Stores that count, delay, cache or fail requests extend
 * this class and override the methods that differ.
 *
 * <p>Gathers and scatters are passed on unchanged; lists and rows are passed on as the gathers and
 * scatters that they consist of, so that subclasses that override these see every byte. Closing
 * this store closes the other one.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public abstract class StoreDecorator implements ByteStore {

  /** The store to which requests are passed. */
  protected final ByteStore store;

  /**
   * Creates a store that passes requests on to {@code store}.
   *
   * @param store the store
   */
  protected StoreDecorator(ByteStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public boolean readOnly() {
    return store.readOnly();
  }

  @Override
  public long size() {
    return store.size();
  }

  @Override
  public void read(long offset, MemorySegment target) {
    store.read(offset, target);
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    store.read(offset, targets);
  }

  @Override
  public boolean prefetches() {
    return store.prefetches();
  }

  @Override
  public void prefetch(long[] offsets, long[] lengths) {
    store.prefetch(offsets, lengths);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    store.write(offset, source);
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    store.write(offset, sources);
  }

  @Override
  public void truncate(long sizeBytes) {
    store.truncate(sizeBytes);
  }

  @Override
  public void preallocate(long offset, long length) {
    store.preallocate(offset, length);
  }

  @Override
  public void force(boolean withMetadata) {
    store.force(withMetadata);
  }

  @Override
  public void complete() {
    store.complete();
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + store + "]";
  }
}
