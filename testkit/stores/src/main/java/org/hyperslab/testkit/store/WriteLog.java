package org.hyperslab.testkit.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What changed a store, in order; {@link CrashImages} says what a crash at any instant would have
 * left.
 *
 * <p>Thread rule: safe; entries of requests that run at once are in the order in which they
 * completed.
 */
public final class WriteLog {

  /** One change. */
  public sealed interface Entry permits Written, Truncated, Forced {}

  /**
   * Bytes written.
   *
   * @param offset the first byte's offset
   * @param bytes a copy of them, read only
   */
  public record Written(long offset, MemorySegment bytes) implements Entry {}

  /**
   * The length set.
   *
   * @param sizeBytes the new length
   */
  public record Truncated(long sizeBytes) implements Entry {}

  /**
   * All before made durable.
   *
   * @param withMetadata whether the length was too
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

  /** Forgets everything. */
  public synchronized void clear() {
    entries.clear();
  }
}
