package org.hyperslab.plugins.libhdf5.callback;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.Layout;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.RawChunk;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.vol.DatasetOperation;

/**
 * The optional operations on datasets, with the numbers of {@code H5VLnative.h}: information about
 * chunks, and stored chunks.
 */
public final class DatasetOptionalCallbacks {

  static final int INDEX_TYPE = 1;
  static final int CHUNK_BYTES = 2;
  static final int CHUNK_COUNT = 3;
  static final int CHUNK_BY_INDEX = 4;
  static final int CHUNK_BY_PLACE = 5;
  static final int READ_CHUNK = 6;
  static final int WRITE_CHUNK = 7;
  static final int OFFSET = 9;
  static final int EACH_CHUNK = 10;

  private static final long NO_ADDRESS = -1;

  private final Bridge bridge;

  public DatasetOptionalCallbacks(Bridge bridge) {
    this.bridge = bridge;
  }

  static boolean has(int operation) {
    return operation >= INDEX_TYPE && operation <= EACH_CHUNK && operation != 8;
  }

  /** Answers the callback {@code dataset.optional.call} of libhdf5. */
  public long call(long pointer, long args) {
    BridgeObject.OfObject dataset = bridge.objects.get(pointer, BridgeObject.OfObject.class);
    long a = RawMemory.getLong(args + 8);
    if (RawMemory.getInt(args) != OFFSET) {
      requireChunks(dataset);
    }
    switch (RawMemory.getInt(args)) {
      case INDEX_TYPE ->
          RawMemory.setInt(
              RawMemory.getLong(a), indexType(dataset.dataset().current().storage().chunkIndex()));
      case CHUNK_BYTES -> {
        ChunkInfo chunk = required(dataset, start(dataset, RawMemory.getLong(a)));
        RawMemory.setLong(RawMemory.getLong(a + 8), chunk.storedBytes());
      }
      case CHUNK_COUNT ->
          RawMemory.setLong(
              RawMemory.getLong(a + 8), dataset.dataset().current().storage().chunkCount());
      case CHUNK_BY_INDEX -> byIndex(dataset, a);
      case CHUNK_BY_PLACE -> {
        ChunkInfo chunk =
            find(dataset, start(dataset, RawMemory.getLong(a)))
                .orElse(new ChunkInfo(List.of(), NO_ADDRESS, 0, 0));
        put(chunk, a + 8);
      }
      case READ_CHUNK -> read(dataset, a);
      case WRITE_CHUNK -> write(dataset, a);
      case OFFSET ->
          RawMemory.setLong(RawMemory.getLong(a), dataset.dataset().current().storage().offset());
      case EACH_CHUNK -> {
        return each(dataset, RawMemory.getLong(a), RawMemory.getLong(a + 8));
      }
      default -> throw FileCallbacks.unknown("optional operation", RawMemory.getInt(args));
    }
    return 0;
  }

  private static void requireChunks(BridgeObject.OfObject dataset) {
    Layout layout = dataset.dataset().info().options().layout();
    if (!(layout instanceof Layout.Chunked)) {
      throw new InvalidUseException(
          "chunks of a dataset: actual="
              + layout.getClass().getSimpleName()
              + ", expected=Chunked");
    }
  }

  /** Returns the number in {@code H5D_chunk_index_t} of an index's name in this project. */
  private static int indexType(String name) {
    return switch (name) {
      case "single chunk" -> 1;
      case "implicit" -> 2;
      case "fixed array" -> 3;
      case "extensible array" -> 4;
      case "version 2 B-tree" -> 5;
      default -> 0;
    };
  }

  private static List<Long> offset(BridgeObject.OfObject dataset, long address) {
    int rank = dataset.dataset().space().rank();
    List<Long> offset = new ArrayList<>(rank);
    for (int i = 0; i < rank; i++) {
      offset.add(RawMemory.getLong(address + 8L * i));
    }
    return offset;
  }

  /** Returns the first element of the chunk that holds the element at an address. */
  private static List<Long> start(BridgeObject.OfObject dataset, long address) {
    List<Long> start = offset(dataset, address);
    if (dataset.dataset().info().options().layout() instanceof Layout.Chunked chunks) {
      for (int i = 0; i < start.size(); i++) {
        start.set(i, start.get(i) - Math.floorMod(start.get(i), chunks.dims().get(i)));
      }
    }
    return start;
  }

  private static Page<ChunkInfo> page(BridgeObject.OfObject dataset, long position, int limit) {
    return dataset
        .file()
        .call(
            new DatasetOperation.ListChunks(
                dataset.handle(), new PageRequest(IterationIndex.NAME, false, position, limit)));
  }

