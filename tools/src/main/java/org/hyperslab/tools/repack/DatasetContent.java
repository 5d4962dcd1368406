package org.hyperslab.tools.repack;

import java.util.List;
import java.util.function.LongConsumer;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;

/**
 * Copies the elements of a dataset: chunks as they are stored if both datasets have the same chunk
 * shape, filters and element type, otherwise decoded elements. Storage that the original never
 * allocated is not allocated in the copy: both read it as the fill value.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DatasetContent {

  private final Dataset from;
  private final Dataset to;
  private final DatasetInfo info;
  private final ReferenceMover references;

  DatasetContent(Dataset from, Dataset to, ReferenceMover references) {
    this.from = from;
    this.to = to;
    this.info = from.datasetInfo();
    this.references = references;
  }

  /** Copies the elements; {@code progress} receives the number of bytes done. */
  void copy(LongConsumer progress) {
    if (info.space().kind() == Dataspace.Kind.NULL || info.space().elementCount() == 0) {
      return;
    }
    DatasetInfo copy = to.datasetInfo();
    switch (info.options().layout()) {
      case Layout.Virtual _ -> {
        if (!(copy.options().layout() instanceof Layout.Virtual)) {
          elements().all(progress);
        }
      }
      case Layout.External _ -> {
        if (!(copy.options().layout() instanceof Layout.External)) {
          elements().all(progress);
        }
      }
      case Layout.Chunked chunked -> chunks(chunked, copy, progress);
      case Layout.Contiguous _ -> {
        if (info.storage().allocatedBytes() > 0) {
          elements().all(progress);
        }
      }
      case Layout.Compact _, Layout.Auto _ -> elements().all(progress);
    }
  }

  private ElementCopy elements() {
    return new ElementCopy(from, to, references);
  }

  private void chunks(Layout.Chunked chunked, DatasetInfo copy, LongConsumer progress) {
    boolean asStored =
        chunked.equals(copy.options().layout())
            && info.options().filters().equals(copy.options().filters())
            && !info.options().filters().isEmpty()
            && isPlain(info.type())
            && info.type().equals(copy.type());
    boolean isUnknown = info.storage().chunkIndex().isEmpty(); // to the connector
    if (isUnknown || (!asStored && info.storage().chunkCount() == gridSize(chunked))) {
      elements().all(progress);
      return;
    }
    long[] shape = chunked.dimsArray();
    long[] extent = info.space().dims();
    long elements = Dataspace.product(shape);
    ElementCopy copier = asStored ? null : elements();
    long done = 0;
    for (ChunkInfo chunk : (Iterable<ChunkInfo>) from.chunks()::iterator) {
      long[] offset = chunk.offset().stream().mapToLong(Long::longValue).toArray();
      if (!isInside(offset, extent)) {
        continue; // an index may list chunks that an extent has lost
      }
      if (asStored) {
        to.writeChunk(from.readChunk(offset), offset);
      } else {
        copier.box(offset, clipped(offset, shape, extent));
      }
      done += elements * info.type().size();
      progress.accept(Math.min(done, RepackPlan.bytes(info)));
    }
  }

  private static boolean isPlain(Datatype type) {
    return !type.hasOutOfLineParts() && !ReferenceMover.concerns(type);
  }

  private static boolean isInside(long[] offset, long[] extent) {
    for (int d = 0; d < extent.length; d++) {
      if (offset[d] >= extent[d]) {
        return false;
      }
    }
    return true;
  }

  private static long[] clipped(long[] offset, long[] shape, long[] extent) {
    long[] count = new long[extent.length];
    for (int d = 0; d < extent.length; d++) {
      count[d] = Math.min(shape[d], extent[d] - offset[d]);
    }
    return count;
  }

  /** Returns the number of chunks of the whole extent, at most {@link Long#MAX_VALUE}. */
  private long gridSize(Layout.Chunked chunked) {
    List<Long> shape = chunked.dims();
    long[] extent = info.space().dims();
    long count = 1;
    for (int d = 0; d < extent.length; d++) {
      long along = Math.ceilDiv(extent[d], shape.get(d));
      count = count > Long.MAX_VALUE / along ? Long.MAX_VALUE : count * along;
    }
    return count;
  }
}
