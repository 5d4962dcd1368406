package org.hyperslab.mpiio.engine;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.collective.TransferLane;
import org.hyperslab.mpiio.store.FileRangeLock;
import org.hyperslab.mpiio.store.FileSystemTraits;

/**
 * The environment of an open file.
 *
 * @param name the file, for messages and locks
 * @param path its path; null if the store was opened by the caller
 * @param id identifies the hidden files beside it, the same on all ranks
 * @param oneJvm whether all ranks are in one JVM
 * @param progress the means that advances started accesses
 * @param traits the traits of its file system
 */
record FileContext(
    String name,
    Path path,
    String id,
    boolean oneJvm,
    TransferLane.Progress progress,
    FileSystemTraits traits) {

  /** Returns a hidden file beside the file: {@code .NAME.PURPOSE.ID}. */
  Path hidden(String purpose) {
    if (path == null) {
      throw new StorageException(
          "hidden file: actual=a store without a path, expected=a file, at=" + name);
    }
    return path.resolveSibling("." + path.getFileName() + "." + purpose + "." + id);
  }

  /**
   * Returns a lock on ranges of the file for accesses in atomic mode. Between processes it is held
   * on a hidden file: the record locks of a process vanish when it closes any channel of a file.
   */
  FileRangeLock atomicLock() {
    if (oneJvm) {
      return FileRangeLock.amongThreads("atomic access to " + name + " " + id);
    }
    Path lock = hidden("atomic");
    try {
      Files.createFile(lock);
    } catch (FileAlreadyExistsException anotherRank) {
      return FileRangeLock.amongProcesses(lock);
    } catch (IOException e) {
      throw new StorageException("atomic mode: actual=" + e + ", at=" + lock, e);
    }
    return FileRangeLock.amongProcesses(lock);
  }

  /**
   * Deletes the hidden files beside the file and, on request, the file; called by one rank after
   * all are done.
   */
  void delete(boolean file) {
    if (path == null) {
      return;
    }
    try {
      if (!oneJvm) {
        Files.deleteIfExists(hidden("atomic"));
      }
      if (file) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new StorageException("delete failed: actual=" + e + ", at=" + path, e);
    }
  }
}
