package org.hyperslab.format.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Puts whole files in their places, so that a power failure leaves the old file or the new one. The
 * content is forced to storage before it gets its name, and the folder with the name after that.
 *
 * <p>Readers in other processes see the old file or the new one, too.
 *
 * <p>Thread rule: stateless; of two threads that write the same name one is last.
 */
public final class DurableFile {

  /** The system's disk. */
  static final Disk SYSTEM =
      new Disk() {
        @Override
        public void force(Path path) throws IOException {
          DurableFile.force(path);
        }

        @Override
        public void rename(Path written, Path named) throws IOException {
          Files.move(
              written, named, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
      };

  private DurableFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {

    /**
     * Writes the content to a file that exists and is empty.
     *
     * @param path the file
     * @throws IOException if it cannot be written
     */
    void writeTo(Path path) throws IOException;
  }

  /** What a disk does; the order of these calls is what a power failure meets. */
  interface Disk {

    /** Forces the content of a file, or the names in a folder, to storage. */
    void force(Path path) throws IOException;

    /** Gives a file another name in one step, replacing a file of that name. */
    void rename(Path written, Path named) throws IOException;
  }

  /**
   * Forces the content of a file, or the names in a folder, to storage. The names in a folder that
   * cannot be opened are left to the system: not every system opens folders, or lets everybody read
   * those in which files may be made.
   *
   * @param path a file or a folder
   * @throws IOException if that fails
   */
  public static void force(Path path) throws IOException {
    try (FileChannel channel = opened(path)) {
      if (channel != null) {
        channel.force(true);
      }
    }
  }

  /** Opens what is to be forced; returns null for a folder that cannot be opened. */
  private static FileChannel opened(Path path) throws IOException {
    try {
      return FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException failure) {
      if (Files.isDirectory(path)) {
        return null;
      }
      throw failure;
    }
  }

  /**
   * Forces a file to storage, or a folder with all that is in it.
   *
   * @param path a file or a folder; links in a folder are not followed
   * @throws IOException if that fails
   */
  public static void forceAll(Path path) throws IOException {
    forceAll(path, SYSTEM);
  }

  private static void forceAll(Path path, Disk disk) throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        if (Files.isRegularFile(each) || Files.isDirectory(each)) {
          disk.force(each);
        }
      }
    }
  }

  /**
   * Forces a written file to storage and gives it its name, which is then on storage, too.
   *
   * @param written the file as it was written, in the same file system
   * @param named its name; a file of that name is replaced
   * @throws IOException if that fails
   */
  public static void replace(Path written, Path named) throws IOException {
    replace(written, named, SYSTEM);
  }

  static void replace(Path written, Path named, Disk disk) throws IOException {
    forceAll(written, disk);
    rename(written, named, disk);
  }

  /**
   * Gives a file that is on storage its name, which is then on storage, too.
   *
   * @param written the file, whose content was forced to storage
   * @param named its name; a file of that name is replaced
   * @throws IOException if that fails
   */
  public static void rename(Path written, Path named) throws IOException {
    rename(written, named, SYSTEM);
  }

  private static void rename(Path written, Path named, Disk disk) throws IOException {
    disk.rename(written, named);
    disk.force(folderOf(named));
  }

  /**
   * Writes a file beside its place and replaces what is there when it is complete.
   *
   * @param named the file's name; its folder is created if it is missing
   * @param content writes the content
   * @throws IOException if it cannot be written; an older file remains as it is
   */
  public static void write(Path named, Content content) throws IOException {
    write(named, content, SYSTEM);
  }

  static void write(Path named, Content content, Disk disk) throws IOException {
    Path fresh = beside(named);
    try {
      content.writeTo(fresh);
      replace(fresh, named, disk);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /**
   * Writes a file unless one of its name exists, as of two processes that do so at the same time
   * only one succeeds. The file appears with all of its content.
   *
   * @param named the file's name; its folder is created if it is missing
   * @param content its content
   * @param attributes such as permissions
   * @return false if a file of that name exists
   * @throws IOException if it cannot be written
   */
  public static boolean create(Path named, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    return create(named, content, SYSTEM, attributes);
  }

  static boolean create(Path named, byte[] content, Disk disk, FileAttribute<?>... attributes)
      throws IOException {
    Path fresh = beside(named, attributes);
    try {
      Files.write(fresh, content);
      disk.force(fresh);
      boolean isFirst = link(fresh, named);
      disk.force(folderOf(named));
      return isFirst;
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** A link fails if the name exists; a move may replace what has it. */
  private static boolean link(Path fresh, Path named) throws IOException {
    try {
      Files.createLink(named, fresh);
      return true;
    } catch (FileAlreadyExistsException another) {
      return false;
    } catch (IOException | UnsupportedOperationException noLinks) {
      if (Files.exists(named)) {
        return false;
      }
      Files.move(fresh, named, StandardCopyOption.ATOMIC_MOVE);
      return true;
    }
  }

  private static Path beside(Path named, FileAttribute<?>... attributes) throws IOException {
    Path folder = Files.createDirectories(folderOf(named));
    return Files.createTempFile(folder, named.getFileName().toString(), ".new", attributes);
  }

  private static Path folderOf(Path named) {
    return named.toAbsolutePath().getParent();
  }
}
