package org.hyperslab.plugins.libhdf5.file;

import static org.hyperslab.format.store.NativeFunction.value;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.NativeFunction;

/**
 * An anonymous file in the memory of this process ({@code memfd_create}), for files of the core
 * driver that are not kept. It disappears when it is closed, or with the process.
 */
public final class AnonymousFile {

  private static final int CLOSE_ON_EXEC = 1;

  private final int descriptor;

  private AnonymousFile(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Creates an empty file.
   *
   * @param name the name that the system shows for it
   * @throws UnsupportedFeatureException if the system has no such files
   * @throws StorageException if it cannot be created
   */
  public static AnonymousFile create(String name) {
    NativeFunction create =
        NativeFunction.ofCLibrary("memfd_create", 2)
            .orElseThrow(() ->
                new UnsupportedFeatureException(
                    "core driver without a backing store: actual=no memfd_create in the C library,"
                        + " expected=Linux with glibc 2.27 or later, at="
                        + name));
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = (int) create.call(arena.allocateFrom("hyperslab"), value(CLOSE_ON_EXEC));
      if (descriptor < 0) {
        throw new StorageException(
            "file in memory: actual=memfd_create failed, expected=a descriptor, at=" + name);
      }
      return new AnonymousFile(descriptor);
    }
  }

  /** Returns the path by which this process opens the file. */
  public String path() {
    return "/proc/self/fd/" + descriptor;
  }

  /** Writes the whole content of the file. */
  public void fill(ByteBuffer content) {
    try (FileChannel channel = FileChannel.open(Path.of(path()), StandardOpenOption.WRITE)) {
      while (content.hasRemaining()) {
        channel.write(content);
      }
    } catch (IOException e) {
      throw new StorageException(
          "file in memory: actual=" + e + ", expected=written, at=" + path(), e);
    }
  }

  /** Copies the content of a file on disk. */
  public void fillFrom(Path source) {
    try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel out = FileChannel.open(Path.of(path()), StandardOpenOption.WRITE)) {
      long size = in.size();
      for (long done = 0; done < size; ) {
        long moved = in.transferTo(done, size - done, out);
        if (moved <= 0) {
          throw new StorageException(
              "file to load: actual=ends after "
                  + done
                  + " bytes, expected="
                  + size
                  + ", at="
                  + source);
        }
        done += moved;
      }
    } catch (IOException e) {
      throw new StorageException("file to load: actual=" + e + ", expected=read, at=" + source, e);
    }
  }

  /** Releases the file. */
  public void close() {
    NativeFunction.ofCLibrary("close", 1).ifPresent(close -> close.call(value(descriptor)));
  }
}
