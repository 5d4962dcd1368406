package org.hyperslab.plugins.libhdf5.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.AnonymousFile;
import org.hyperslab.plugins.libhdf5.file.DriverStore;
import org.hyperslab.plugins.libhdf5.file.FileRankDetection;
import org.hyperslab.plugins.libhdf5.file.FileRanks;
import org.hyperslab.plugins.libhdf5.file.OpenFiles;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.translate.FileLists;

/**
 * Files of the core driver, and files that are opened from an image in memory ({@code
 * H5Pset_file_image}).
 *
 * <p>A file that is kept on disk too (a backing store) is opened there, like any other. One that is
 * not is a {@link AnonymousFile}, opened by the connector {@code native}.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
final class CoreFiles {

  private final FileLists lists;

  CoreFiles(FileLists lists) {
    this.lists = lists;
  }

  /**
   * The place at which a file is opened.
   *
   * @param ranks the ranks that open it, and their connector
   * @param path the name by which the connector opens it
   * @param memory the file in memory; null if it is a file of the connector
   * @param driver the file of a driver of the program; null if it is a file of the connector
   */
  record Storage(FileRanks ranks, String path, AnonymousFile memory, DriverStore driver) {

    /** Returns a place at which the connector finds the file. */
    static Storage of(FileRanks ranks, String path) {
      return new Storage(ranks, path, null, null);
    }

    /** Returns the path by which this process can read the bytes of the file; null if none. */
    String localPath(OpenedFile.FileKey key) {
      if (memory != null) {
        return path;
      }
      return driver == null && FileRankDetection.isLocal(ranks.effective()) ? key.place() : null;
    }

    /** Releases the memory and the driver's file, if there are any, in a thread of the program. */
    void close() {
      if (memory != null) {
        memory.close();
      }
      if (driver != null) {
        driver.closeNow();
      }
    }
  }

  /** Returns where a file is created. */
  Storage toCreate(FileRanks ranks, String name, long accessList) {
    Optional<FileLists.Core> core = lists.core(accessList, false);
    if (core.isEmpty() || core.get().kept()) {
      return stored(ranks, name);
    }
    return inMemory(ranks, AnonymousFile.create(name));
  }

  /** Returns the path at which a file is opened; loads it into memory if the list requires that. */
  Storage toOpen(FileRanks ranks, String name, long accessList) {
    Optional<FileLists.Core> found = lists.core(accessList, true);
    if (found.isEmpty()) {
      return stored(ranks, name);
    }
    FileLists.Core core = found.get();
    try {
      if (core.hasImage()) {
        return fromImage(ranks, name, core);
      }
    } finally {
      lists.free(core);
    }
    return core.kept() ? stored(ranks, name) : loaded(ranks, name);
  }

  private static Storage stored(FileRanks ranks, String name) {
    String path = FileRankDetection.isLocal(ranks.effective()) ? OpenFiles.localName(name) : name;
    return Storage.of(ranks, path);
  }

  private static Storage fromImage(FileRanks ranks, String name, FileLists.Core core) {
    if (Files.exists(Path.of(OpenFiles.localName(name)))) {
      throw new AlreadyExistsException(
          "file to open from an image: actual=exists on disk, expected=no file of that name, at="
              + name);
    }
    ByteBuffer image = RawMemory.at(core.image(), core.imageBytes()).asByteBuffer();
    if (core.kept()) {
      write(image, Path.of(OpenFiles.localName(name)));
      return stored(ranks, name);
    }
    AnonymousFile memory = AnonymousFile.create(name);
    memory.fill(image);
    return inMemory(ranks, memory);
  }

  private static void write(ByteBuffer image, Path file) {
    try (var channel =
        Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (image.hasRemaining()) {
        channel.write(image);
      }
    } catch (IOException e) {
      throw new StorageException("file image: actual=" + e + ", expected=written, at=" + file, e);
    }
  }

  private static Storage loaded(FileRanks ranks, String name) {
    Path file = Path.of(OpenFiles.localName(name));
    if (!Files.isReadable(file)) {
      throw new NotFoundException(
          "file to load into memory (core driver): actual=none that can be read, expected=a file on"
              + " disk, at="
              + name);
    }
    AnonymousFile memory = AnonymousFile.create(name);
    memory.fillFrom(file);
    return inMemory(ranks, memory);
  }

  private static Storage inMemory(FileRanks ranks, AnonymousFile memory) {
    return new Storage(
        new FileRanks(
            ranks.configuration(), FileRankDetection.inMemory(ranks.configuration()), null),
        memory.path(),
        memory,
        null);
  }
}
