package org.hyperslab.tools.repack;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.TransferOptions;

/**
 * Copies the elements of a dataset to another of the same type and extent, in boxes of whole rows,
 * or of whole chunks, that a buffer of bounded size holds.
 */
final class ElementCopy {

  /**
   * The maximum size of a box in bytes, large enough to contain several chunks, which are filtered
   * on several cores.
   */
  private static final long CHUNKED_BYTES = 32L << 20;

  /** The most bytes of any other box, which stays in a core's cache until it is written. */
  private static final long PLAIN_BYTES = 1L << 20;

  private final Dataset from;
  private final Dataset to;
  private final ReferenceMover references;
  private final DatasetInfo info;
  private final Datatype memory;
  private final long most;

  ElementCopy(Dataset from, Dataset to, ReferenceMover references) {
    this.from = from;
    this.to = to;
    this.references = references;
    this.info = from.datasetInfo();
    this.memory = info.type().inMemory();
    this.most = isChunked(info) || isChunked(to.datasetInfo()) ? CHUNKED_BYTES : PLAIN_BYTES;
  }

  private static boolean isChunked(DatasetInfo info) {
    return info.options().layout() instanceof Layout.Chunked;
  }

  /** Copies everything; {@code progress} receives the number of bytes done. */
  void all(LongConsumer progress) {
    long[] extent = info.space().dims();
    boxes(new long[extent.length], extent, progress);
  }

  /** Copies a box. */
  void box(long[] start, long[] count) {
    boxes(start, count, _ -> {});
  }

  private void boxes(long[] start, long[] count, LongConsumer progress) {
    long[] box = part(start, count);
    long elements = Dataspace.product(box);
    long[] end = new long[start.length];
    for (int d = 0; d < end.length; d++) {
      end[d] = start[d] + count[d];
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(Math.multiplyExact(elements, memory.size()), 64);
      long[] at = start.clone();
      long done = 0;
      do {
        done += copyBox(at, end, box, buffer);
        progress.accept(done * info.type().size());
      } while (advance(at, start, box, end));
    }
  }

  /**
   * Returns the largest box that fits in the buffer: whole chunks if one fits, otherwise a part of
   * a chunk.
   */
  private long[] part(long[] start, long[] count) {
    int rank = count.length;
    long[] grain = new long[rank];
    Arrays.fill(grain, 1);
    if (info.options().layout() instanceof Layout.Chunked chunked) {
      for (int d = 0; d < rank; d++) {
        grain[d] = start[d] == 0 ? Math.min(chunked.dims().get(d), count[d]) : 1;
      }
      if (product(grain) > most) {
        Arrays.fill(grain, 1);
      }
    }
    long[] box = grain.clone();
    long bytes = product(grain);
    for (int d = rank - 1; d >= 0; d--) {
      long others = bytes / box[d];
      long many = Math.max(grain[d], most / others / grain[d] * grain[d]);
      box[d] = Math.min(count[d], many);
      bytes = others * box[d];
    }
    return box;
  }

  /** Returns the number of bytes of a box in memory, at most {@link Long#MAX_VALUE}. */
  private long product(long[] dims) {
    long bytes = memory.size();
    for (long dim : dims) {
      bytes = bytes > Long.MAX_VALUE / dim ? Long.MAX_VALUE : bytes * dim;
    }
    return bytes;
  }

  private long copyBox(long[] start, long[] end, long[] most, MemorySegment buffer) {
    long[] count = new long[end.length];
    long elements = 1;
    for (int d = 0; d < end.length; d++) {
      count[d] = Math.min(most[d], end[d] - start[d]);
      elements *= count[d];
    }
    MemorySegment part = buffer.asSlice(0, elements * memory.size());
    boolean heap = memory.hasOutOfLineParts();
    if (heap || ReferenceMover.concerns(memory)) {
      part.fill((byte) 0);
    }
    DataBuffer data = new DataBuffer(part, heap ? new VlenHeap() : VlenHeap.none());
    Selection selection = end.length == 0 ? Selection.all() : Selection.box(start, count);
    Memory box =
        new Memory(
            memory,
            end.length == 0 ? Dataspace.scalar() : Dataspace.simple(count),
            Selection.all(),
            data);
    await(from.readIntoAsync(selection, box, TransferOptions.DEFAULT));
    references.move(memory, data, elements);
    await(to.writeAsync(selection, box, TransferOptions.DEFAULT));
    return elements;
  }

  private static void await(CompletableFuture<Void> stage) {
    try {
      stage.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof HyperslabException typed) {
        throw typed;
      }
      throw failed;
    }
  }

  private static boolean advance(long[] at, long[] start, long[] box, long[] end) {
    for (int d = end.length - 1; d >= 0; d--) {
      at[d] += box[d];
      if (at[d] < end[d]) {
        return true;
      }
      at[d] = start[d];
    }
    return false;
  }
}
