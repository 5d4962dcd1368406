package org.hyperslab.tools.repack;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.hyperslab.Dataset;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Copies the elements of a dataset to another of the same type and extent, in boxes of whole rows,
 * or of whole chunks, that a buffer of bounded size holds.
 */
final class ElementCopy {

  private static final long BUFFER_BYTES = 32L << 20;

  private final Dataset from;
  private final Dataset to;
  private final ReferenceMover references;

  ElementCopy(Dataset from, Dataset to, ReferenceMover references) {
    this.from = from;
    this.to = to;
    this.references = references;
  }

  /** Copies; hears how many bytes are done. */
  void run(LongConsumer progress) {
    DatasetInfo info = from.datasetInfo();
    Datatype memory = info.type().inMemory();
    long[] extent = info.space().dims();
    long[] box = box(extent, info, memory.size());
    long elements = 1;
    for (long dim : box) {
      elements = Math.multiplyExact(elements, dim);
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(elements * memory.size(), 64);
      long[] start = new long[extent.length];
      long done = 0;
      do {
        done += copyBox(memory, extent, start, box, buffer);
        progress.accept(done * info.type().size());
      } while (advance(start, box, extent));
    }
  }

  /** A box of the extent that fits in the buffer, a whole number of chunks in each dimension. */
  private static long[] box(long[] extent, DatasetInfo info, int elementSize) {
    long[] box = new long[extent.length];
    long[] grain = new long[extent.length];
    long bytes = elementSize;
    for (int d = 0; d < extent.length; d++) {
      long chunk =
          info.options().layout() instanceof Layout.Chunked chunked ? chunked.dims().get(d) : 1;
      grain[d] = Math.min(chunk, extent[d]);
      box[d] = grain[d];
      bytes = Math.multiplyExact(bytes, grain[d]);
    }
    for (int d = extent.length - 1; d >= 0; d--) {
      long others = bytes / box[d];
      long most = Math.max(grain[d], BUFFER_BYTES / others / grain[d] * grain[d]);
      box[d] = Math.min(extent[d], most);
      bytes = others * box[d];
    }
    return box;
  }

  private long copyBox(
      Datatype memory, long[] extent, long[] start, long[] box, MemorySegment buffer) {
    long[] count = new long[extent.length];
    long elements = 1;
    for (int d = 0; d < extent.length; d++) {
      count[d] = Math.min(box[d], extent[d] - start[d]);
      elements *= count[d];
    }
    MemorySegment part = buffer.asSlice(0, elements * memory.size());
    boolean heap = memory.hasOutOfLineParts();
    if (heap || ReferenceMover.concerns(memory)) {
      part.fill((byte) 0);
    }
    DataBuffer data = new DataBuffer(part, heap ? new VlenHeap() : VlenHeap.none());
    Selection selection = extent.length == 0 ? Selection.all() : Selection.box(start, count);
    Transfer transfer =
        new Transfer(
            memory,
            extent.length == 0 ? Dataspace.scalar() : Dataspace.simple(count),
            Selection.all(),
            selection,
            TransferOptions.DEFAULT);
    await(from.readAsync(transfer, data));
    references.move(memory, data, elements);
    await(to.writeAsync(transfer, data));
    return elements;
  }

  private static void await(java.util.concurrent.CompletableFuture<Void> stage) {
    try {
      stage.join();
    } catch (java.util.concurrent.CompletionException failed) {
      if (failed.getCause() instanceof org.hyperslab.error.HyperslabException typed) {
        throw typed;
      }
      throw failed;
    }
  }

  private static boolean advance(long[] start, long[] box, long[] extent) {
    for (int d = extent.length - 1; d >= 0; d--) {
      start[d] += box[d];
      if (start[d] < extent[d]) {
        return true;
      }
      start[d] = 0;
    }
    return false;
  }
}
