package org.hyperslab.plugins.nativevol.data;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Copies the elements of a dataset to a new one of the same type, extent and layout: as stored
 * where bytes mean the same in both places, element by element where they hold references or
 * addresses.
 *
 * <p>Thread rule: under the destination's write lock and the source's read lock, with nothing
 * waiting in the source's chunk cache.
 */
public final class DatasetCopy {

  private static final int STRIP_BYTES = 1 << 20;

  private final NativeDataset from;
  private final NativeDataset to;
  private final LongUnaryOperator tokens;

  /**
   * A copy to be made.
   *
   * @param tokens from an object's token in the source file to that in the destination; 0 for none
   */
  public DatasetCopy(NativeDataset from, NativeDataset to, LongUnaryOperator tokens) {
    this.from = from;
    this.to = to;
    this.tokens = tokens;
  }

  /** Makes it. */
  public void run() {
    DatasetDescription source = from.description();
    Datatype memoryType = source.type().inMemory();
    ReferenceMapper references = new ReferenceMapper(memoryType, tokens);
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
      case DataLayoutMessage.Compact _, DataLayoutMessage.Chunked _ ->
          copyElements(memoryType, references);
      case DataLayoutMessage.Contiguous contiguous -> {
        if (contiguous.address() != FileGeometry.UNDEFINED) {
          copyElements(memoryType, references);
        }
      }
    }
  }

  private void copyCompact(DataLayoutMessage.Compact compact) {
    to.replaceLayout(new DataLayoutMessage.Compact(compact.data()));
  }

  private void copyContiguous(DataLayoutMessage.Contiguous source, long bytes) {
    if (source.address() == FileGeometry.UNDEFINED || bytes == 0) {
      return;
    }
    to.allocate();
    long target = ((DataLayoutMessage.Contiguous) to.description().layout().layout()).address();
    MemorySegment strip = MemorySegment.ofArray(new byte[(int) Math.min(bytes, STRIP_BYTES)]);
    long stored = from.context().file().storedBytes(source.address(), bytes);
    for (long done = 0; done < stored; done += STRIP_BYTES) {
      MemorySegment part = strip.asSlice(0, Math.min(STRIP_BYTES, stored - done));
      from.context().file().readRaw(source.address() + done, part);
      to.context().file().writeRaw(target + done, part);
    }
  }

  private void copyElements(Datatype memoryType, ReferenceMapper references) {
    Dataspace space = from.description().space();
    if (space.elementCount() == 0) {
      return;
    }
    if (space.rank() == 0) {
      copyStrip(memoryType, references, Selection.all(), 1);
      return;
    }
    long[] dims = space.dims();
    long rowElements = space.elementCount() / dims[0];
    long rows = Math.max(1, STRIP_BYTES / Math.max(1, rowElements * memoryType.size()));
    for (long row = 0; row < dims[0]; row += rows) {
      long[] start = new long[dims.length];
      long[] count = dims.clone();
      start[0] = row;
      count[0] = Math.min(rows, dims[0] - row);
      long elements = Arrays.stream(count).reduce(1, Math::multiplyExact);
      copyStrip(memoryType, references, Selection.box(start, count), elements);
    }
  }

  private void copyStrip(
      Datatype memoryType, ReferenceMapper references, Selection selection, long elements) {
    DataBuffer buffer = DataBuffer.allocate(memoryType, elements);
    Transfer transfer =
        new Transfer(
            memoryType,
            Dataspace.simple(elements),
            Selection.all(),
            selection,
            TransferOptions.DEFAULT);
    from.read(transfer, buffer);
    references.map(buffer, elements);
    to.write(transfer, buffer);
  }
}
