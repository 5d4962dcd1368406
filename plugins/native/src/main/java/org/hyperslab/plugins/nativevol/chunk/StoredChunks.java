package org.hyperslab.plugins.nativevol.chunk;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.index.grid.ChunkIndexKind;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.model.RawChunk;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.storage.RawCopy;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * Reads and writes chunks of a dataset as they are stored, without their filters.
 *
 * <p>Thread rule: reading under the file's read lock, writing under its write lock.
 */
public final class StoredChunks {

  private final DatasetChunks chunks;
  private final NativeFile file;
  private final TransferResources resources;
  private final ChunkShape shape;

  StoredChunks(DatasetChunks chunks, NativeFile file, TransferResources resources) {
    this.chunks = chunks;
    this.file = file;
    this.resources = resources;
    this.shape = chunks.shape();
  }

  /**
   * {@return the chunk at an offset}
   *
   * @param offset the offset of its first element, in elements
   * @throws NotFoundException if it is not allocated
   * @throws InvalidUseException if no chunk begins there, or if it is too large for an array
   */
  public RawChunk read(List<Long> offset) {
    ChunkLocation location = chunks.find(scaledOf(offset));
    if (!location.isAllocated()) {
      throw new NotFoundException(
          "chunk: actual=not stored, expected=a stored chunk, at=" + offset + " of " + file.name());
    }
    if (location.storedBytes() > Integer.MAX_VALUE - 8) {
      throw new InvalidUseException(
          "chunk as stored: actual=" + location.storedBytes() + " bytes, expected=below 2 GiB");
    }
    chunks.require(location);
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) location.storedBytes()]);
    chunks.read(location.address(), bytes);
    return new RawChunk(bytes, location.filterMask());
  }

  /**
   * Stores a chunk as given.
   *
   * @param offset the offset of its first element, in elements
   * @param chunk the chunk as it is to be stored
   * @throws InvalidUseException if no chunk begins there, or if the size is invalid: zero, or
   *     without filters not that of a chunk
   */
  public void write(List<Long> offset, RawChunk chunk) {
    long[] scaled = scaledOf(offset);
    requireSize(scaled, chunk.bytes().byteSize());
    int mask = shape.isFiltered(scaled, chunks.extent()) ? chunk.filterMask() : 0;
    chunks.put(scaled, chunk.bytes(), mask, false);
    chunks.transfers().forget(scaled);
  }

  private void requireSize(long[] scaled, long bytes) {
    if (!shape.isFiltered(scaled, chunks.extent()) && bytes != shape.chunkBytes()) {
      throw new InvalidUseException(
          "chunk without filters: actual=" + bytes + " bytes, expected=" + shape.chunkBytes());
    }
    if (bytes == 0) {
      throw new InvalidUseException("chunk as stored: actual=0 bytes, expected=at least 1");
    }
  }

  private long[] scaledOf(List<Long> offset) {
    long[] extent = chunks.extent();
    if (offset.size() != extent.length) {
      throw new InvalidUseException(
          "chunk offset: actual=rank " + offset.size() + ", expected=rank " + extent.length);
    }
    long[] scaled = new long[extent.length];
    for (int d = 0; d < scaled.length; d++) {
      long at = offset.get(d);
      if (at < 0 || at >= extent[d] || at % shape.chunkDims()[d] != 0) {
        throw new InvalidUseException(
            "chunk offset in dimension "
                + d
                + ": actual="
                + at
                + ", expected=a multiple of "
                + shape.chunkDims()[d]
                + " below "
                + extent[d]);
      }
      scaled[d] = at / shape.chunkDims()[d];
    }
    return scaled;
  }

  /**
   * Copies the chunks of a dataset of the same type, extent and layout. Chunks that it has not
   * allocated are not allocated here either. Also requires the read lock of the source's file.
   *
   * @param source the chunks of the other dataset
   */
  public void copyFrom(StoredChunks source) {
    if (chunks.kind() == ChunkIndexKind.IMPLICIT
        && source.chunks.kind() == ChunkIndexKind.IMPLICIT) {
      copyBlock(source);
      return;
    }
    long[] extent = chunks.extent();
    RawCopy copy = copyOf(source);
    source
        .chunks
        .index()
        .forEach((scaled, location) -> {
          if (!shape.isOutside(scaled, extent)) {
            source.chunks.require(location);
            ChunkLocation place =
                chunks.place(scaled.clone(), location.storedBytes(), location.filterMask());
            copy.run(location.address(), place.address(), location.storedBytes());
          }
          return true;
        });
  }

  /** Copies the space of an implicit index, as far as the source's file extends. */
  private void copyBlock(StoredChunks source) {
    long from = source.chunks.index().rootAddress();
    if (from == FileGeometry.UNDEFINED || !chunks.index().create()) {
      return;
    }
    chunks.layoutChanged();
    copyOf(source).run(from, chunks.index().rootAddress(), chunks.blockBytes());
  }

  private RawCopy copyOf(StoredChunks source) {
    return new RawCopy(source.file.raw(), file.raw(), resources);
  }
}
