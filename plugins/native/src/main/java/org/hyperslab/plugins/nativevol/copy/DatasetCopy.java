package org.hyperslab.plugins.nativevol.copy;

import java.util.function.LongUnaryOperator;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.nativevol.dataset.NativeDataset;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.plugins.nativevol.storage.RawCopy;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Copies the elements of a dataset to a new one of the same type, extent and layout. Elements are
 * copied as stored where their bytes mean the same in both files, and one by one where they hold
 * references or addresses.
 *
 * <p>Thread rule: under the destination's write lock and the source's read lock, with no pending
 * changes in the source's chunk cache.
 */
final class DatasetCopy {

  private static final int STRIP_BYTES = 1 << 20;

  /** The most bytes of variable-length values that several elements may have in memory. */
  private static final int HEAP_BYTES = 16 << 20;

  private final NativeDataset from;
  private final NativeDataset to;
  private final Datatype memoryType;
  private final ReferenceMapper references;

  /**
   * Creates a copy; {@link #run} carries it out.
   *
   * @param from the dataset to copy
   * @param to the copy
   * @param tokens maps an object's token in the source file to that in the destination; 0 if it has
   *     none
   */
  public DatasetCopy(NativeDataset from, NativeDataset to, LongUnaryOperator tokens) {
    this.from = from;
    this.to = to;
    this.memoryType = from.description().type().inMemory();
    this.references = new ReferenceMapper(memoryType, tokens);
  }

  /** Copies the elements. */
  public void run() {
    DatasetDescription source = from.description();
    boolean plain = !source.type().hasOutOfLineParts() && !references.isNeeded();
    boolean elsewhere = source.external().isPresent();
    switch (source.layout().layout()) {
      case DataLayoutMessage.Virtual _ -> {}
      case DataLayoutMessage.Compact compact when plain -> copyCompact(compact);
      case DataLayoutMessage.Contiguous contiguous when plain || elsewhere -> {
        if (!elsewhere) {
          copyContiguous(contiguous, source.totalBytes());
        }
      }
      case DataLayoutMessage.Chunked _ when plain -> to.copyChunks(from);
      case DataLayoutMessage.Chunked _ -> copyChunkElements();
      case DataLayoutMessage.Contiguous contiguous -> copyContiguousElements(contiguous);
      case DataLayoutMessage.Compact _ -> {
        if (source.space().elementCount() > 0) {
          copyRange(source.space().dims(), source.space().elementCount());
        }
      }
    }
  }

  private void copyCompact(DataLayoutMessage.Compact compact) {
    to.header().replaceLayout(new DataLayoutMessage.Compact(compact.data()));
  }

  private void copyContiguous(DataLayoutMessage.Contiguous source, long bytes) {
    if (source.address() == FileGeometry.UNDEFINED || bytes == 0) {
      return;
    }
    to.allocate();
    long target = ((DataLayoutMessage.Contiguous) to.description().layout().layout()).address();
    new RawCopy(from.file().raw(), to.file().raw(), to.header().context().resources())
        .run(source.address(), target, bytes);
  }

  /**
   * Copies element by element, as far as the source's file extends; elements that were only
   * allocated read as zeros in both.
   *
   * @throws CorruptFileException if the file holds not even one element and they were not allocated
   *     just now
   */
  private void copyContiguousElements(DataLayoutMessage.Contiguous source) {
    DatasetDescription description = from.description();
    Dataspace space = description.space();
    long elements = space.elementCount();
    if (source.address() == FileGeometry.UNDEFINED || elements == 0) {
      return;
    }
    int size = description.type().size();
    long stored = from.file().raw().storedBytes(source.address(), description.totalBytes());
    boolean fresh = from.file().raw().isFresh(source.address(), description.totalBytes());
    if (stored < size && !fresh) {
      throw new CorruptFileException(
          from.file().name(),
          "contiguous storage",
          source.address(),
          "bytes in the file actual=" + stored + ", expected=at least an element of " + size);
    }
    if (stored / size < elements) {
      to.allocate();
    }
    if (stored >= size) {
      copyRange(space.dims(), Math.min(elements, stored / size));
    }
  }

