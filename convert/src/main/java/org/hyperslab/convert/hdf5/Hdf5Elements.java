package org.hyperslab.convert.hdf5;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.hyperslab.Dataset;
import org.hyperslab.Memory;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.Boxes.Box;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;

/**
 * Reads the elements of a dataset, in whole chunks if it is chunked.
 *
 * @param dataset the open dataset
 * @param type the type of its elements
 * @param chunk the shape of its chunks; empty if it has none
 * @param sparse whether most elements were never written and have the fill value
 */
public record Hdf5Elements(Dataset dataset, Datatype type, long[] chunk, boolean sparse)
    implements ElementReader {

  /** The greatest number of chunks that are listed in memory. */
  private static final long MAX_LISTED = 1 << 20;

  /**
   * Returns the reader of a dataset.
   *
   * @param dataset the open dataset
   * @param info its properties, with the number of its chunks
   */
  static Hdf5Elements of(Dataset dataset, DatasetInfo info) {
    long[] chunk =
        info.options().layout() instanceof Layout.Chunked c ? c.dimsArray() : new long[0];
    return new Hdf5Elements(dataset, info.type(), chunk, isSparse(info, chunk));
  }

  private static boolean isSparse(DatasetInfo info, long[] chunk) {
    boolean isFilled = info.options().fillTime() != FillValue.Time.NEVER;
    boolean keepsFill =
        !info.type().hasOutOfLineParts() || !(info.options().fill() instanceof FillValue.Value);
    if (!isFilled || !keepsFill || info.space().elementCount() == 0) {
      return false;
    }
    DatasetInfo.StorageInfo storage = info.storage();
    return switch (info.options().layout()) {
      case Layout.Contiguous _ -> storage.allocatedBytes() == 0 && storage.offset() == -1;
      case Layout.Chunked _ ->
          !storage.chunkIndex().isEmpty() // else the connector does not know the chunks
              && storage.chunkCount() >= 0
              && storage.chunkCount() <= MAX_LISTED
              && storage.chunkCount() <= chunkCount(info.space().dims(), chunk) / 2;
      default -> false;
    };
  }

  private static long chunkCount(long[] dims, long[] chunk) {
    double count = 1; // which may exceed the range of a long
    for (int d = 0; d < dims.length; d++) {
      count *= Math.ceilDiv(dims[d], chunk[d]);
    }
    return (long) count;
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    if (start.length == 0) {
      dataset.readInto(
          Selection.all(), new Memory(type, Dataspace.scalar(), Selection.all(), target));
      return;
    }
    Memory memory = new Memory(type, Dataspace.simple(count), Selection.all(), target);
    dataset.readInto(Selection.box(start, count), memory);
  }

  @Override
  public long[] block(long[] dims, long most) {
    return chunk.length == 0 ? Boxes.rows(dims, most) : Boxes.ofUnits(dims, chunk, most);
  }

  @Override
  public Optional<List<Box>> stored() {
    if (!sparse) {
      return Optional.empty();
    }
    if (chunk.length == 0) {
      return Optional.of(List.of());
    }
    List<Box> boxes = new ArrayList<>();
    listChunks((_, box) -> boxes.add(box));
    return Optional.of(boxes);
  }

  /**
   * Lists the chunks that are stored and have elements.
   *
   * @param visitor receives each chunk and the box of its elements
   */
  public void listChunks(BiConsumer<ChunkInfo, Box> visitor) {
    long[] dims = dataset.space().dims();
    dataset
        .chunks()
        .forEach(info -> {
          Box box = box(info, dims);
          if (Arrays.stream(box.count()).allMatch(count -> count > 0)) {
            visitor.accept(info, box);
          }
        });
  }

  private Box box(ChunkInfo info, long[] dims) {
    long[] start = info.offset().stream().mapToLong(Long::longValue).toArray();
    long[] count = new long[dims.length];
    Arrays.setAll(count, d -> Math.min(chunk[d], dims[d] - start[d]));
    return new Box(start, count);
  }
}
