package org.hyperslab.testkit.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes of a store, in order. {@link CrashImages} computes what a crash at any instant would
 * have left.
 *
 * <p>Thread rule: safe; entries of concurrent requests are in the order of their completion.
 */
public final class WriteLog {

  /** One change of the store. */
  public sealed interface Entry permits Written, Truncated, Forced {}

  /**
   * A write of bytes.
   *
   * @param offset the offset of the first byte
   * @param bytes a read-only copy of the bytes
   */
  public record Written(long offset, MemorySegment bytes) implements Entry {}

  /**
   * A change of the length.
   *
   * @param sizeBytes the new length
   */
  public record Truncated(long sizeBytes) implements Entry {}

  /**
   * A force, which makes all earlier changes durable.
   *
   * @param withMetadata whether it includes the length
   */
  public record Forced(boolean withMetadata) implements Entry {}

  private final List<Entry> entries = new ArrayList<>();

  /** Creates an empty log; a {@link FaultStore} fills it. */
  WriteLog() {}

  synchronized void add(Entry entry) {
    entries.add(entry);
  }

  void addWrite(long offset, MemorySegment source) {
    byte[] copy = new byte[Math.toIntExact(source.byteSize())];
    MemorySegment.copy(source, 0, MemorySegment.ofArray(copy), 0, copy.length);
    add(new Written(offset, MemorySegment.ofArray(copy).asReadOnly()));
  }

  /** {@return the entries so far} */
  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** Removes all entries. */
  public synchronized void clear() {
    entries.clear();
  }
}
