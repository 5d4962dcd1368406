package org.hyperslab.mpiio.driver;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.comm.Request;

/** Executes the steps that access the file, and counts them exactly. */
final class FileSteps {

  /**
   * The average length of memory pieces from which they are passed to the store without packing.
   */
  private static final long WORTH_GATHERING_BYTES = 16 << 10;

  /** The buffer into which scattered memory is packed, part by part. */
  private static final long PACK_BYTES = 256 << 10;

  /**
   * The greatest number of pieces of a list request, which is the limit of a system call of Linux.
   */
  private static final int LIST_PIECES = 1024;

  /**
   * The greatest number of pieces of a request that skips holes, within the limit of a system call
   * of Linux.
   */
  private static final int SKIPPING_PIECES = 1000;

  /** The number of rows above which runs are passed to the store as rows. */
  private static final int ROWS = 16;

  /** The greatest number of rows of a request. */
  private static final int MAX_ROWS = 1 << 15;

  /**
   * The greatest span of a request for rows, which is large enough to be worth a mapping of the
   * file.
   */
  private static final long ROWS_SPAN_BYTES = 64 << 20;

  private final ByteStore store;
  private final BufferPool pool;
  private long reads;
  private long bytesRead;
  private long writes;
  private long bytesWritten;

  FileSteps(ByteStore store, BufferPool pool) {
    this.store = store;
    this.pool = pool;
  }

  /**
   * Returns the length of a buffer for packing: what the pool keeps, but no more than is useful.
   */
  static long packBytes(BufferPool pool) {
    long kept = pool.idleLimitBytes();
    return kept == 0 ? PACK_BYTES : Math.min(kept, PACK_BYTES);
  }

  long reads() {
    return reads;
  }

  long bytesRead() {
    return bytesRead;
  }

  long writes() {
    return writes;
  }

  long bytesWritten() {
    return bytesWritten;
  }

  /**
   * Counts a request that the store executes by itself.
   *
   * @param failed receives the failure of the request
   * @return the request
   */
  Request started(
      boolean write, long bytes, ByteStore.Pending pending, Consumer<HyperslabException> failed) {
    if (write) {
      countWrite(bytes);
    } else {
      countRead(bytes);
    }
    return new Submitted(bytes, pending, failed);
  }

  /**
   * A request that the store executes by itself. It ends normally if it fails, because other ranks
   * wait for this one's messages.
   *
   * @param bytes its length
   * @param pending the request
   * @param failed receives its failure
   */
  record Submitted(long bytes, ByteStore.Pending pending, Consumer<HyperslabException> failed)
      implements Request {

    @Override
    public boolean test() {
      try {
        return pending.test();
      } catch (HyperslabException failure) {
        failed.accept(failure);
        return true;
      }
    }

    @Override
    public long await() {
      try {
        pending.await();
      } catch (HyperslabException failure) {
        failed.accept(failure);
      }
      return bytes;
    }
  }

  void write(ExtentRuns file, MemoryExtents memory, long at) {
    ExtentList.Cursor cursor = file.cursor();
    while (cursor.next()) {
      writeExtent(cursor.offset(), cursor.length(), memory, at + cursor.packed());
    }
  }

  private void writeExtent(long offset, long length, MemoryExtents memory, long at) {
    if (memory.contiguous(at, length)) {
      countWrite(length);
      store.write(offset, memory.slice(at, length));
      return;
    }
    if (scatteredIn(memory) >= WORTH_GATHERING_BYTES) {
      countWrite(length);
      store.write(offset, pieces(memory, at, length));
      return;
    }
    try (Lease lease = pool.take(Math.min(length, packBytes(pool)))) {
      MemorySegment packed = lease.segment();
      for (long done = 0; done < length; ) {
        long part = Math.min(length - done, packed.byteSize());
        memory.copyOut(at + done, packed, 0, part);
        countWrite(part);
        store.write(offset + done, packed.asSlice(0, part));
        done += part;
      }
    }
  }

  void read(ExtentRuns file, MemoryExtents memory, long at, boolean zerosPastEnd) {
    long end = zerosPastEnd ? store.size() : Long.MAX_VALUE;
    ExtentList.Cursor cursor = file.cursor();
    while (cursor.next()) {
      long length = cursor.length();
      long there = Math.clamp(end - cursor.offset(), 0, length);
      if (there > 0) {
        readExtent(cursor.offset(), there, memory, at + cursor.packed());
      }
      if (there < length) {
        memory.slice(at + cursor.packed() + there, length - there).fill((byte) 0);
      }
    }
  }

  private void readExtent(long offset, long length, MemoryExtents memory, long at) {
    if (memory.contiguous(at, length)) {
      countRead(length);
      store.read(offset, memory.slice(at, length));
      return;
    }
    if (scatteredIn(memory) >= WORTH_GATHERING_BYTES) {
      countRead(length);
      store.read(offset, pieces(memory, at, length));
      return;
    }
    try (Lease lease = pool.take(Math.min(length, packBytes(pool)))) {
      MemorySegment packed = lease.segment();
      for (long done = 0; done < length; ) {
        long part = Math.min(length - done, packed.byteSize());
        countRead(part);
        store.read(offset + done, packed.asSlice(0, part));
        memory.copyIn(at + done, packed, 0, part);
        done += part;
      }
    }
  }

