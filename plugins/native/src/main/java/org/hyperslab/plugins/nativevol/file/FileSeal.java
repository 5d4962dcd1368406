package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.plugins.nativevol.store.EntryTimes;

/**
 * Tells whether another program may have changed a file since this one flushed it.
 *
 * <p>A sealed file holds a moment, its own length and the moment again, inverted; and the operating
 * system has the same moment as the time of its last modification. Whoever writes the file changes
 * that time. A program may set it back; then the time at which the system changed the file's entry,
 * which no program can set, is later than the moment. So a file is as it was sealed if its time of
 * modification is the moment, its entry was changed at most {@link #AFTER_NANOS} later, and it has
 * its length. Copies, and files that were renamed or got other permissions later, are not known to
 * be so.
 *
 * <p>A seal is set under the lock of a writer, after a flush, and broken before the first change
 * after it: the numbers in the file become 0, and that is forced if flushes are. Therefore a power
 * cut never leaves the seal of one flush with elements of the next.
 *
 * <p>Thread rule: any thread.
 */
public final class FileSeal {

  /** The length of the numbers in the file, in bytes: four integers of 64 bits, little-endian. */
  public static final int BYTES = 32;

  private static final long AFTER_NANOS = 250_000_000L;

  /** The longest time for which clocks of file systems stand still. */
  private static final long CLOCK_MILLIS = 20;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final ByteStore store;
  private final boolean durable;
  private LongSupplier place = () -> -1;
  private long holder = -1;
  private boolean mayBeSet;
  private volatile boolean broken;

  FileSeal(ByteStore store, boolean durable) {
    this.store = store;
    this.durable = durable;
  }

  /**
   * Takes note that a dataset is deleted, which may be the one that holds the seal.
   *
   * @param header the address of its header
   */
  public synchronized void deleted(long header) {
    if (header == holder) {
      place = () -> -1;
      mayBeSet = false;
    }
  }

  /**
   * Says where the seal is.
   *
   * @param header the address of the header of the dataset that holds it
   * @param offset returns the offset of its numbers in the file, or -1 if there are none; called
   *     under the file's lock
   */
  public synchronized void at(long header, LongSupplier offset) {
    holder = header;
    place = offset;
    long now = offset.getAsLong();
    // What a damaged file has there instead is not overwritten.
    mayBeSet = now >= 0 && (now > store.size() - BYTES || isWellFormed(numbers(now)));
  }

  /** {@return whether this process knows that no other one writes the file meanwhile} */
  public boolean isExclusive() {
    return store instanceof MemoryStore
        || store instanceof FileStore file && !store.readOnly() && file.locked();
  }

  /**
   * {@return the moment at which the file was sealed, if it is as it was then; 0 if that is not
   * known} Under the file's lock.
   */
  public synchronized long moment() {
    long offset = place.getAsLong();
    if (offset < 0
        || offset > store.size() - BYTES
        || !(store instanceof FileStore file)
        || broken) {
      return 0;
    }
    MemorySegment numbers = numbers(offset);
    long moment = numbers.get(WORD, 0);
    if (moment == 0 || !isWellFormed(numbers) || numbers.get(WORD, 8) != store.size()) {
      return 0;
    }
    return EntryTimes.of(file.path())
        .filter(times -> times.modified() == moment)
        .filter(times -> times.changed() - moment <= AFTER_NANOS)
        .filter(times -> times.changed() >= moment)
        .map(_ -> moment)
        .orElse(0L);
  }

  private MemorySegment numbers(long offset) {
    MemorySegment numbers = MemorySegment.ofArray(new byte[BYTES]);
    store.read(offset, numbers);
    return numbers;
  }

  /** Returns whether numbers are those of a seal, or of a broken one. */
  private static boolean isWellFormed(MemorySegment numbers) {
    long moment = numbers.get(WORD, 0);
    return moment == 0 && numbers.get(WORD, 16) == 0 && numbers.get(WORD, 24) == 0
        || numbers.get(WORD, 16) == ~moment && numbers.get(WORD, 24) == 1;
  }

  /** {@return whether there is a place for the seal} */
  public synchronized boolean isPlaced() {
    return mayBeSet;
  }

  /** {@return whether the file has been changed since it was opened, or sealed} */
  public boolean isBroken() {
    return broken;
  }

  /** Breaks the seal before the file is changed; has no effect if it is broken. */
  public void breakIt() {
    if (!broken) {
      breakNow();
    }
  }

  /** Has statistics be written though nothing is edited. */
  public void rewrite() {
    breakIt();
  }

  private synchronized void breakNow() {
    long offset = place.getAsLong();
    if (!broken && mayBeSet && offset >= 0 && offset <= store.size() - BYTES) {
      store.write(offset, MemorySegment.ofArray(new byte[BYTES]));
      if (durable) {
        store.force(false);
      }
    }
    broken = true;
  }

  /**
   * Seals the file after a flush, if the file system has what that needs, and this process the lock
   * of a writer.
   */
  synchronized void set() {
    long offset = place.getAsLong();
    if (!mayBeSet
        || !broken
        || offset < 0
        || !(store instanceof FileStore file)
        || !file.locked()
        || EntryTimes.of(file.path()).isEmpty()) {
      return;
    }
    // In microseconds, which every suitable file system keeps, and none counts in alone.
    // The system's clock for files may stand still for some milliseconds: whatever is written later
    // gets a later time than this.
    Instant now = Instant.now().minusMillis(CLOCK_MILLIS).truncatedTo(ChronoUnit.MICROS);
    long moment = EntryTimes.nanos(now);
    MemorySegment numbers = MemorySegment.ofArray(new byte[BYTES]);
    numbers.set(WORD, 0, moment);
    numbers.set(WORD, 8, store.size());
    numbers.set(WORD, 16, ~moment);
    numbers.set(WORD, 24, 1);
    store.write(offset, numbers);
    EntryTimes.setModified(file.path(), now);
    broken = false;
  }
}
