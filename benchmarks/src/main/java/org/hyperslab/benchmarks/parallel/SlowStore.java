package org.hyperslab.benchmarks.parallel;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.format.store.ByteStore;

/** A store whose every read and write takes so much longer, as across a network. */
final class SlowStore implements ByteStore {

  private final ByteStore store;
  private final long latencyNanos;

  SlowStore(ByteStore store, long latencyNanos) {
    this.store = store;
    this.latencyNanos = latencyNanos;
  }

  private void delay() {
    long end = System.nanoTime() + latencyNanos;
    for (long left = latencyNanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
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
    delay();
    store.read(offset, target);
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    delay();
    store.read(offset, targets);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    delay();
    store.write(offset, source);
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    delay();
    store.write(offset, sources);
  }

  @Override
  public void truncate(long sizeBytes) {
    store.truncate(sizeBytes);
  }

  @Override
  public void force(boolean withMetadata) {
    store.force(withMetadata);
  }

  @Override
  public void close() {
    store.close();
  }
}
