package org.hyperslab.testkit.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.StoreDecorator;

/**
 * Counts the requests that pass to another store, and their bytes, by kind. Gathers, scatters and
 * lists count as one request each. Closing it closes the other store.
 *
 * <p>Thread rule: that of the other {@link ByteStore}.
 */
public final class CountingStore extends StoreDecorator {

  /**
   * The counts of requests and bytes.
   *
   * @param reads the number of read requests
   * @param bytesRead the number of bytes read
   * @param writes the number of write requests
   * @param bytesWritten the number of bytes written
   * @param truncates the number of truncate requests
   * @param forces the number of force requests
   * @param sizes the number of times that the length was asked for
   */
  public record Counts(
      long reads,
      long bytesRead,
      long writes,
      long bytesWritten,
      long truncates,
      long forces,
      long sizes) {

    /**
     * Subtracts earlier counts.
     *
     * @param earlier counts of the same store
     * @return the differences
     */
    public Counts since(Counts earlier) {
      return new Counts(
          reads - earlier.reads,
          bytesRead - earlier.bytesRead,
          writes - earlier.writes,
          bytesWritten - earlier.bytesWritten,
          truncates - earlier.truncates,
          forces - earlier.forces,
          sizes - earlier.sizes);
    }
  }

  private final LongAdder reads = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private final LongAdder truncates = new LongAdder();
  private final LongAdder forces = new LongAdder();
  private final LongAdder sizes = new LongAdder();

  /**
   * Creates a store that counts what it passes on.
   *
   * @param store the store behind it
   */
  public CountingStore(ByteStore store) {
    super(store);
  }

  /**
   * {@return the current counts, which are not a consistent snapshot if other threads use the
   * store}
   */
  public Counts counts() {
    return new Counts(
        reads.sum(),
        bytesRead.sum(),
        writes.sum(),
        bytesWritten.sum(),
        truncates.sum(),
        forces.sum(),
        sizes.sum());
  }

  @Override
  public long size() {
    sizes.increment();
    return store.size();
  }

  @Override
  public void read(long offset, MemorySegment target) {
    reads.increment();
    store.read(offset, target);
    bytesRead.add(target.byteSize());
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    reads.increment();
    store.read(offset, targets);
    bytesRead.add(totalBytes(targets));
  }

  @Override
  public void write(long offset, MemorySegment source) {
    writes.increment();
    store.write(offset, source);
    bytesWritten.add(source.byteSize());
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    writes.increment();
    store.write(offset, sources);
    bytesWritten.add(totalBytes(sources));
  }

  @Override
  public void readList(long[] offsets, MemorySegment[] targets) {
    reads.increment();
    store.readList(offsets, targets);
    bytesRead.add(totalBytes(targets));
  }

  @Override
  public void writeList(long[] offsets, MemorySegment[] sources) {
    writes.increment();
    store.writeList(offsets, sources);
    bytesWritten.add(totalBytes(sources));
  }

  @Override
  public void truncate(long sizeBytes) {
    truncates.increment();
    store.truncate(sizeBytes);
  }

  @Override
  public void force(boolean withMetadata) {
    forces.increment();
    store.force(withMetadata);
  }

  private static long totalBytes(MemorySegment[] segments) {
    return Arrays.stream(segments).mapToLong(MemorySegment::byteSize).sum();
  }
}
