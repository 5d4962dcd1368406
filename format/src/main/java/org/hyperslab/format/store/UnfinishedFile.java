package org.hyperslab.format.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A file, or a folder, that gets its name when it is complete. Until then it has a temporary name
 * in the same folder, so that nobody takes a part for the whole; it is deleted if the command fails
 * or is interrupted, and an older file of its name remains.
 *
 * <p>An older folder is replaced in one step where the system can exchange two names (Linux);
 * elsewhere by two renames, between which neither has the name.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class UnfinishedFile implements AutoCloseable {

  /** Distinguishes the temporary names that a process chooses. */
  private static final AtomicLong COUNT = new AtomicLong();

  /** The most bytes of a file's name that a temporary name begins with; file systems allow 255. */
  private static final int MAX_NAME_BYTES = 200;

  private static final int MAX_LINKS = 40;

  private final Path named;
  private final Path written;
  private final boolean replacesFolder;
  private final Thread interrupted;

  /** Whether there is a part of the file that may be deleted. */
  private volatile boolean isPartial;

  private UnfinishedFile(Path named, Path written, boolean replacesFolder) {
    this.named = named;
    this.written = written;
    this.replacesFolder = replacesFolder;
    this.isPartial = !written.equals(named); // nobody else uses the temporary name
    this.interrupted = new Thread(this::delete, "hyperslab-unfinished-file");
    Runtime.getRuntime().addShutdownHook(interrupted);
  }

  /**
   * Chooses the temporary name of a file. Nothing is created yet. If the file exists and is not a
   * regular one, such as a device, or nothing can be created beside it, it is written itself; of a
   * symbolic link, the target is replaced. A folder is never replaced.
   *
   * @param named the file's name when it is complete
   * @return the file, which the caller closes
   * @throws FileSystemException if the name is empty or that of a folder
   * @throws IOException if a link cannot be followed
   */
  public static UnfinishedFile of(Path named) throws IOException {
    requireNoFolder(named);
    return ofAny(named, false);
  }

  /**
   * Chooses the temporary name of a file or a folder that may replace an older folder with all that
   * is in it. The caller has checked what is in the older folder.
   *
   * @param named the name when it is complete
   * @return the file, which the caller closes
   * @throws IOException if a link cannot be followed
   */
  public static UnfinishedFile replacingFolder(Path named) throws IOException {
    return ofAny(named, true);
  }

  private static void requireNoFolder(Path named) throws FileSystemException {
    if (Files.isDirectory(named)) {
      String name = named.toString();
      throw new FileSystemException(
          name.isEmpty() ? "\"\"" : name, null, "is a folder, not a file");
    }
  }

  private static UnfinishedFile ofAny(Path named, boolean replacesFolder) throws IOException {
    if (isDescriptor(named)) {
      return inPlace(named);
    }
    if (!Files.exists(named)) {
      Path target = target(named);
      return new UnfinishedFile(target, beside(target), replacesFolder);
    }
    Path real = named.toRealPath();
    boolean isReplaced =
        Files.isDirectory(real)
            || (Files.isRegularFile(real) && Files.isWritable(real.getParent()));
    return new UnfinishedFile(real, isReplaced ? beside(real) : real, replacesFolder);
  }

  /** Returns what a link leads to that leads to no file yet. */
  private static Path target(Path named) throws IOException {
    Path target = named;
    for (int i = 0; i < MAX_LINKS && Files.isSymbolicLink(target); i++) {
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** Returns whether a name is that of an open file, such as {@code /dev/stdout}. */
  private static boolean isDescriptor(Path named) {
    Path path = named.toAbsolutePath().normalize();
    return Stream.of("/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/proc")
        .anyMatch(path::startsWith); // files in /dev/shm are files
  }

  /**
   * Chooses no other name, because only a connector knows what the name means.
   *
   * @param named the file's name
   * @return the file, which the caller closes
   */
  public static UnfinishedFile inPlace(Path named) {
    return new UnfinishedFile(named, named, false);
  }

  /**
   * Takes a file or folder that is deleted in any case, also if the process is interrupted.
   *
   * @param temporary its name
   * @return the file, which the caller closes
   */
  public static UnfinishedFile ofTemporary(Path temporary) {
    return new UnfinishedFile(temporary.resolveSibling("none"), temporary, false);
  }

  private static Path beside(Path file) {
    String name = String.valueOf(file.getFileName());
    int length = Math.min(name.length(), MAX_NAME_BYTES);
    while (name.substring(0, length).getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      length--;
    }
    long process = ProcessHandle.current().pid();
    return file.resolveSibling(
        name.substring(0, length) + "." + process + "-" + COUNT.incrementAndGet() + ".unfinished");
  }

  /** {@return the path to write to} */
  public Path path() {
    return written;
  }

  /** Records that the file has been created. */
  public void begun() {
    isPartial = Files.isRegularFile(written);
  }

  /**
   * Gives the file its name, replacing an older file, whose permissions it gets. What replaces an
   * older file or folder is forced to storage first, so that a power failure leaves one of them.
   *
   * @throws FileSystemException if a folder has got the name meanwhile
   * @throws IOException if it cannot be renamed
   */
  public void finish() throws IOException {
    finish(DurableFile.SYSTEM);
  }

  synchronized void finish(DurableFile.Disk disk) throws IOException {
    if (!written.equals(named)) {
      if (!replacesFolder) {
        requireNoFolder(named); // a move would replace an empty one
      }
      boolean isFolder = Files.isDirectory(named) || Files.isDirectory(written);
      if (isFolder && Files.exists(named)) {
        DurableFile.forceAll(written);
        replaceFolder();
        DurableFile.force(named.toAbsolutePath().getParent());
      } else if (Files.exists(named)) {
        keepPermissions();
        DurableFile.replace(written, named, disk);
      } else {
        Files.move(written, named, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    isPartial = false;
  }

  /**
   * Gives the file its name unless another file has got it meanwhile.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is such a file
   * @throws IOException if it cannot be renamed
   */
  public synchronized void finishNew() throws IOException {
    if (!written.equals(named)) {
      Files.move(written, named);
    }
    isPartial = false;
  }

  /** A folder is not replaced by a move. */
  private void replaceFolder() throws IOException {
    if (FileExchange.exchange(written, named)) {
      deleteAll(written);
      return;
    }
    Path older = named.resolveSibling(written.getFileName() + ".old");
    Files.move(named, older);
    try {
      Files.move(written, named);
    } catch (IOException failure) {
      Files.move(older, named);
      throw failure;
    }
    deleteAll(older);
  }

  private void keepPermissions() throws IOException {
    if (Files.exists(named)
        && named.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(written, Files.getPosixFilePermissions(named));
    }
  }

  /** Deletes a file, or a folder with what is in it; links are deleted, not followed. */
  private static void deleteAll(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(path);
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** A folder is renamed first, so that nothing more is written to it while it is deleted. */
  private synchronized void delete() {
    try {
      if (isPartial && Files.isDirectory(written)) {
        Path deleted = written.resolveSibling(written.getFileName() + ".deleted");
        Files.move(written, deleted);
        deleteAll(deleted);
      } else if (isPartial) {
        Files.deleteIfExists(written);
      }
    } catch (IOException remains) {
      System.err.println("hyperslab: not deleted: " + written + ": " + remains);
    }
  }

  /** Deletes the file, unless it is finished. */
  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(interrupted);
    } catch (IllegalStateException shuttingDown) {
      return; // the hook runs already
    }
  }
}
