package org.hyperslab.convert.model;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.memory.LruCache;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.convert.Conversion;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Reads selected elements of variables, block by block, where a block is a chunk of the variable.
 * Decoded blocks without variable-length data are kept as long as there is room.
 *
 * <p>Thread rule: any thread.
 */
public final class DecodedBlocks {

  /** The part of the memory that may be used in which blocks are kept. */
  private static final int KEPT_SHARE = 2;

  /** A block of a variable, by its number along each dimension. */
  private record Key(String path, List<Long> number) {}

  /** The size of a block of a variable without chunks. */
  private static final long CONTIGUOUS_BYTES = 1 << 20;

  private final long memoryBytes;
  private final LruCache<Key, DataBuffer> kept;

  /**
   * Creates a reader without blocks.
   *
   * @param memoryBytes the maximum size of one block in bytes; half as much is kept of all
   */
  public DecodedBlocks(long memoryBytes) {
    this.memoryBytes = memoryBytes;
    this.kept = new LruCache<>(memoryBytes / KEPT_SHARE);
  }

  /**
   * Reads elements of a variable, and converts them.
   *
   * @param variable the variable
   * @param transfer the selected elements, and where they belong
   * @param target receives the elements
   * @throws UnsupportedFeatureException if a block is larger than the memory
   * @throws org.hyperslab.error.InvalidUseException if the transfer does not fit the variable
   */
  public void read(Variable variable, Transfer transfer, DataBuffer target) {
    if (transfer.requireFits(variable.space(), target) == 0) {
      return;
    }
    Datatype type = variable.type().inMemory();
    Converter converter = Converter.between(type, transfer.memoryType());
    long[] dims = variable.space().dims();
    if (dims.length == 0) {
      DataBuffer block = read(variable, dims, dims);
      RunPairs pairs =
          RunPairs.of(
              transfer.fileSelection(),
              dims,
              transfer.memorySelection(),
              transfer.memorySpace().dims());
      move(pairs, converter, block, target);
      return;
    }
    long[] chunk = variable.traits().chunk().stream().mapToLong(Long::longValue).toArray();
    if (chunk.length == 0) { // contiguous in its file
      chunk = Boxes.rows(dims, Math.max(1, CONTIGUOUS_BYTES / variable.type().memorySize()));
    }
    Iterator<ChunkPiece> pieces = transfer.fileSelection().chunks(dims, chunk);
    while (pieces.hasNext()) {
      ChunkPiece piece = pieces.next();
      RunPairs pairs = piece.pairs(transfer.memorySelection(), transfer.memorySpace().dims());
      move(pairs, converter, block(variable, piece.scaled(), chunk), target);
    }
  }

  private static void move(RunPairs pairs, Converter converter, DataBuffer from, DataBuffer to) {
    Conversion conversion = converter.open(from.heap(), to.heap());
    int fromSize = converter.source().size();
    int toSize = converter.destination().size();
    MemorySegment source = from.elements();
    MemorySegment target = to.elements();
    while (pairs.next()) {
      long at = pairs.fileOffset() * fromSize;
      long into = pairs.memoryOffset() * toSize;
      if (converter.isNoOp()) {
        MemorySegment.copy(source, at, target, into, pairs.length() * fromSize);
      } else {
        conversion.convert(source, at, target, into, pairs.length());
      }
    }
  }

  private DataBuffer block(Variable variable, long[] number, long[] chunk) {
    Key key = new Key(variable.path(), Arrays.stream(number).boxed().toList());
    synchronized (kept) {
      DataBuffer known = kept.get(key);
      if (known != null) {
        return known;
      }
    }
    DataBuffer block = whole(variable, number, chunk);
    if (!variable.type().hasOutOfLineParts()) {
      synchronized (kept) {
        kept.put(key, block, block.elements().byteSize());
      }
    }
    return block;
  }

  /** Reads a block in the shape of a chunk; what lies beyond the edges of the variable is zero. */
  private DataBuffer whole(Variable variable, long[] number, long[] chunk) {
    long[] dims = variable.space().dims();
    long[] start = new long[dims.length];
    long[] count = new long[dims.length];
    for (int d = 0; d < dims.length; d++) {
      start[d] = number[d] * chunk[d];
      count[d] = Math.min(chunk[d], dims[d] - start[d]);
    }
    DataBuffer inside = read(variable, start, count);
    if (Arrays.equals(count, chunk)) {
      return inside;
    }
    DataBuffer block = buffer(variable, chunk, inside.heap());
    int size = variable.type().memorySize();
    Boxes.runs(
        chunk,
        new long[dims.length],
        count,
        (inBlock, at, run) ->
            MemorySegment.copy(
                inside.elements(), at * size, block.elements(), inBlock * size, run * size));
    return block;
  }

  private DataBuffer read(Variable variable, long[] start, long[] count) {
    VlenHeap heap =
        variable.type().hasOutOfLineParts() ? new VlenHeap(memoryBytes) : VlenHeap.none();
    DataBuffer elements = buffer(variable, count, heap);
    variable.elements().read(start, count, elements);
    return elements;
  }

  private DataBuffer buffer(Variable variable, long[] shape, VlenHeap heap) {
    int size = variable.type().memorySize();
    long most = Math.min(memoryBytes, Integer.MAX_VALUE - 8) / size;
    double elements = 1; // which may exceed the range of a long
    for (long length : shape) {
      elements *= length;
    }
    if (elements > most) {
      throw new UnsupportedFeatureException(
          "chunk of Zarr: actual="
              + Arrays.toString(shape)
              + " elements of "
              + size
              + " bytes, expected<="
              + most
              + " elements, at="
              + variable.path());
    }
    byte[] bytes = new byte[(int) (Dataspace.product(shape) * size)];
    return new DataBuffer(MemorySegment.ofArray(bytes), heap);
  }
}
