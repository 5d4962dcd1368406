package org.hyperslab.format.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * A file mapped into memory, read only, at the length that it has when it is opened. For many small
 * reads of a file that nobody changes meanwhile: if another process cuts the file, reads behind the
 * cut fail.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class MappedStore extends ReadOnlyStore {

  private final Path path;
  private final Arena arena;
  private final MemorySegment mapping;

  private MappedStore(Path path, Arena arena, MemorySegment mapping) {
    this.path = path;
    this.arena = arena;
    this.mapping = mapping;
  }

  /**
   * Maps the whole of {@code path}.
   *
   * @throws NotFoundException if it does not exist
   * @throws StorageException if it cannot be opened or mapped
   */
  public static MappedStore open(Path path) {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      MemorySegment mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
      return new MappedStore(path, arena, mapping);
    } catch (NoSuchFileException absent) {
      arena.close();
      throw new NotFoundException(
          "file not found: actual=no such file, expected=existing file, at=" + path, absent);
    } catch (IOException failure) {
      arena.close();
      throw Ranges.failed(path.toString(), "map", 0, 0, failure);
    }
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public long size() {
    checkOpen("size");
    return mapping.byteSize();
  }

  @Override
  public void read(long offset, MemorySegment target) {
    checkOpen("read");
    Ranges.checkRead(name(), offset, target.byteSize(), mapping.byteSize());
    try {
      MemorySegment.copy(mapping, offset, target, 0, target.byteSize());
    } catch (IllegalStateException | InternalError failure) {
      throw Ranges.failed(name(), "read", offset, target.byteSize(), failure);
    }
  }

  @Override
  public void close() {
    if (shut()) {
      closeArena();
    }
  }

  /** A copy that runs in another thread holds the arena for a moment; the arena then stays. */
  private void closeArena() {
    try {
      arena.close();
    } catch (IllegalStateException busy) {
      throw Ranges.failed(name(), "close", 0, 0, busy);
    }
  }

  @Override
  public String toString() {
    return "MappedStore[" + path + "]";
  }
}
