package org.hyperslab.format.metadata;

import java.util.Optional;
import org.hyperslab.format.io.FileGeometry;

/**
 * The metadata of one open file as on-disk structures see it: blocks by address, decoded once and
 * cached, and file space to put new ones in. The engine behind it decides when bytes are written,
 * in what order and how safely.
 *
 * <p>Addresses are bytes from the file's base address, as every address in an HDF5 file is.
 *
 * <p>Thread rule: {@link #load}, {@link #cached} and {@link #peek} may be called by several readers
 * at once; everything else needs the file's write lock, which the caller holds.
 */
public interface MetadataSpace {

  /** {@return the file's sizes and name} */
  FileGeometry geometry();

  /**
   * {@return the block at {@code address}, decoded if it is not in memory}
   *
   * @param <B> the class of the block
   * @param address the address, relative to the base address
   * @param sizeBytes its encoded size, checked against the end of the file before anything is
   *     allocated
   * @param structure the structure's name, for errors
   * @param type the class of block expected; another class cached there means that two structures
   *     claim one address, which is a {@link org.hyperslab.error.CorruptFileException}
   * @param decoder decodes the block if it is not in memory
   */
  <B extends MetadataBlock> B load(
      long address, long sizeBytes, String structure, Class<B> type, BlockDecoder<B> decoder);

  /**
   * {@return the block at {@code address} if it is in memory, without reading anything} A structure
   * whose size is known only from its own first bytes asks here first, then {@link #peek}s, then
   * {@link #load}s. May be called by several readers at once.
   *
   * @param <B> the class of the block
   * @param address the address, relative to the base address
   * @param structure the structure's name, for errors
   * @param type the class of block expected; another class is a {@link
   *     org.hyperslab.error.CorruptFileException}, as in {@link #load}
   */
  <B extends MetadataBlock> Optional<B> cached(long address, String structure, Class<B> type);

  /**
   * {@return raw bytes at an address: {@code maximumBytes}, or fewer where the file ends, for
   * structures whose size is known only after a prefix has been read} Unflushed edits are seen only
   * for blocks that were encoded; ask {@link #cached} first for blocks that this program may have
   * edited.
   *
   * @param address the address, relative to the base address
   * @param maximumBytes the most bytes to read
   * @param structure the structure's name, for errors
   */
  byte[] peek(long address, int maximumBytes, String structure);

  /**
   * Puts a new block at an address just allocated for it; it is dirty.
   *
   * @param address the address, relative to the base address
   * @param block the block
   */
  void insert(long address, MetadataBlock block);

  /**
   * Marks the block at {@code address} as edited.
   *
   * @param address the address, relative to the base address
   * @param block the block
   */
  void markDirty(long address, MetadataBlock block);

  /**
   * Forgets the block at {@code address}, edits included; its space is not freed.
   *
   * @param address the address, relative to the base address
   */
  void discard(long address);

  /**
   * {@return space for {@code sizeBytes} (at least 1); the address of its first byte}
   *
   * @param kind what the space is used for
   * @param sizeBytes the length, bytes
   */
  long allocate(SpaceKind kind, long sizeBytes);

  /**
   * Gives space back; it is reused only after the flush that makes the release durable.
   *
   * @param kind what the space is used for
   * @param address the address, relative to the base address
   * @param sizeBytes the length, bytes
   */
  void free(SpaceKind kind, long address, long sizeBytes);

  /**
   * Registers a task to run once, under the write lock, before the next flush encodes blocks: for
   * structures that keep derived data in memory and write it only when they must, such as a heap's
   * record of its free space. The task may allocate, free, insert, discard and mark dirty. A task
   * replaces one that is already waiting under the same key.
   *
   * <p>An engine that never runs the task loses only the derived data: the file is valid without
   * it. The default does nothing.
   *
   * @param key the address of the structure that asks
   * @param task runs before blocks are written
   */
  default void beforeFlush(long key, Runnable task) {}

  /**
   * {@return whether other processes read the file meanwhile, so that a block which refers to
   * others must be moved, not overwritten, where readers could not tell the old blocks from the new
   * ones} By default there are no followers.
   */
  default boolean movesEdited() {
    return false;
  }

  /**
   * {@return whether all of a range was allocated since the last flush} The default does not know.
   *
   * @param address the address, relative to the base address
   * @param sizeBytes the length, bytes
   */
  default boolean isNew(long address, long sizeBytes) {
    return false;
  }

  /**
   * {@return whether the block at an address is new or was edited since the last flush}
   *
   * @param address the address, relative to the base address
   * @param sizeBytes the length, bytes
   */
  default boolean isEdited(long address, long sizeBytes) {
    return true;
  }
}
