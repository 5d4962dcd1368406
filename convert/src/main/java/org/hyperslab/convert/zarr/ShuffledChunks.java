package org.hyperslab.convert.zarr;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Dataset;
import org.hyperslab.convert.hdf5.Hdf5Elements;
import org.hyperslab.convert.model.Boxes.Box;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.numpy.NumpyElements;
import org.hyperslab.convert.zarr.codec.StageCodec;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.RawChunk;

/**
 * Stored chunks of a dataset with the filters shuffle and deflate, which become Blosc containers
 * without being encoded again. A container with one block that is not split holds a zlib stream of
 * the shuffled chunk, as HDF5 stores it. Each stream is decoded once to check it.
 *
 * <p>Thread rule: any thread.
 *
 * @param dataset the dataset
 * @param stored the first elements of the chunks that have all filters and are not too long
 * @param written what {@code ElementReader.stored} returns, from the same listing of chunks
 * @param chunkBytes the size of a chunk in bytes, without filters
 * @param elementBytes the size of an element in bytes
 * @param deflate decodes the streams
 */
record ShuffledChunks(
    Dataset dataset,
    Set<List<Long>> stored,
    Optional<List<Box>> written,
    int chunkBytes,
    int elementBytes,
    StageCodec deflate) {

  private static final int SHUFFLE = 2;
  private static final int DEFLATE = 1;

  /** The header, the position of the block, and the length of its stream. */
  private static final int PREFIX_BYTES = 24;

  private static final int MAX_BLOSC_ELEMENT_BYTES = 255;
  private static final int MAX_CHUNK_BYTES = 1 << 30;
  private static final byte VERSION = 2;
  private static final byte ZLIB_UNSPLIT_SHUFFLED = 3 << 5 | 0x10 | 0x1;

  /**
   * Finds the chunks of an array that can be copied.
   *
   * @param array an array whose elements have the same bytes in the file and in NumPy
   * @param chunk the shape of its chunks
   * @param work the limits
   * @return the chunks; empty if the array has other filters, or its elements are converted
   */
  static Optional<ShuffledChunks> of(NumpyElements array, long[] chunk, ConversionRun work) {
    Variable variable = array.variable();
    int size = array.elementBytes();
    List<Integer> ids = variable.traits().filters().stream().map(FilterSpec::id).toList();
    if (!(variable.elements() instanceof Hdf5Elements elements)
        || !ids.equals(List.of(SHUFFLE, DEFLATE))
        || !array.isStoredForm()
        || size < 2
        || size > MAX_BLOSC_ELEMENT_BYTES
        || !Arrays.equals(chunk, elements.chunk())
        || Dataspace.product(chunk) > Math.min(MAX_CHUNK_BYTES, work.memoryBytes()) / size) {
      return Optional.empty();
    }
    int bytes = (int) Dataspace.product(chunk) * size;
    Set<List<Long>> stored = new HashSet<>();
    List<Box> written = new ArrayList<>();
    elements.listChunks((info, box) -> {
      if (elements.sparse()) {
        written.add(box);
      }
      if (info.filterMask() == 0 && info.storedBytes() <= bytes - PREFIX_BYTES) {
        stored.add(info.offset());
      }
    });
    StageCodec deflate = new StageCodec(FilterStage.mandatory(DEFLATE, 1));
    Optional<List<Box>> listed = elements.sparse() ? Optional.of(written) : Optional.empty();
    return Optional.of(
        new ShuffledChunks(elements.dataset(), stored, listed, bytes, size, deflate));
  }

  /** Returns whether a chunk can be copied. */
  boolean has(Box box) {
    return stored.contains(Arrays.stream(box.start()).boxed().toList());
  }

  /**
   * Returns a chunk as a Blosc container.
   *
   * @throws org.hyperslab.error.CorruptFileException if it cannot be decoded
   */
  byte[] container(Box box) {
    RawChunk raw = dataset.readChunk(box.start());
    MemorySegment stream = raw.bytes();
    deflate.check(stream, chunkBytes, dataset.path() + Arrays.toString(box.start()));
    int length = Math.addExact(PREFIX_BYTES, Math.toIntExact(stream.byteSize()));
    byte[] container = new byte[length];
    ByteBuffer.wrap(container)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(VERSION)
        .put((byte) 1)
        .put(ZLIB_UNSPLIT_SHUFFLED)
        .put((byte) elementBytes)
        .putInt(chunkBytes)
        .putInt(chunkBytes)
        .putInt(length)
        .putInt(PREFIX_BYTES - Integer.BYTES)
        .putInt(length - PREFIX_BYTES);
    MemorySegment.copy(
        stream, ValueLayout.JAVA_BYTE, 0, container, PREFIX_BYTES, length - PREFIX_BYTES);
    return container;
  }
}
