package org.hyperslab.plugins.nativevol.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.plugins.nativevol.chunk.DatasetChunks;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.raw.ChunkPlace;
import org.hyperslab.plugins.nativevol.raw.RawStorage;

/** Gives ranks that transfer raw data themselves access to the bytes of a dataset. */
final class NativeRawStorage implements RawStorage {

  private final NativeDataset dataset;
  private final NativeFile file;

  NativeRawStorage(NativeDataset dataset) {
    this.dataset = dataset;
    this.file = dataset.file();
    file.raw().keepPlaces();
  }

  private DataLayoutMessage.Layout layout() {
    return dataset.description().layout().layout();
  }

  @Override
  public long contiguousOffset() {
    return file.read(() -> {
      boolean here =
          layout() instanceof DataLayoutMessage.Contiguous contiguous
              && dataset.description().external().isEmpty()
              && contiguous.address() != FileGeometry.UNDEFINED;
      return here ? file.baseAddress() + ((DataLayoutMessage.Contiguous) layout()).address() : -1;
    });
  }

  @Override
  public byte[] compactBytes() {
    return file.read(() ->
        layout() instanceof DataLayoutMessage.Compact compact
            ? compact.data().toByteArray()
            : new byte[0]);
  }

  @Override
  public List<ChunkPlace> chunks() {
    return file.read(() ->
        layout() instanceof DataLayoutMessage.Chunked
            ? dataset.requireChunks().listing().places()
            : List.of());
  }

  private <T> T edit(Supplier<T> action) {
    return file.edit(() -> {
      T result = action.get();
      file.raw().extendStore();
      return result;
    });
  }

  @Override
  public void allocate() {
    edit(() -> {
      dataset.allocate();
      return null;
    });
  }

  @Override
  public void reserve(long leastBytes, long mostBytes) {
    file.read(() -> {
      if (layout() instanceof DataLayoutMessage.Contiguous contiguous
          && contiguous.address() != FileGeometry.UNDEFINED
          && dataset.description().external().isEmpty()) {
        long bytes = dataset.description().totalBytes();
        if (leastBytes <= bytes && bytes <= mostBytes) {
          file.raw().reserve(contiguous.address(), bytes);
        }
      }
      return null;
    });
  }

  @Override
  public List<ChunkPlace> allocateChunks(List<long[]> scaled) {
    return edit(() -> {
      DatasetChunks chunks = dataset.requireChunks();
      List<ChunkPlace> places = new ArrayList<>();
      for (long[] each : scaled) {
        places.add(chunks.allocated(each));
      }
      return places;
    });
  }

  @Override
  public List<ChunkPlace> place(List<ChunkPlace> wanted) {
    return edit(() -> {
      DatasetChunks chunks = dataset.requireChunks();
      List<ChunkPlace> places = new ArrayList<>();
      for (ChunkPlace each : wanted) {
        places.add(chunks.placed(each));
      }
      return places;
    });
  }

  @Override
  public void settle() {
    edit(() -> {
      dataset.beforeFlush();
      return null;
    });
  }

  @Override
  public void fail(Throwable cause) {
    file.fail(cause);
  }
}