  /**
   * Reads extents, those with holes of at most {@code maxGapBytes}, and of what a buffer for
   * packing holds, between them by one request. Bytes of holes are read repeatedly into the same
   * scratch memory.
   */
  void readSkipping(ExtentRuns file, MemoryExtents memory, long at, long maxGapBytes) {
    long gapBytes = Math.min(maxGapBytes, packBytes(pool));
    try (Lease lease = pool.take(gapBytes)) {
      MemorySegment scrap = lease.segment();
      Skipped skipped = new Skipped(scrap, gapBytes);
      for (int run = 0; run < file.runs(); run++) {
        long bytes = file.runLength(run) * file.runCount(run);
        long gap = file.runStride(run) - file.runLength(run);
        boolean rows = file.runCount(run) > ROWS && gap <= gapBytes;
        if (rows && memory.contiguous(at + file.runPacked(run), bytes)) {
          skipped.readPlaces();
          readRows(file, run, memory.slice(at + file.runPacked(run), bytes));
        } else {
          skipped.addRun(file, run, memory, at);
        }
      }
      skipped.readPlaces();
    }
  }

  private void readRows(ExtentRuns file, int run, MemorySegment target) {
    long length = file.runLength(run);
    long stride = file.runStride(run);
    long most = Math.clamp(ROWS_SPAN_BYTES / stride, 1, MAX_ROWS);
    for (long row = 0; row < file.runCount(run); row += most) {
      long rows = Math.min(most, file.runCount(run) - row);
      countRead(rows * stride - stride + length);
      MemorySegment part = target.asSlice(row * length, rows * length);
      store.readRows(file.runOffset(run) + row * stride, length, stride, rows, part);
    }
  }

  /** Pieces and the holes between them that one request reads. */
  private final class Skipped {
    private final MemorySegment scrap;
    private final long gapBytes;
    private final List<MemorySegment> places = new ArrayList<>();
    private long start;
    private long end;

    Skipped(MemorySegment scrap, long gapBytes) {
      this.scrap = scrap;
      this.gapBytes = gapBytes;
    }

    void addRun(ExtentRuns file, int run, MemoryExtents memory, long at) {
      long length = file.runLength(run);
      for (long k = 0; k < file.runCount(run); k++) {
        long offset = file.runOffset(run) + k * file.runStride(run);
        long gap = offset - end;
        if (gap > gapBytes || places.size() >= SKIPPING_PIECES) {
          readPlaces();
        }
        if (places.isEmpty()) {
          start = offset;
        } else if (gap > 0) {
          places.add(scrap.asSlice(0, gap));
        }
        addPlaces(memory, at + file.runPacked(run) + k * length, length, places);
        end = offset + length;
      }
    }

    void readPlaces() {
      if (!places.isEmpty()) {
        countRead(end - start);
        store.read(start, places.toArray(MemorySegment[]::new));
        places.clear();
      }
    }
  }

  private static long scatteredIn(MemoryExtents memory) {
    return memory.totalBytes() / Math.max(1, memory.count());
  }

  private static MemorySegment[] pieces(MemoryExtents memory, long at, long length) {
    List<MemorySegment> pieces = new ArrayList<>();
    addPlaces(memory, at, length, pieces);
    return pieces.toArray(MemorySegment[]::new);
  }

  private static void addPlaces(
      MemoryExtents memory, long at, long length, List<MemorySegment> places) {
    if (memory.contiguous(at, length)) {
      places.add(memory.slice(at, length));
      return;
    }
    for (long done = 0; done < length; ) {
      long part = Math.min(length - done, memory.contiguousFrom(at + done));
      places.add(memory.slice(at + done, part));
      done += part;
    }
  }

  /** Divides extents into lists short enough for a store to take as one request. */
  void list(ExtentRuns file, MemoryExtents memory, long at, boolean write) {
    List<Long> offsets = new ArrayList<>();
    List<MemorySegment> pieces = new ArrayList<>();
    ExtentList.Cursor cursor = file.cursor();
    while (cursor.next()) {
      for (long done = 0; done < cursor.length(); ) {
        long from = at + cursor.packed() + done;
        long part = Math.min(cursor.length() - done, memory.contiguousFrom(from));
        offsets.add(cursor.offset() + done);
        pieces.add(memory.slice(from, part));
        done += part;
        if (pieces.size() == LIST_PIECES) {
          transfer(offsets, pieces, write);
        }
      }
    }
    transfer(offsets, pieces, write);
  }

  private void transfer(List<Long> offsets, List<MemorySegment> pieces, boolean write) {
    if (pieces.isEmpty()) {
      return;
    }
    long[] at = offsets.stream().mapToLong(Long::longValue).toArray();
    MemorySegment[] memory = pieces.toArray(MemorySegment[]::new);
    long bytes = pieces.stream().mapToLong(MemorySegment::byteSize).sum();
    if (write) {
      countWrite(bytes);
      store.writeList(at, memory);
    } else {
      countRead(bytes);
      store.readList(at, memory);
    }
    offsets.clear();
    pieces.clear();
  }

  private void countWrite(long bytes) {
    writes++;
    bytesWritten += bytes;
  }

  private void countRead(long bytes) {
    reads++;
    bytesRead += bytes;
  }
}
