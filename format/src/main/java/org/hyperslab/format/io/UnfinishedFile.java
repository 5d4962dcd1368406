package org.hyperslab.format.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A file, or a folder, that gets its name when it is complete. Until then it has a temporary name
 * in the same folder, so that nobody takes a part for the whole; it is deleted if the command fails
 * or is interrupted, and an older file of its name remains.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class UnfinishedFile implements AutoCloseable {

  private final Path named;
  private final Path written;
  private final Thread interrupted;

  /** Whether there is a part of the file that may be deleted. */
  private volatile boolean isPartial;

  private UnfinishedFile(Path named, Path written) {
    this.named = named;
    this.written = written;
    this.isPartial = !written.equals(named); // nobody else uses the temporary name
    this.interrupted = new Thread(this::delete, "hyperslab-unfinished-file");
    Runtime.getRuntime().addShutdownHook(interrupted);
  }

  /**
   * Chooses the temporary name of a file. Nothing is created yet. If the file exists and is not a
   * regular one, such as a device, it is written itself; of a symbolic link, the target is
   * replaced.
   *
   * @param named the file's name when it is complete
   * @return the file, which the caller closes
   * @throws IOException if a link cannot be followed
   */
  public static UnfinishedFile of(Path named) throws IOException {
    if (!Files.exists(named)) {
      return new UnfinishedFile(named, beside(named));
    }
    Path real = named.toRealPath();
    boolean isReplaced = Files.isRegularFile(real) || Files.isDirectory(real);
    return new UnfinishedFile(real, isReplaced ? beside(real) : real);
  }

  /**
   * Chooses no other name, because only a connector knows what the name means.
   *
   * @param named the file's name
   * @return the file, which the caller closes
   */
  public static UnfinishedFile inPlace(Path named) {
    return new UnfinishedFile(named, named);
  }

  private static Path beside(Path file) {
    long process = ProcessHandle.current().pid();
    return file.resolveSibling(file.getFileName() + "." + process + ".unfinished");
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
   * Gives the file its name, replacing an older file.
   *
   * @throws IOException if it cannot be renamed
   */
  public synchronized void finish() throws IOException {
    if (!written.equals(named)) {
      Path older = named.resolveSibling(written.getFileName() + ".old");
      boolean isFolder = Files.isDirectory(named) || Files.isDirectory(written);
      boolean isMoved = isFolder && Files.exists(named);
      if (isMoved) {
        Files.move(named, older); // a folder is not replaced by a move
      }
      Files.move(written, named, StandardCopyOption.REPLACE_EXISTING);
      if (isMoved) {
        deleteAll(older);
      }
    }
    isPartial = false;
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
