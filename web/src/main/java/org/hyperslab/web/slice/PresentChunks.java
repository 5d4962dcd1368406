package org.hyperslab.web.slice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Dataset;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.web.limit.RequestBudget;

/**
 * The chunks that are stored of a large dataset most of which was never written. All other elements
 * are the fill value.
 *
 * @param chunk the shape of a chunk
 * @param offsets the first elements of the stored chunks
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PresentChunks(long[] chunk, List<long[]> offsets) {

  /** The number of elements below which everything is read, without looking at the index. */
  private static final long WORTHWHILE = 1L << 20;

  /** The number of stored chunks up to which a dataset counts as mostly unwritten. */
  private static final int MAX_CHUNKS = 1 << 16;

  private static final int CHECKED = 1024;

  /** {@return the shape of a dataset's chunks; empty if it has none} */
  public static long[] chunk(Dataset dataset) {
    return dataset.options().layout() instanceof Layout.Chunked chunked
        ? chunked.dimsArray()
        : new long[0];
  }

  /**
   * {@return the stored chunks that a part of a dataset meets; empty if the part is small, or more
   * than half of its chunks are stored, or it is unknown which are}
   *
   * @param dataset the dataset
   * @param box the part
   * @param budget what looking at the index may use
   */
  public static Optional<PresentChunks> of(Dataset dataset, StridedBox box, RequestBudget budget) {
    long[] chunk = chunk(dataset);
    if (chunk.length == 0 || chunk.length != box.count().length) {
      return unwritten(dataset, box);
    }
    long touched = box.chunks(chunk);
    if (box.elements() < WORTHWHILE && touched < CHECKED) {
      return Optional.empty();
    }
    try {
      List<long[]> offsets = new ArrayList<>();
      PresentChunks all = new PresentChunks(chunk, offsets);
      int seen = 0;
      for (Iterator<ChunkInfo> each = dataset.chunks().iterator(); each.hasNext(); seen++) {
        if (seen % CHECKED == 0) {
          budget.check();
        }
        long[] offset = each.next().offset().stream().mapToLong(Long::longValue).toArray();
        if (seen >= MAX_CHUNKS || offsets.size() > touched / 2) {
          return Optional.empty();
        }
        if (box.meets(offset, chunk)) {
          offsets.add(offset);
        }
      }
      return Optional.of(all);
    } catch (HyperslabException unknown) {
      return Optional.empty(); // the connector does not know
    }
  }

  /** Returns no chunks for a contiguous dataset without storage. */
  private static Optional<PresentChunks> unwritten(Dataset dataset, StridedBox box) {
    return dataset.options().layout() instanceof Layout.Contiguous
            && box.elements() >= WORTHWHILE
            && dataset.datasetInfo().storage().allocatedBytes() == 0
        ? Optional.of(new PresentChunks(box.count(), List.of()))
        : Optional.empty();
  }

  /**
   * {@return an element of a part that is not stored}
   *
   * @param box the part, which has one
   */
  public StridedBox unstored(StridedBox box) {
    Set<List<Long>> present = new HashSet<>();
    offsets.forEach(offset -> present.add(Arrays.stream(offset).boxed().toList()));
    for (long i = 0; ; i++) {
      StridedBox one = box.inChunk(i, chunk);
      long[] offset = one.start().clone();
      for (int j = 0; j < offset.length; j++) {
        offset[j] -= offset[j] % chunk[j];
      }
      if (!present.contains(Arrays.stream(offset).boxed().toList())) {
        return one;
      }
    }
  }

  /** {@return whether a part has an element of a stored chunk} */
  boolean meets(StridedBox part) {
    for (long[] offset : offsets) {
      if (part.meets(offset, chunk)) {
        return true;
      }
    }
    return false;
  }
}
