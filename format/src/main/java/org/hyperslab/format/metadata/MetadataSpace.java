package org.hyperslab.format.metadata;

import java.util.Optional;
import org.hyperslab.format.io.FileGeometry;

/**
 * The metadata of one open file, as on-disk structures use it: blocks by address, decoded once and
 * cached, and file space for new blocks. The engine behind it decides when, in what order and how
 * safely bytes are written.
 *
 * <p>Addresses are bytes from the file's base address, like every address in an HDF5 file.
 *
 * <p>Thread rule: {@link #load}, {@link #cached} and {@link #peek} in any number of threads;
 * everything else requires the file's write lock, which the caller holds.
 */
public interface MetadataSpace {

  /** {@return the file's sizes and name} */
  FileGeometry geometry();

  /**
   * {@return the block at {@code address}, decoded if it is not in memory}
   *
   * @param <B> the class of the block
   * @param address the address, relative to the file's base address
   * @param sizeBytes its encoded size in bytes, which is checked against the end of the file before
   *     memory is allocated
   * @param structure the structure's name, for errors
   * @param type the expected class of the block; if another class is cached there, two structures
   *     claim one address, which causes a {@link org.hyperslab.error.CorruptFileException}
   * @param decoder decodes the block if it is not in memory
   */
  <B extends MetadataBlock> B load(
      long address, long sizeBytes, String structure, Class<B> type, BlockDecoder<B> decoder);

  /**
   * {@return the block at {@code address} if it is in memory, without reading anything} A structure
   * whose size is known only from its own first bytes calls this first, then {@link #peek} and
   * {@link #load}. May be called by several readers at once.
   *
   * @param <B> the class of the block
   * @param address the address, relative to the file's base address
   * @param structure the structure's name, for errors
   * @param type the expected class of the block; another class causes a {@link
   *     org.hyperslab.error.CorruptFileException}, as in {@link #load}
   */
  <B extends MetadataBlock> Optional<B> cached(long address, String structure, Class<B> type);

  /**
   * {@return raw bytes at an address: {@code maximumBytes}, or fewer at the end of the file; for
   * structures whose size is known only after a prefix has been read} Unflushed edits are visible
   * only if their blocks have been encoded; call {@link #cached} first for blocks that this program
   * may have edited.
   *
   * @param address the address, relative to the file's base address
   * @param maximumBytes the greatest number of bytes to read
   * @param structure the structure's name, for errors
   */
  byte[] peek(long address, int maximumBytes, String structure);

  /**
   * Adds a new block at an address that was just allocated for it; the block is dirty.
   *
   * @param address the address, relative to the file's base address
   * @param block the block
   */
  void insert(long address, MetadataBlock block);

  /**
   * Marks the block at {@code address} as edited.
   *
   * @param address the address, relative to the file's base address
   * @param block the block
   */
  void markDirty(long address, MetadataBlock block);

  /**
   * Discards the block at {@code address}, including its edits; its space is not freed.
   *
   * @param address the address, relative to the file's base address
   */
  void discard(long address);

  /**
   * {@return the address of newly allocated space of {@code sizeBytes} bytes, at least 1}
   *
   * @param kind the purpose of the space
   * @param sizeBytes the length in bytes
   */
  long allocate(SpaceKind kind, long sizeBytes);

  /**
   * Frees space, which is reused only after the flush that makes the release durable.
   *
   * @param kind the purpose of the space
   * @param address the address, relative to the file's base address
   * @param sizeBytes the length in bytes
   */
  void free(SpaceKind kind, long address, long sizeBytes);

  /**
   * Registers a task to run once, under the write lock, before the next flush encodes blocks. It is
   * meant for structures that keep derived data in memory and write it only when necessary, such as
   * a heap's record of its free space. The task may allocate, free, insert, discard and mark dirty.
   * A task replaces one that is waiting with the same key.
   *
   * <p>An engine that never runs the task loses only the derived data: the file is valid without
   * it. The default implementation has no effect.
   *
   * @param key the address of the registering structure
   * @param task runs before blocks are written
   */
  default void beforeFlush(long key, Runnable task) {}

  /**
   * {@return whether other processes read the file at the same time} A block which refers to others
   * must then be moved, not overwritten, if readers could not distinguish the old blocks from the
   * new ones. The default implementation returns false.
   */
  default boolean movesEdited() {
    return false;
  }

  /**
   * {@return whether a range was allocated since the last flush as a whole} The default
   * implementation returns false.
   *
   * @param address the address, relative to the file's base address
   * @param sizeBytes the length in bytes
   */
  default boolean isNew(long address, long sizeBytes) {
    return false;
  }

  /**
   * {@return whether the block at an address is new or was edited since the last flush}
   *
   * @param address the address, relative to the file's base address
   * @param sizeBytes the length in bytes
   */
  default boolean isEdited(long address, long sizeBytes) {
    return true;
  }
}
