package org.hyperslab.mpiio.pointer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Consensus;
import org.hyperslab.mpiio.staged.PositionedAccess;

/**
 * A shared pointer without communication between the ranks, after OMPIO's component of that name.
 * Each rank appends its writes to a log file with their times; at the next collective call the
 * records of all ranks are written to the file in the order of their times. Until then they cannot
 * be read, and the pointer's position is unknown.
 */
public final class IndividualLog implements SharedFilePointer {

  /** The name in hints. */
  public static final String NAME = "individual";

  private static final int LONGS = 2;

  private final Path path;
  private final Clock clock = Clock.systemUTC();
  private final List<Record> records = new ArrayList<>();
  private FileStore data;
  private long end;
  private long pointer;

  /**
   * A recorded write.
   *
   * @param nanos the time of the write, since 1970
   * @param etypes the number of etypes by which it moves the pointer
   * @param offset the offset of its bytes in this rank's log
   * @param bytes the number of bytes
   */
  private record Record(long nanos, long etypes, long offset, long bytes) {}

  /** Writes bytes to the file at an offset of the view. */
  @FunctionalInterface
  public interface Target {
    /**
     * Writes bytes at an offset.
     *
     * @param offsetEtypes the offset in etypes
     * @param bytes the number of bytes
     */
    void write(long offsetEtypes, MemorySegment bytes);
  }

  /**
   * Creates a log without records.
   *
   * @param path this rank's own hidden file; made at the first write
   * @param initial the initial position
   */
  public IndividualLog(Path path, long initial) {
    this.path = path;
    this.pointer = initial;
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Appends a write, in the file's representation.
   *
   * @param bytes the number of bytes
   * @param etypes the number of etypes
   */
  public synchronized void append(MemorySegment bytes, long etypes) {
    if (data == null) {
      data = FileStore.open(path, FileAccess.TRUNCATE);
    }
    data.write(end, bytes);
    Instant now = clock.instant();
    long nanos =
        Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
    records.add(new Record(nanos, etypes, end, bytes.byteSize()));
    end += bytes.byteSize();
  }

  /**
   * Writes the records of all ranks to the file; collective.
   *
   * @param comm the communicator
   * @param target where the bytes go
   */
  public synchronized void settle(Communicator comm, Target target) {
    List<PositionedAccess> all = exchange(comm);
    all.sort(
        Comparator.comparingLong(PositionedAccess::nanos).thenComparingInt(PositionedAccess::rank));
    List<Long> mine = new ArrayList<>();
    for (PositionedAccess record : all) {
      if (record.rank == comm.rank()) {
        mine.add(pointer);
      }
      pointer = Math.addExact(pointer, record.etypes);
    }
    new Consensus(comm)
        .run(() -> {
          for (int i = 0; i < mine.size(); i++) {
            copy(records.get(i), mine.get(i), target);
          }
          return null;
        });
    records.clear();
    end = 0;
  }

  /** A record of any rank; those of one rank keep their order. */
  private record PositionedAccess(long nanos, long etypes, int rank) {}

  private List<PositionedAccess> exchange(Communicator comm) {
    MemorySegment mine = Arena.ofAuto().allocate((long) LONGS * Long.BYTES * records.size());
    for (int i = 0; i < records.size(); i++) {
      mine.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, records.get(i).nanos);
      mine.setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, records.get(i).etypes);
    }
    byte[][] all = comm.allGatherBytes(mine.toArray(ValueLayout.JAVA_BYTE));
    List<PositionedAccess> placed = new ArrayList<>();
    for (int rank = 0; rank < all.length; rank++) {
      MemorySegment numbers = MemorySegment.ofArray(all[rank]);
      long last = Long.MIN_VALUE;
      for (long at = 0; at < numbers.byteSize(); at += LONGS * Long.BYTES) {
        long nanos = numbers.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        long etypes = numbers.get(ValueLayout.JAVA_LONG_UNALIGNED, at + 8);
        last = Math.max(last, nanos);
        placed.add(new PositionedAccess(last, etypes, rank));
      }
    }
    return placed;
  }

  private void copy(Record record, long offsetEtypes, Target target) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment bytes = arena.allocate(record.bytes);
      data.read(record.offset, bytes);
      target.write(offsetEtypes, bytes);
    }
  }

  @Override
  public synchronized long get() {
    if (!records.isEmpty()) {
      throw unknown("position");
    }
    return pointer;
  }

  @Override
  public synchronized void set(long etypes) {
    pointer = etypes;
  }

  @Override
  public long take(long etypes) {
    throw unknown("read");
  }

  private static UnsupportedFeatureException unknown(String what) {
    return new UnsupportedFeatureException(
        "shared file pointer: actual="
            + what
            + " while each rank keeps its own records, expected=a collective call; set the hint "
            + "sharedfp=lockedfile");
  }

  @Override
  public synchronized void close() {
    if (data != null) {
      data.close();
      data = null;
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        throw new StorageException("shared file pointer: actual=" + e + ", at=" + path, e);
      }
    }
  }
}
