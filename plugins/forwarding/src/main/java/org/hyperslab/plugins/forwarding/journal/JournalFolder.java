package org.hyperslab.plugins.forwarding.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.format.store.LocalPaths;

/**
 * The folder of a server's journals. It is locked while the server runs, because a second server
 * that replayed the journals of a running one would write to the same files. Files are named
 * relative to the root, so root and folder can be moved together.
 *
 * <p>Thread rule: immutable; any thread.
 */
final class JournalFolder implements AutoCloseable {

  private static final String LOCK = "lock";

  private final Path folder;
  private final Path root;
  private final FileChannel lock;

  /**
   * Locks an existing folder.
   *
   * @param folder the folder
   * @param root the folder that contains the files
   * @throws StorageException if another server uses it
   */
  JournalFolder(Path folder, Path root) {
    this.folder = folder;
    this.root = root;
    this.lock = lock(folder);
  }

  private static FileChannel lock(Path folder) {
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock held = channel.tryLock();
      if (held != null) {
        return channel;
      }
    } catch (OverlappingFileLockException anotherHere) {
      // Locked by this process: reported below like a lock of another process.
    } catch (IOException e) {
      close(channel, folder);
      throw new StorageException(
          "lock of the journals: actual=" + e + ", expected=a file that can be locked", e);
    }
    close(channel, folder);
    throw new StorageException(
        "folder of the server: actual=served by another server, expected=free; stop that server, "
            + "or start both with --peers");
  }

  private static void close(FileChannel channel, Path folder) {
    if (channel == null) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new StorageException("lock of the journals: actual=" + e + ", at=" + folder, e);
    }
  }

  Path path() {
    return folder;
  }

  /** {@return the name of a file relative to the root, as journals record it} */
  String relative(String file) {
    Path path = LocalPaths.of(file);
    return path.startsWith(root) ? root.relativize(path).toString() : file;
  }

  /**
   * {@return the name of a file to which symbolic links lead; the name itself if there are none}
   */
  String withoutLinks(String file) {
    Path path = LocalPaths.of(file);
    try {
      Path real = path.toRealPath();
      return real.equals(path) || !real.startsWith(root) ? file : real.toString();
    } catch (IOException missing) {
      return file;
    }
  }

  /** {@return the path of the journal of a file} */
  Path journalOf(String file) {
    String name = relative(file);
    CRC32C crc = new CRC32C();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    return folder.resolve(
        Path.of(name).getFileName()
            + "-"
            + HexFormat.of().toHexDigits((int) crc.getValue())
            + ".journal");
  }

  /** {@return the name of the journal of a file that was set aside, if it was} */
  Optional<String> asideOf(String file) {
    Path journal = journalOf(file);
    return Stream.of(Recovery.WITHOUT_FILE, Recovery.SET_ASIDE)
        .map(suffix -> journal.resolveSibling(journal.getFileName() + suffix))
        .filter(Files::exists)
        .map(aside -> aside.getFileName().toString())
        .findFirst();
  }

  /** Gives a file the journal back that was set aside while the file was missing, if it was. */
  void takeBack(String file) {
    Path journal = journalOf(file);
    Path aside = journal.resolveSibling(journal.getFileName() + Recovery.WITHOUT_FILE);
    if (Files.exists(aside)) {
      try {
        DurableFile.rename(aside, journal);
      } catch (IOException e) {
        throw JournalFile.failed(aside, e);
      }
    }
  }

  /** {@return whether a file exists} */
  boolean holds(String file) {
    return Files.exists(root.resolve(file));
  }

  /** {@return whether a file exists and has no bytes} */
  boolean isEmpty(String file) {
    try {
      return Files.size(root.resolve(file)) == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  /** Deletes what a crash has left of journals and keys that were not complete. */
  void deleteUnfinished() {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "*.new")) {
      for (Path each : left) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new StorageException("folder of journals: actual=" + e + ", at=" + folder, e);
    }
  }

  /**
   * Forces a file and the folders that lead to it to storage, so that a new file is found again.
   * Does nothing for a name that is not that of a single file, such as a pattern of several parts.
   *
   * @param file the name of the file
   * @throws StorageException if that fails
   */
  void force(String file) {
    Path path = root.resolve(file);
    if (!Files.isRegularFile(path) || !path.startsWith(root)) {
      return;
    }
    try {
      DurableFile.force(path);
      for (Path up = path.getParent(); up.startsWith(root); up = up.getParent()) {
        DurableFile.force(up);
      }
    } catch (IOException e) {
      throw new StorageException(
          "file: actual=" + e + ", expected=on storage, at=" + relative(file), e);
    }
  }

  /** Unlocks the folder. */
  @Override
  public void close() {
    close(lock, folder);
  }
}
