package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What changed a store, in order, and what a crash at any instant would have left of it.
 *
 * <p>Thread rule: safe; entries of requests that run at once are in the order in which they
 * completed.
 */
public final class WriteLog {

  /** The unit that a disk writes wholly or not at all. */
  public static final int SECTOR_BYTES = 512;

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

  /** An empty log; a {@link FaultStore} fills it. */
  WriteLog() {}

  synchronized void add(Entry entry) {
    entries.add(entry);
  }

  void addWrite(long offset, MemorySegment source) {
    byte[] copy = new byte[Math.toIntExact(source.byteSize())];
    MemorySegment.copy(source, 0, MemorySegment.ofArray(copy), 0, copy.length);
    add(new Written(offset, MemorySegment.ofArray(copy).asReadOnly()));
  }

  /** The entries so far. */
  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** Forgets everything. */
  public synchronized void clear() {
    entries.clear();
  }

  /**
   * Applies the first {@code count} entries to {@code target}, which holds what the store held when
   * the log began: the file after the <em>process</em> was killed there.
   */
  public void replayKilled(int count, ByteStore target) {
    for (Entry entry : entries().subList(0, count)) {
      apply(entry, target);
    }
  }

  /**
   * Applies the first {@code count} entries as a <em>power cut</em> may leave them: all up to the
   * last force; of what follows, each sector of each write is there or not, as {@code random} says,
   * and so is each change of length.
   */
  public void replayPowerCut(int count, ByteStore target, RandomGenerator random) {
    List<Entry> past = entries().subList(0, count);
    int durable = 0;
    for (int i = 0; i < past.size(); i++) {
      if (past.get(i) instanceof Forced) {
        durable = i;
      }
    }
    for (int i = 0; i < past.size(); i++) {
      if (i < durable) {
        apply(past.get(i), target);
      } else {
        applyTorn(past.get(i), target, random);
      }
    }
  }

  private static void apply(Entry entry, ByteStore target) {
    switch (entry) {
      case Written written -> target.write(written.offset(), written.bytes());
      case Truncated truncated -> target.truncate(truncated.sizeBytes());
      case Forced forced -> target.force(forced.withMetadata());
    }
  }

  private static void applyTorn(Entry entry, ByteStore target, RandomGenerator random) {
    switch (entry) {
      case Written written -> tear(written, target, random);
      case Truncated truncated -> {
        if (random.nextBoolean()) {
          target.truncate(truncated.sizeBytes());
        }
      }
      case Forced forced -> target.force(forced.withMetadata());
    }
  }

  private static void tear(Written written, ByteStore target, RandomGenerator random) {
    int kind = random.nextInt(3);
    long length = written.bytes().byteSize();
    for (long done = 0; done < length; ) {
      long inSector = (written.offset() + done) % SECTOR_BYTES;
      long part = Math.min(length - done, SECTOR_BYTES - inSector);
      if (kind == 1 || (kind == 2 && random.nextBoolean())) {
        target.write(written.offset() + done, written.bytes().asSlice(done, part));
      }
      done += part;
    }
  }
}
