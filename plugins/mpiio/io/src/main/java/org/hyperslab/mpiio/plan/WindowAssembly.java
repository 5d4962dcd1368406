package org.hyperslab.mpiio.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.schedule.ByteLocation;
import org.hyperslab.mpiio.schedule.Step;
import org.hyperslab.mpiio.store.StorageCosts;

/**
 * Assembles the pieces of many ranks and the file in an aggregator, in small windows, so that the
 * bytes are still in the core's cache when the request is made.
 *
 * <p>A buffer holds a <em>carrier</em>: the packed extents that are read or written. It is the
 * union of the pieces; if that is cheaper, it includes holes between them, which are read first if
 * the file is written.
 *
 * @param write whether the file is written
 * @param windowBytes the length of a window in the file, and of the buffer
 * @param costs the costs of requests
 * @param territory the region in which no other aggregator writes, so that holes may be written
 *     back unchanged; empty if that is forbidden
 * @param buffer the number of the allocated buffer
 */
record WindowAssembly(
    boolean write, long windowBytes, StorageCosts costs, ExtentRuns territory, int buffer) {

  /** The cost of copying 1024 bytes in memory, in nanoseconds. */
  private static final double COPY_NANOS_PER_KIBIBYTE = 120;

  /**
   * Bytes to assemble.
   *
   * @param extents the extents in the file
   * @param place the place in memory, where they are consecutive in packed order
   * @param direct whether a request can use that memory; otherwise the bytes pass through the
   *     buffer, so that no other one is needed for packing
   */
  record Piece(ExtentRuns extents, ByteLocation place, boolean direct) {}

  /** The bytes of one rank: extents of the file, and the place of each packed byte in memory. */
  sealed interface Source {

    /** Returns the extents in the file. */
    ExtentRuns extents();

    /** Adds the pieces of packed bytes {@code from .. toExclusive}. */
    void addPieces(long from, long toExclusive, List<Piece> pieces);
  }

  /**
   * Bytes in a buffer that were received or are to be sent.
   *
   * @param extents the extents in the file
   * @param place the place of the first byte
   */
  record Staged(ExtentRuns extents, ByteLocation place) implements Source {
    @Override
    public void addPieces(long from, long toExclusive, List<Piece> pieces) {
      ExtentRuns part = ExtentRuns.copyOf(extents(), from, toExclusive);
      pieces.add(new Piece(part, place.plus(from), true));
    }
  }

  /**
   * Bytes in the memory of a rank.
   *
   * @param portion the portion of the rank's bytes
   * @param start the place of the rank's first packed byte
   * @param contiguous whether that memory is one piece that requests can use
   */
  record Direct(AggregatorPortion portion, ByteLocation start, boolean contiguous)
      implements Source {
    @Override
    public ExtentRuns extents() {
      return portion.extents();
    }

    @Override
    public void addPieces(long from, long toExclusive, List<Piece> pieces) {
      for (long at = from; at < toExclusive; ) {
        long part = Math.min(portion.consecutiveFrom(at), toExclusive - at);
        ByteLocation place = start.plus(portion.wholePosition(at));
        pieces.add(new Piece(ExtentRuns.copyOf(extents(), at, at + part), place, contiguous));
        at += part;
      }
    }
  }

  /**
   * Returns the windows that contain bytes of {@code union}.
   *
   * @return {@code from, toExclusive} of each in turn
   */
  long[] windows(ExtentRuns union) {
    long[] windows = new long[16];
    int count = 0;
    for (long packed = 0; packed < union.totalBytes(); ) {
      var cursor = union.cursor();
      cursor.seekPacked(packed);
      cursor.next();
      long from = cursor.offset();
      long to = windowEnd(from, union.endExclusive());
      if (count == windows.length) {
        windows = Arrays.copyOf(windows, 2 * count);
      }
      windows[count++] = from;
      windows[count++] = to;
      packed = union.packedAt(to);
    }
    return Arrays.copyOf(windows, count);
  }

  /**
   * Returns the end of a window: a multiple of the window's length, so that blocks of the file are
   * not divided.
   */
  private long windowEnd(long from, long end) {
    long boundary = from - from % windowBytes;
    return end - boundary <= windowBytes ? end : boundary + windowBytes;
  }

  /**
   * Adds the steps for the sources' bytes in one window, which is at most as long as the buffer.
   *
   * @param union all extents of the sources there
   */
  void addSteps(
      List<Source> sources, long from, long toExclusive, ExtentRuns union, List<Step> steps) {
    List<Piece> pieces = new ArrayList<>();
    for (Source source : sources) {
      long start = source.extents().packedAt(from);
      long end = source.extents().packedAt(toExclusive);
      if (start < end) {
        source.addPieces(start, end, pieces);
      }
    }
    if (pieces.isEmpty()) {
      return;
    }
    if (write) {
      addWrite(pieces, union, steps);
    } else {
      addRead(pieces, union, steps);
    }
  }

  private void addWrite(List<Piece> pieces, ExtentRuns union, List<Step> steps) {
    ExtentRuns carrier = cheapestToWrite(union);
    if (isCheaperDirectly(pieces, carrier)) {
      pieces.forEach(piece -> addDirect(piece, steps));
      return;
    }
    ByteLocation start = new ByteLocation.Buffer(buffer, 0);
    if (carrier.totalBytes() > union.totalBytes()) {
      steps.add(new Step.Read(carrier, start, true));
    }
    for (Piece piece : pieces) {
      steps.add(new Step.Scatter(piece.place(), buffer, piece.extents().positionsIn(carrier)));
    }
    steps.add(new Step.Write(carrier, start));
  }

  private void addRead(List<Piece> pieces, ExtentRuns union, List<Step> steps) {
    long gap = costs.requestNanos() * 1024 / Math.max(1, costs.nanosPerKibibyte());
    ExtentRuns carrier = union.closingGaps(gap);
    if (isCheaperDirectly(pieces, carrier)) {
      pieces.forEach(piece -> addDirect(piece, steps));
      return;
    }
    steps.add(new Step.Read(carrier, new ByteLocation.Buffer(buffer, 0), false));
    for (Piece piece : pieces) {
      steps.add(new Step.Gather(buffer, piece.extents().positionsIn(carrier), piece.place()));
    }
  }

  /** Adds the requests for one piece alone. */
  private void addDirect(Piece piece, List<Step> steps) {
    ByteLocation packed = new ByteLocation.Buffer(buffer, 0);
    ExtentRuns all = ExtentRuns.of(0, piece.extents().totalBytes());
    if (write) {
      if (!piece.direct()) {
        steps.add(new Step.Scatter(piece.place(), buffer, all));
      }
      steps.add(new Step.Write(piece.extents(), piece.direct() ? piece.place() : packed));
      return;
    }
    steps.add(new Step.Read(piece.extents(), piece.direct() ? piece.place() : packed, false));
    if (!piece.direct()) {
      steps.add(new Step.Gather(buffer, all, piece.place()));
    }
  }

  /**
   * Returns the union; in each part of the territory, with all its holes if reading and writing
   * these saves enough requests.
   */
  private ExtentRuns cheapestToWrite(ExtentRuns union) {
    if (territory.isEmpty() || union.count() <= 2) {
      return union;
    }
    List<ExtentRuns> parts = new ArrayList<>();
    ExtentList.Cursor mine = territory.cursor();
    mine.seekOffset(union.first());
    while (mine.next() && mine.offset() < union.endExclusive()) {
      long end = mine.offset() + mine.length();
      parts.add(cheaper(ExtentRuns.copyOf(union.within(mine.offset(), end))));
    }
    return ExtentRuns.union(parts);
  }

  private ExtentRuns cheaper(ExtentRuns part) {
    long requests = part.count();
    double span = (double) part.endExclusive() - part.first();
    boolean sieve = costs.nanos(2, 2 * span) < costs.nanos(requests, part.totalBytes());
    return sieve && requests > 2
        ? ExtentRuns.of(part.first(), part.endExclusive() - part.first())
        : part;
  }

  /** Returns whether a request for each extent costs less than assembling them first. */
  private boolean isCheaperDirectly(List<Piece> pieces, ExtentRuns carrier) {
    double requests = 0;
    double bytes = 0;
    double copied = 0;
    for (Piece piece : pieces) {
      requests += piece.extents().count();
      bytes += piece.extents().totalBytes();
      copied += piece.direct() ? piece.extents().totalBytes() : 0; // only if assembled
    }
    double together = costs.nanos(carrier.count(), carrier.totalBytes());
    double sieved = carrier.totalBytes() > bytes && write ? together : 0;
    return costs.nanos(requests, bytes)
        <= together + sieved + copied / 1024 * COPY_NANOS_PER_KIBIBYTE;
  }
}
