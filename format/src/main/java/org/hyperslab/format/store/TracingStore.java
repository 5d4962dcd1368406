package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Tells a listener of every request that another store has served or refused. Closing closes the
 * store behind.
 *
 * <p>Thread rule: as {@link ByteStore}; the listener is called in the thread of the request and
 * must be safe itself.
 */
public final class TracingStore extends StoreDecorator {

  /** The kinds of request. */
  public enum Kind {
    /** Bytes read. */
    READ,
    /** Bytes written. */
    WRITE,
    /** The length set. */
    TRUNCATE,
    /** Space reserved. */
    PREALLOCATE,
    /** Bytes made durable. */
    FORCE,
    /** The store closed. */
    CLOSE
  }

  /**
   * One request.
   *
   * @param kind what was asked
   * @param offset the first byte, or the length for truncate and preallocate
   * @param lengthBytes how many bytes
   * @param nanoseconds how long it took
   * @param failure the error it ended in, or null
   */
  public record Event(
      Kind kind, long offset, long lengthBytes, long nanoseconds, RuntimeException failure) {}

  private final Consumer<Event> listener;

  /** Tells {@code listener} of all that goes to {@code store}. */
  public TracingStore(ByteStore store, Consumer<Event> listener) {
    super(store);
    this.listener = listener;
  }

  private void trace(Kind kind, long offset, long lengthBytes, Runnable request) {
    long start = System.nanoTime();
    RuntimeException failure = null;
    try {
      request.run();
    } catch (RuntimeException thrown) {
      failure = thrown;
      throw thrown;
    } finally {
      listener.accept(new Event(kind, offset, lengthBytes, System.nanoTime() - start, failure));
    }
  }

  @Override
  public void read(long offset, MemorySegment target) {
    trace(Kind.READ, offset, target.byteSize(), () -> store.read(offset, target));
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    trace(Kind.READ, offset, Ranges.totalBytes(targets), () -> store.read(offset, targets));
  }

  @Override
  public void write(long offset, MemorySegment source) {
    trace(Kind.WRITE, offset, source.byteSize(), () -> store.write(offset, source));
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    trace(Kind.WRITE, offset, Ranges.totalBytes(sources), () -> store.write(offset, sources));
  }

  @Override
  public void truncate(long sizeBytes) {
    trace(Kind.TRUNCATE, sizeBytes, 0, () -> store.truncate(sizeBytes));
  }

  @Override
  public void preallocate(long sizeBytes) {
    trace(Kind.PREALLOCATE, sizeBytes, 0, () -> store.preallocate(sizeBytes));
  }

  @Override
  public void force(boolean withMetadata) {
    trace(Kind.FORCE, 0, 0, () -> store.force(withMetadata));
  }

  @Override
  public void close() {
    trace(Kind.CLOSE, 0, 0, store::close);
  }
}
