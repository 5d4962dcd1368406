package org.hyperslab.format.metadata;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * A {@link MetadataSpace} over a byte array, for tests. Blocks are cached until {@link #flush} or
 * {@link #evict}; allocation uses the first freed space that fits, then the end. Wrong use (freeing
 * twice, a block whose size changes, an insertion over a live block) is an {@link AssertionError}.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class MemoryMetadataSpace implements MetadataSpace {

  private final FileGeometry geometry;
  private final TreeMap<Long, MetadataBlock> blocks = new TreeMap<>();
  private final TreeSet<Long> dirty = new TreeSet<>();
  private final TreeMap<Long, Long> freeSizeByAddress = new TreeMap<>();
  private final TreeMap<Long, Long> allocatedSizeByAddress = new TreeMap<>();
  private final TreeMap<Long, Runnable> tasks = new TreeMap<>();
  private byte[] bytes;
  private long endOfFile;

  /** An empty file; address 0 is never allocated. */
  public MemoryMetadataSpace(FileGeometry geometry) {
    this(geometry, new byte[0]);
    this.endOfFile = 64;
  }

  /** The bytes of a file from its base address on; copied. */
  public MemoryMetadataSpace(FileGeometry geometry, byte[] content) {
    this.geometry = geometry;
    this.bytes = content.clone();
    this.endOfFile = content.length;
  }

  /** An empty file with 8-byte offsets and lengths. */
  public static MemoryMetadataSpace empty() {
    return new MemoryMetadataSpace(FileGeometry.standard("memory"));
  }

  @Override
  public FileGeometry geometry() {
    return geometry;
  }

  @Override
  public <B extends MetadataBlock> B load(
      long address, long sizeBytes, String structure, Class<B> type, BlockDecoder<B> decoder) {
    Optional<B> cached = cached(address, structure, type);
    if (cached.isPresent()) {
      return cached.get();
    }
    if (address < 0 || sizeBytes < 0 || sizeBytes > endOfFile || address > endOfFile - sizeBytes) {
      throw new CorruptFileException(
          geometry.file(),
          structure,
          address,
          "size actual=" + sizeBytes + ", expected=within end of file " + endOfFile);
    }
    MetadataReader reader =
        new MetadataReader(geometry, structure, copy(address, (int) sizeBytes), address);
    B block = decoder.decode(reader);
    blocks.put(address, block);
    return block;
  }

  @Override
  public <B extends MetadataBlock> Optional<B> cached(
      long address, String structure, Class<B> type) {
    MetadataBlock block = blocks.get(address);
    if (block == null) {
      return Optional.empty();
    }
    if (!type.isInstance(block)) {
      throw new CorruptFileException(
          geometry.file(),
          structure,
          address,
          "block actual="
              + block.getClass().getSimpleName()
              + ", expected="
              + type.getSimpleName());
    }
    return Optional.of(type.cast(block));
  }

  @Override
  public byte[] peek(long address, int maximumBytes, String structure) {
    if (address < 0 || address >= endOfFile) {
      throw new CorruptFileException(
          geometry.file(), structure, address, "address beyond end of file " + endOfFile);
    }
    return copy(address, (int) Math.min(maximumBytes, endOfFile - address));
  }

  @Override
  public void insert(long address, MetadataBlock block) {
    put(address, block);
    dirty.add(address);
  }

  @Override
  public void markDirty(long address, MetadataBlock block) {
    put(address, block);
    dirty.add(address);
  }

  @SuppressWarnings("ReferenceEquality") // a block is known by its identity
  private void put(long address, MetadataBlock block) {
    MetadataBlock previous = blocks.put(address, block);
    if (previous != null && previous != block) {
      throw new AssertionError("another block stands at " + address + ": " + previous);
    }
  }

  @Override
  public void discard(long address) {
    blocks.remove(address);
    dirty.remove(address);
  }

  @Override
  public long allocate(SpaceKind kind, long sizeBytes) {
    if (sizeBytes < 1) {
      throw new AssertionError("allocation of " + sizeBytes + " bytes");
    }
    Optional<Map.Entry<Long, Long>> hole =
        freeSizeByAddress.entrySet().stream()
            .filter(free -> free.getValue() >= sizeBytes)
            .findFirst();
    if (hole.isPresent()) {
      long start = hole.get().getKey();
      long left = hole.get().getValue() - sizeBytes;
      freeSizeByAddress.remove(start);
      if (left > 0) {
        freeSizeByAddress.put(start + sizeBytes, left);
      }
      allocatedSizeByAddress.put(start, sizeBytes);
      return start;
    }
    long address = endOfFile;
    endOfFile = Math.addExact(endOfFile, sizeBytes);
    allocatedSizeByAddress.put(address, sizeBytes);
    return address;
  }

  @Override
  public void free(SpaceKind kind, long address, long sizeBytes) {
    Long known = allocatedSizeByAddress.remove(address);
    if (known != null && known > sizeBytes) {
      allocatedSizeByAddress.put(address + sizeBytes, known - sizeBytes);
    }
    var before = freeSizeByAddress.floorEntry(address);
    if (before != null && before.getKey() + before.getValue() > address) {
      throw new AssertionError("freed twice: " + address);
    }
    var after = freeSizeByAddress.ceilingEntry(address);
    if (after != null && after.getKey() < address + sizeBytes) {
      throw new AssertionError("freed twice: " + after.getKey());
    }
    freeSizeByAddress.put(address, sizeBytes);
  }

  @Override
  public void beforeFlush(long key, Runnable task) {
    tasks.put(key, task);
  }

  /** Runs what waits for a flush, then encodes every dirty block into the bytes. */
  public void flush() {
    while (!tasks.isEmpty()) {
      tasks.pollFirstEntry().getValue().run();
    }
    for (long address : dirty) {
      MetadataBlock block = blocks.get(address);
      MetadataWriter writer = new MetadataWriter(geometry, (int) block.encodedSize());
      block.encode(writer);
      if (writer.position() != block.encodedSize()) {
        throw new AssertionError(
            block + " wrote " + writer.position() + " bytes, promised " + block.encodedSize());
      }
      grow();
      System.arraycopy(writer.array(), 0, bytes, (int) address, writer.position());
    }
    dirty.clear();
  }

  /** Flushes and forgets every block, so that the next access decodes anew. */
  public void evict() {
    flush();
    blocks.clear();
  }

  /** Returns whether the block at an address waits to be written. */
  public boolean isDirty(long address) {
    return dirty.contains(address);
  }

  /** Bytes allocated and not freed, since this space was made. */
  public long allocatedBytes() {
    return allocatedSizeByAddress.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Sizes of what is allocated, by address. */
  public SortedMap<Long, Long> allocations() {
    return Collections.unmodifiableSortedMap(allocatedSizeByAddress);
  }

  /** The file's end: the first byte never allocated. */
  public long endOfFile() {
    return endOfFile;
  }

  /** The file as flushed. */
  public byte[] toByteArray() {
    flush();
    grow();
    return Arrays.copyOf(bytes, (int) endOfFile);
  }

  private byte[] copy(long address, int count) {
    grow();
    return Arrays.copyOfRange(bytes, (int) address, (int) address + count);
  }

  private void grow() {
    if (bytes.length < endOfFile) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(endOfFile, 2L * bytes.length));
    }
  }
}