  private static Optional<ChunkInfo> first(
      BridgeObject.OfObject dataset, Predicate<ChunkInfo> wanted) {
    for (long position = 0; ; position += PageRequest.DEFAULT_LIMIT) {
      Page<ChunkInfo> page = page(dataset, position, PageRequest.DEFAULT_LIMIT);
      Optional<ChunkInfo> found = page.entries().stream().filter(wanted).findFirst();
      if (found.isPresent() || page.last()) {
        return found;
      }
    }
  }

  private static Optional<ChunkInfo> find(BridgeObject.OfObject dataset, List<Long> offset) {
    return first(dataset, chunk -> chunk.offset().equals(offset));
  }

  private static ChunkInfo required(BridgeObject.OfObject dataset, List<Long> offset) {
    return find(dataset, offset)
        .orElseThrow(() ->
            new NotFoundException(
                "chunk: actual=none at " + offset + ", expected=a stored " + "chunk"));
  }

  private static void byIndex(BridgeObject.OfObject dataset, long a) {
    long index = RawMemory.getLong(a + 8);
    List<ChunkInfo> entries = page(dataset, Math.max(0, index), 1).entries();
    if (entries.isEmpty()) {
      throw new NotFoundException(
          "chunk: actual=number " + index + ", expected=less than the " + "number of chunks");
    }
    long offset = RawMemory.getLong(a + 16);
    ChunkInfo chunk = entries.getFirst();
    for (int i = 0; offset != 0 && i < chunk.offset().size(); i++) {
      RawMemory.setLong(offset + 8L * i, chunk.offset().get(i));
    }
    put(chunk, a + 24);
  }

  /** Stores filter mask, address and size through pointers, each unless it is null. */
  private static void put(ChunkInfo chunk, long pointers) {
    long mask = RawMemory.getLong(pointers);
    long address = RawMemory.getLong(pointers + 8);
    long size = RawMemory.getLong(pointers + 16);
    if (mask != 0) {
      RawMemory.setInt(mask, chunk.filterMask());
    }
    if (address != 0) {
      RawMemory.setLong(address, chunk.address());
    }
    if (size != 0) {
      RawMemory.setLong(size, chunk.storedBytes());
    }
  }

  /**
   * Reads a stored chunk. HDF5 2 passes a pointer to the size of the buffer, at which it expects
   * the size of the chunk; a buffer that is too small, or null, receives nothing.
   */
  private void read(BridgeObject.OfObject dataset, long a) {
    RawChunk chunk =
        dataset
            .file()
            .call(
                new DatasetOperation.ReadChunk(
                    dataset.handle(), offset(dataset, RawMemory.getLong(a))));
    RawMemory.setInt(a + 8, chunk.filterMask());
    long buffer = RawMemory.getLong(a + 16);
    long bytes = chunk.bytes().byteSize();
    if (bridge.hdf5.isVersion2()) {
      long size = RawMemory.getLong(a + 24);
      long room = size == 0 ? bytes : RawMemory.getLong(size);
      if (size != 0) {
        RawMemory.setLong(size, bytes);
      }
      if (buffer == 0 || Long.compareUnsigned(room, bytes) < 0) {
        return;
      }
    }
    RawMemory.at(buffer, bytes).copyFrom(chunk.bytes());
  }

  /** Writes a stored chunk, whose size has 4 bytes in HDF5 1.14 and 8 in HDF5 2. */
  private void write(BridgeObject.OfObject dataset, long a) {
    boolean wide = bridge.hdf5.isVersion2();
    long bytes =
        wide ? RawMemory.getLong(a + 16) : Integer.toUnsignedLong(RawMemory.getInt(a + 12));
    long buffer = RawMemory.getLong(wide ? a + 24 : a + 16);
    RawChunk chunk = new RawChunk(RawMemory.at(buffer, bytes), RawMemory.getInt(a + 8));
    dataset
        .file()
        .call(
            new DatasetOperation.WriteChunk(
                dataset.handle(), offset(dataset, RawMemory.getLong(a)), chunk));
  }

  private long each(BridgeObject.OfObject dataset, long operator, long context) {
    CFunction call = CFunction.at(operator);
    int rank = dataset.dataset().space().rank();
    try (Arena arena = Arena.ofConfined()) {
      long offset = arena.allocate(8L * rank, 8).address();
      int[] result = new int[1];
      first(
          dataset,
          chunk -> {
            for (int i = 0; i < rank; i++) {
              RawMemory.setLong(offset + 8L * i, chunk.offset().get(i));
            }
            result[0] =
                (int)
                    call.call(
                        offset, chunk.filterMask(), chunk.address(), chunk.storedBytes(), context);
            return result[0] != 0;
          });
      return result[0];
    }
  }
}