  /** Copies the first {@code elements} elements in row-major order, in small boxes. */
  private void copyRange(long[] dims, long elements) {
    if (dims.length == 0) {
      copyStrip(dims, dims, 1);
      return;
    }
    copyBoxes(new long[dims.length], dims, elements);
  }

  /** Copies the elements of the chunks that the source has; other chunks are not allocated. */
  private void copyChunkElements() {
    long[] dims = from.description().space().dims();
    from.requireChunks()
        .listing()
        .forEachInside((origin, chunkDims) -> {
          long[] count = new long[dims.length];
          for (int d = 0; d < dims.length; d++) {
            count[d] = Math.min(chunkDims[d], dims[d] - origin[d]);
          }
          copyBoxes(origin, count, Long.MAX_VALUE);
        });
  }

  /**
   * Copies a box in parts of {@link #STRIP_BYTES} bytes or of one element, in row-major order.
   *
   * @param most the number of elements after which the copy ends
   */
  private void copyBoxes(long[] origin, long[] count, long most) {
    int cut = count.length - 1;
    long inner = 1; // elements of a box of length 1 in dimension cut
    long fitting = Math.max(1, STRIP_BYTES / memoryType.size());
    while (cut > 0 && count[cut] <= fitting / inner) {
      inner *= count[cut--];
    }
    long step = Math.clamp(fitting / inner, 1, count[cut]);
    long[] at = new long[count.length];
    for (long left = most; left > 0; ) {
      long[] start = new long[count.length];
      long[] box = count.clone();
      for (int d = 0; d < count.length; d++) {
        start[d] = origin[d] + at[d];
        if (d < cut) {
          box[d] = 1;
        }
      }
      box[cut] = Math.min(step, count[cut] - at[cut]);
      box[cut] = Math.min(box[cut], Math.max(1, left / inner));
      copyStrip(start, box, inner * box[cut]);
      left -= inner * box[cut];
      at[cut] += box[cut];
      for (int d = cut; at[d] == count[d]; d--) {
        if (d == 0) {
          return;
        }
        at[d] = 0;
        at[d - 1]++;
      }
    }
  }

  /** Copies a box, in halves if its variable-length values take more than {@link #HEAP_BYTES}. */
  private void copyStrip(long[] start, long[] box, long elements) {
    VlenHeap heap = memoryType.hasOutOfLineParts() ? heapFor(elements) : VlenHeap.none();
    DataBuffer buffer = new DataBuffer(DataBuffer.allocate(memoryType, elements).elements(), heap);
    Transfer transfer =
        new Transfer(
            memoryType,
            Dataspace.simple(elements),
            Selection.all(),
            box.length == 0 ? Selection.all() : Selection.box(start, box),
            TransferOptions.DEFAULT);
    try {
      from.read(transfer, buffer);
    } catch (HyperslabException failure) {
      if (elements == 1 || !heap.isExhausted()) {
        throw failure;
      }
      copyHalves(start, box, elements);
      return;
    }
    references.map(buffer, elements);
    to.write(transfer, buffer);
  }

  private static VlenHeap heapFor(long elements) {
    return elements == 1 ? new VlenHeap() : new VlenHeap(HEAP_BYTES);
  }

  private void copyHalves(long[] start, long[] box, long elements) {
    int cut = 0;
    while (box[cut] == 1) {
      cut++;
    }
    long[] first = box.clone();
    long[] second = box.clone();
    long[] middle = start.clone();
    first[cut] = box[cut] / 2;
    second[cut] = box[cut] - first[cut];
    middle[cut] += first[cut];
    copyStrip(start, first, elements / box[cut] * first[cut]);
    copyStrip(middle, second, elements / box[cut] * second[cut]);
  }
}
