package org.hyperslab.mpiio.pointer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hyperslab.error.StorageException;

/**
 * A shared pointer in a hidden file beside the file, which all ranks of one node have mapped: one
 * long, changed by atomic instructions, which all processes share through the page cache. It holds
 * the distance of the pointer from its initial position, so that a new file of zeros need not be
 * initialised. The file is created at the first use; rank 0 deletes it.
 */
public final class MappedPointer implements SharedFilePointer {

  /** The name in hints. */
  public static final String NAME = MemoryPointer.NAME;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final Path path;
  private final long initial;
  private final boolean owner;
  private final Arena arena = Arena.ofShared();
  private MemorySegment place;

  /**
   * Creates a pointer that no rank has used yet.
   *
   * @param path the hidden file, the same on all ranks
   * @param initial the initial position
   * @param owner whether this rank deletes the file
   */
  public MappedPointer(Path path, long initial, boolean owner) {
    this.path = path;
    this.initial = initial;
    this.owner = owner;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long get() {
    return initial + (long) LONG.getVolatile(place(), 0L);
  }

  @Override
  public void set(long etypes) {
    LONG.setVolatile(place(), 0L, etypes - initial);
  }

  @Override
  public long take(long etypes) {
    return initial + (long) LONG.getAndAdd(place(), 0L, etypes);
  }

  private synchronized MemorySegment place() {
    if (place == null) {
      try (FileChannel channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        place = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, arena);
      } catch (IOException e) {
        throw failure(e);
      }
    }
    return place;
  }

  private StorageException failure(IOException e) {
    return new StorageException("shared file pointer: actual=" + e + ", at=" + path, e);
  }

  @Override
  public synchronized void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
    try {
      if (owner) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }
}
