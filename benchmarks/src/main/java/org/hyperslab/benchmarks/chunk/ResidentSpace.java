package org.hyperslab.benchmarks.chunk;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.BlockDecoder;
import org.hyperslab.format.metadata.MetadataBlock;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * A metadata space that holds every block in memory and never writes, so that a benchmark measures
 * only the index.
 *
 * <p>Thread rule: that of {@link MetadataSpace}.
 */
final class ResidentSpace implements MetadataSpace {

  private final ConcurrentHashMap<Long, MetadataBlock> blocks = new ConcurrentHashMap<>();
  private long end = 512;

  @Override
  public FileGeometry geometry() {
    return FileGeometry.standard("resident");
  }

  @Override
  public <B extends MetadataBlock> B load(
      long address, long sizeBytes, String structure, Class<B> type, BlockDecoder<B> decoder) {
    return type.cast(blocks.get(address));
  }

  @Override
  public <B extends MetadataBlock> Optional<B> cached(
      long address, String structure, Class<B> type) {
    return Optional.ofNullable(type.cast(blocks.get(address)));
  }

  @Override
  public byte[] peek(long address, int maximumBytes, String structure) {
    throw new IllegalStateException("nothing was ever written: " + structure + "@" + address);
  }

  @Override
  public void insert(long address, MetadataBlock block) {
    blocks.put(address, block);
  }

  @Override
  public void markDirty(long address, MetadataBlock block) {
    // Nothing is ever written.
  }

  @Override
  public void discard(long address) {
    blocks.remove(address);
  }

  @Override
  public long allocate(SpaceKind kind, long sizeBytes) {
    long address = end;
    end += sizeBytes;
    return address;
  }

  @Override
  public void free(SpaceKind kind, long address, long sizeBytes) {
    // Space is never reused.
  }
}
