package org.hyperslab.web.grove;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.Slice;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.slice.BoxPieces;
import org.hyperslab.web.slice.PieceReader;
import org.hyperslab.web.slice.PresentChunks;
import org.hyperslab.web.slice.StridedBox;

/**
 * Computes the statistics of a slice. Of a dataset that was mostly never written, only the chunks
 * that are stored are read; the other elements are counted.
 *
 * <p>Thread rule: confined to one thread.
 */
final class SliceStatistics {

  private static final Datatype DOUBLE = Datatypes.F64LE;

  private final Dataset dataset;
  private final StridedBox box;
  private final long[] chunk;
  private final RequestBudget budget;
  private final RunningStatistics statistics = new RunningStatistics();

  private SliceStatistics(Slice slice, RequestBudget budget) {
    this.dataset = slice.dataset();
    this.box = StridedBox.of(slice);
    this.chunk = PresentChunks.chunk(dataset);
    this.budget = budget;
  }

  /**
   * {@return the statistics of a slice}
   *
   * @param slice the slice, of numbers
   * @param budget what the request may use
   */
  static RunningStatistics of(Slice slice, RequestBudget budget) {
    SliceStatistics all = new SliceStatistics(slice, budget);
    if (slice.elementCount() == 0) {
      return all.statistics;
    }
    int held = budget.hold(2 * PieceReader.mostElements(DOUBLE) * DOUBLE.size());
    Optional<PresentChunks> stored = PresentChunks.of(slice.dataset(), all.box, budget);
    if (stored.isEmpty()) {
      all.add(all.box);
    } else {
      all.addStored(stored.get());
    }
    budget.release(held);
    return all.statistics;
  }

  private void addStored(PresentChunks stored) {
    long left = box.elements();
    for (long[] offset : stored.offsets()) {
      StridedBox part = box.within(offset, stored.chunk());
      add(part);
      left -= part.elements();
    }
    if (left > 0) {
      budget.check();
      statistics.add(read(stored.unstored(box))[0], left);
    }
  }

  private void add(StridedBox part) {
    BoxPieces pieces = BoxPieces.of(part, chunk, PieceReader.mostElements(DOUBLE));
    for (long i = 0; i < pieces.pieces(); i++) {
      StridedBox piece = pieces.piece(i).box();
      budget.spend(piece.elements());
      statistics.add(read(piece));
    }
  }

  private double[] read(StridedBox part) {
    byte[] bytes = new byte[Math.toIntExact(part.elements() * DOUBLE.size())];
    dataset.readInto(
        part.selection(), Memory.of(MemorySegment.ofArray(bytes), DOUBLE, part.elements()));
    return MemorySegment.ofArray(bytes)
        .toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN));
  }
}
