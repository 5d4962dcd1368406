package org.hyperslab.mpiio.transfer;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Schedule;
import org.hyperslab.mpiio.schedule.Step;

/**
 * Data sieving: few large requests that include the holes. A window starts at the first requested
 * byte after the last window, is at most one buffer long and ends with a requested byte. A read
 * fetches the window and copies out the requested bytes; a write fetches it under the range lock,
 * changes it and writes it back.
 *
 * <p>After Thakur, Gropp, Lusk: Data Sieving and Collective I/O in ROMIO (1999).
 *
 * @param readBufferBytes the longest window of a read
 * @param writeBufferBytes the longest window of a write
 */
public record DataSieving(long readBufferBytes, long writeBufferBytes) implements ByteTransfer {

  /** The name in hints. */
  public static final String NAME = "sieving";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Schedule write(int rank, ExtentRuns file) {
    long[] cuts = windows(file, writeBufferBytes);
    return Schedule.computed(
        name(), rank, cuts.length - 1, i -> writeWindow(file.slice(cuts[i], cuts[i + 1]), cuts[i]));
  }

  private static List<Step> writeWindow(ExtentList part, long packed) {
    ExtentRuns extents = ExtentRuns.copyOf(part);
    long from = extents.first();
    long length = extents.endExclusive() - from;
    if (extents.totalBytes() == length) {
      return List.of(
          new Step.Lock(from, from + length),
          new Step.Write(extents, new ByteLocation.Memory(packed)),
          new Step.Unlock());
    }
    ExtentRuns window = ExtentRuns.of(from, length);
    ByteLocation buffer = new ByteLocation.Buffer(0, 0);
    return List.of(
        new Step.Allocate(0, length),
        new Step.Lock(from, from + length),
        new Step.Read(window, buffer, true),
        new Step.Scatter(new ByteLocation.Memory(packed), 0, extents.moved(-from)),
        new Step.Write(window, buffer),
        new Step.Unlock(),
        new Step.Release(0));
  }

  @Override
  public Schedule read(int rank, ExtentRuns file) {
    long[] cuts = windows(file, readBufferBytes);
    return Schedule.computed(
        name(), rank, cuts.length - 1, i -> readWindow(file.slice(cuts[i], cuts[i + 1]), cuts[i]));
  }

  private static List<Step> readWindow(ExtentList part, long packed) {
    ExtentRuns extents = ExtentRuns.copyOf(part);
    long from = extents.first();
    long length = extents.endExclusive() - from;
    if (extents.totalBytes() == length) {
      return List.of(new Step.Read(extents, new ByteLocation.Memory(packed), false));
    }
    return List.of(
        new Step.Allocate(0, length),
        new Step.Read(ExtentRuns.of(from, length), new ByteLocation.Buffer(0, 0), false),
        new Step.Gather(0, extents.moved(-from), new ByteLocation.Memory(packed)),
        new Step.Release(0));
  }

  /** Returns the packed positions where windows begin, and the end. */
  private static long[] windows(ExtentRuns file, long windowBytes) {
    long[] cuts = new long[16];
    int count = 0;
    long total = file.totalBytes();
    ExtentList.Cursor cursor = file.cursor();
    for (long packed = 0; packed < total; ) {
      if (count + 1 == cuts.length) {
        cuts = Arrays.copyOf(cuts, 2 * count);
      }
      cuts[count++] = packed;
      cursor.seekPacked(packed);
      cursor.next();
      packed = file.packedAt(Math.addExact(cursor.offset(), windowBytes));
    }
    cuts = Arrays.copyOf(cuts, count + 1);
    cuts[count] = total;
    return cuts;
  }
}
