package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;

/**
 * Tells whose files logs are. A log decides what a file will contain, so it belongs to the user who
 * has written it, and only that user may write it: the permissions of the system take the place of
 * a code.
 *
 * <p>Thread rule: no state.
 */
final class OwnFiles {

  /** Belongs to the user of the process, on systems that have it. */
  private static final Path PROCESS = Path.of("/proc/self");

  /** The bit of a folder in which only the owner of a file may delete it. */
  private static final int STICKY = 01000;

  /** What a file system has that knows owners and permissions. */
  private static final Set<String> VIEWS = Set.of("owner", "posix");

  private OwnFiles() {}

  /** {@return the attributes of a file that only its owner may use, where the system has them} */
  static FileAttribute<?>[] ownerOnly(Path file) {
    return hasOwners(file)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean hasOwners(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().containsAll(VIEWS);
  }

  /**
   * Checks that a file of the log was written by the user of this process.
   *
   * @throws InvalidUseException if it belongs to another user, others may write it, or it is no
   *     regular file
   */
  static void requireOwn(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new InvalidUseException("log: actual=no regular file, expected=one, at=" + file);
    }
    if (!hasOwners(file)) {
      return;
    }
    requireOwner(file);
    PosixFileAttributes attributes = attributes(file, LinkOption.NOFOLLOW_LINKS);
    if (attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
        || attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)) {
      throw new InvalidUseException(
          "log: actual=may be written by others, expected=by its owner only, at=" + file);
    }
  }

  /**
   * Checks that a file belongs to the user of this process.
   *
   * @throws InvalidUseException if it belongs to another user
   */
  static void requireOwner(Path file) throws IOException {
    if (!hasOwners(file)) {
      return;
    }
    PosixFileAttributes attributes = attributes(file, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.owner().getName().equals(user(file))) {
      throw new InvalidUseException(
          "file of a log: actual=of "
              + attributes.owner().getName()
              + ", expected=of "
              + user(file)
              + ", the user of this process, at="
              + file);
    }
  }

  /**
   * Checks that a folder is one in which nobody else can replace a log.
   *
   * @throws InvalidUseException if it is another user's, or everybody may delete files in it
   */
  static void requireSafeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new InvalidUseException(
          "option path of connector log: actual=no folder, expected=a folder, at=" + folder);
    }
    if (!hasOwners(folder)) {
      return;
    }
    PosixFileAttributes attributes = attributes(folder);
    String owner = attributes.owner().getName();
    Set<PosixFilePermission> permissions = attributes.permissions();
    boolean shared =
        permissions.contains(PosixFilePermission.OTHERS_WRITE)
            || permissions.contains(PosixFilePermission.GROUP_WRITE);
    if (!owner.equals("root") && !owner.equals(user(folder))) {
      throw new InvalidUseException(
          "option path of connector log: actual=a folder of "
              + owner
              + ", expected=of the user of this process, at="
              + folder);
    }
    if (shared && ((int) Files.getAttribute(folder, "unix:mode") & STICKY) == 0) {
      throw new InvalidUseException(
          "option path of connector log: actual=a folder in which others may replace files,"
              + " expected=one that only its owner may write, at="
              + folder);
    }
  }

  private static PosixFileAttributes attributes(Path file, LinkOption... options)
      throws IOException {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class, options).readAttributes();
  }

  /** {@return the user of this process, as the system names the owners of files} */
  private static String user(Path file) throws IOException {
    Path process = file.getFileSystem().getPath(PROCESS.toString());
    return Files.exists(process)
        ? Files.getOwner(process).getName()
        : System.getProperty("user.name");
  }
}
