package org.hyperslab.testkit.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Computes the content of a store after a crash, at successive instants of its {@link WriteLog}.
 *
 * <p>Model: forced changes are present, in order. A change that was not forced is present or not,
 * independently of the others. A write is torn in units of the size that the {@link Loss} gives,
 * which lie at multiples of that size, and each unit is present or not. Nothing else changes. The
 * death of the process alone loses nothing.
 *
 * <p>Thread rule: one thread.
 */
public final class CrashImages {

  /** Decides which changes that were not forced a disk keeps. */
  public interface Loss {

    /** {@return the unit of a torn write in bytes, a power of two} */
    int unitBytes();

    /**
     * Returns whether a unit of a write is kept. Called once for a change of length, with unit 0.
     *
     * @param change the index of the change since the last force, from 0
     * @param unit the index of the unit in it, from 0
     * @return whether it is kept
     */
    boolean keeps(int change, long unit);
  }

  private final List<WriteLog.Entry> entries;
  private final Image durable;
  private int durableCount;
  private int instant;

  /**
   * Creates images that start before the first change.
   *
   * @param before the content of the store before the changes
   * @param entries the changes
   */
  public CrashImages(byte[] before, List<WriteLog.Entry> entries) {
    this.entries = List.copyOf(entries);
    this.durable = new Image(before);
  }

  /**
   * Advances to the instant after a number of changes.
   *
   * @param count the number of changes, counted from the beginning and not less than before
   * @throws IllegalArgumentException if {@code count} is less than before or greater than the
   *     number of changes
   */
  public void advance(int count) {
    if (count < instant || count > entries.size()) {
      throw new IllegalArgumentException(
          "instant: actual=" + count + ", expected=" + instant + ".." + entries.size());
    }
    for (; instant < count; instant++) {
      if (entries.get(instant) instanceof WriteLog.Forced) {
        for (; durableCount < instant; durableCount++) {
          durable.apply(entries.get(durableCount));
        }
        durableCount = instant + 1;
      }
    }
  }

  /** {@return the number of changes since the last force} */
  public int pending() {
    return instant - durableCount;
  }

  /**
   * Returns the number of units of a pending change.
   *
   * @param change the index of the change since the last force, from 0
   * @param unitBytes the size of a unit
   * @return the number of units; 1 for a change of length
   */
  public long units(int change, int unitBytes) {
    return entries.get(durableCount + change) instanceof WriteLog.Written written
        ? (written.offset() + written.bytes().byteSize() - 1) / unitBytes
            - written.offset() / unitBytes
            + 1
        : 1;
  }

  /** {@return the bytes after the death of the process at this instant} */
  public byte[] killed() {
    return after(all(1 << 30));
  }

  /**
   * Computes the content after a power failure at this instant.
   *
   * @param loss decides which changes are lost
   * @return the bytes
   */
  public byte[] after(Loss loss) {
    Image image = new Image(durable);
    for (int i = durableCount; i < instant; i++) {
      image.apply(entries.get(i), i - durableCount, loss);
    }
    return image.toByteArray();
  }

  /**
   * Returns a loss of nothing.
   *
   * @param unitBytes the size of a unit
   * @return the loss
   */
  public static Loss all(int unitBytes) {
    return new Choice(unitBytes, (change, unit) -> true);
  }

  /**
   * Returns a loss of random units, or of random whole changes.
   *
   * @param unitBytes the size of a unit
   * @param torn whether changes may be kept in part
   * @param random the source of random numbers
   * @return the loss
   */
  public static Loss random(int unitBytes, boolean torn, RandomGenerator random) {
    return new Choice(
        unitBytes,
        new Choice.Rule() {
          private int change = -1;
          private boolean kept;

          @Override
          public boolean keeps(int ofChange, long unit) {
            if (torn || ofChange != change) {
              change = ofChange;
              kept = random.nextBoolean();
            }
            return kept;
          }
        });
  }

  /**
   * Returns a loss of one change.
   *
   * @param lost the index of the change since the last force, from 0
   * @return the loss
   */
  public static Loss without(int lost) {
    return new Choice(1 << 30, (change, unit) -> change != lost);
  }

  /**
   * Returns a loss of all changes but one.
   *
   * @param kept the index of the change since the last force, from 0
   * @return the loss
   */
  public static Loss only(int kept) {
    return new Choice(1 << 30, (change, unit) -> change == kept);
  }

  /**
   * Returns a loss from a unit of a change on: earlier changes, and earlier units of that change,
   * are kept.
   *
   * @param unitBytes the size of a unit
   * @param torn the index of the torn change, from 0
   * @param firstLost the index of its first lost unit, from 0
   * @return the loss
   */
  public static Loss tornAt(int unitBytes, int torn, long firstLost) {
    return new Choice(
        unitBytes, (change, unit) -> change < torn || (change == torn && unit < firstLost));
  }

  private record Choice(int unitBytes, Rule rule) implements Loss {

    private interface Rule {
      boolean keeps(int change, long unit);
    }

    @Override
    public boolean keeps(int change, long unit) {
      return rule.keeps(change, unit);
    }
  }

  /** A growable array of bytes. */
  private static final class Image {
    private byte[] bytes;
    private int size;

    Image(byte[] content) {
      this.bytes = content.clone();
      this.size = content.length;
    }

    Image(Image other) {
      this.bytes = Arrays.copyOf(other.bytes, other.bytes.length);
      this.size = other.size;
    }

    byte[] toByteArray() {
      return Arrays.copyOf(bytes, size);
    }

    void apply(WriteLog.Entry entry) {
      switch (entry) {
        case WriteLog.Written written ->
            put(written.offset(), written.bytes(), 0, written.bytes().byteSize());
        case WriteLog.Truncated truncated -> resize(Math.toIntExact(truncated.sizeBytes()));
        case WriteLog.Forced _ -> {}
      }
    }

    void apply(WriteLog.Entry entry, int change, Loss loss) {
      if (entry instanceof WriteLog.Written written) {
        tear(written, change, loss);
      } else if (loss.keeps(change, 0)) {
        apply(entry);
      }
    }

    private void tear(WriteLog.Written written, int change, Loss loss) {
      long length = written.bytes().byteSize();
      long unit = 0;
      for (long done = 0; done < length; unit++) {
        long inUnit = (written.offset() + done) % loss.unitBytes();
        long part = Math.min(length - done, loss.unitBytes() - inUnit);
        if (loss.keeps(change, unit)) {
          put(written.offset() + done, written.bytes(), done, part);
        }
        done += part;
      }
    }

    private void put(long offset, MemorySegment source, long from, long length) {
      int end = Math.toIntExact(offset + length);
      if (end > size) {
        resize(end);
      }
      MemorySegment.copy(
          source, ValueLayout.JAVA_BYTE, from, bytes, Math.toIntExact(offset), (int) length);
    }

    private void resize(int newSize) {
      if (newSize > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(newSize, bytes.length + bytes.length / 2));
      }
      if (newSize < size) {
        Arrays.fill(bytes, newSize, size, (byte) 0);
      }
      size = newSize;
    }
  }
}
