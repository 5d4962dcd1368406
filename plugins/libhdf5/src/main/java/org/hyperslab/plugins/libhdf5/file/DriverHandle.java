package org.hyperslab.plugins.libhdf5.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * What {@code H5Fget_vfd_handle} gives a program: the address of a descriptor of the file's own, or
 * of a pointer to the content of a file in memory as long as it is now. It belongs to the open file
 * and is released with it.
 *
 * <p>Thread rule: any thread.
 */
final class DriverHandle {

  private static final int WRITABLE = 0x2;
  private static final int CLOSE_ON_EXEC = 0x80000;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment word = arena.allocate(8, 8);
  private int descriptor = -1;

  /**
   * Opens a file once more.
   *
   * @param settings those with which the file is open
   * @throws UnsupportedFeatureException if this process cannot open it
   * @throws StorageException if the system refuses
   */
  DriverHandle(OpenedFile.FileSettings settings) {
    String path = settings.localPath();
    if (path == null) {
      throw new UnsupportedFeatureException(
          "handle of the file driver: actual=a file that is not on this machine, expected=a local"
              + " file");
    }
    if (settings.inMemory()) {
      word.set(ValueLayout.JAVA_LONG, 0, mapped(path).address());
      return;
    }
    int flags = CLOSE_ON_EXEC | (settings.writable() ? WRITABLE : 0);
    descriptor = CFunction.callOrErrno("open", RawMemory.name(path, arena).address(), flags);
    if (descriptor < 0) {
      throw new StorageException(
          "handle of the file driver: actual=errno = "
              + -descriptor
              + ", expected=a descriptor, at="
              + path);
    }
    RawMemory.setInt(word.address(), descriptor);
  }

  private MemorySegment mapped(String path) {
    try (FileChannel channel =
        FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
    } catch (IOException e) {
      throw new StorageException(
          "handle of the core driver: actual=" + e + ", expected=the file's memory, at=" + path, e);
    }
  }

  /** Returns the address that the program receives. */
  long address() {
    return word.address();
  }

  /** Releases the descriptor or the memory. */
  void close() {
    if (descriptor >= 0) {
      CFunction.callOrErrno("close", descriptor, 0);
    }
    arena.close();
  }
}
