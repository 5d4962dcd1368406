package org.hyperslab.mpiio.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.hint.Hints;

/** Creates empty files with the permissions and the striping that hints request. */
final class FileCreation {

  private FileCreation() {}

  /** Returns whether hints request properties that are fixed when a file is created. */
  static boolean isAskedFor(Hints hints) {
    return hints.others().containsKey(Hints.FILE_PERM) || isStriped(hints);
  }

  private static boolean isStriped(Hints hints) {
    return hints.striping().factor() > 0 || hints.striping().unitBytes() > 0;
  }

  /**
   * Creates a file.
   *
   * @param path the path
   * @param type the type of the file system
   * @return whether it was created; false if it exists already
   * @throws StorageException if it cannot be created
   */
  static boolean make(Path path, String type, Hints hints) {
    String octal = hints.others().get(Hints.FILE_PERM);
    Set<PosixFilePermission> wanted = octal == null ? null : permissions(octal);
    try {
      if (Files.exists(path)) {
        return false;
      }
      if (type.equals("lustre")
          && isStriped(hints)
          && LustreStriping.create(path, hints.striping())) {
        if (wanted != null) {
          Files.setPosixFilePermissions(path, masked(wanted, Files.getPosixFilePermissions(path)));
        }
        return true;
      }
      if (wanted == null || !path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        return false;
      }
      Files.createFile(path, PosixFilePermissions.asFileAttribute(wanted));
      return true;
    } catch (FileAlreadyExistsException meanwhile) {
      return false;
    } catch (IOException failed) {
      throw new StorageException("create failed: actual=" + failed + ", at=" + path, failed);
    }
  }

  /**
   * Returns the permissions that the process's mask allows, derived from a file that was created
   * without explicit permissions.
   */
  private static Set<PosixFilePermission> masked(
      Set<PosixFilePermission> wanted, Set<PosixFilePermission> made) {
    Set<PosixFilePermission> left = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission each : wanted) {
      // Such a file is never executable: execution is allowed to those who may read it.
      PosixFilePermission judged =
          switch (each) {
            case OWNER_EXECUTE -> PosixFilePermission.OWNER_READ;
            case GROUP_EXECUTE -> PosixFilePermission.GROUP_READ;
            case OTHERS_EXECUTE -> PosixFilePermission.OTHERS_READ;
            default -> each;
          };
      if (made.contains(judged)) {
        left.add(each);
      }
    }
    return left;
  }

  /** Returns the permissions of an octal number; only the last three of its four digits count. */
  private static Set<PosixFilePermission> permissions(String octal) {
    int bits = Integer.parseInt(octal, 8);
    Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] fromHighest = PosixFilePermission.values();
    for (int i = 0; i < fromHighest.length; i++) {
      if ((bits >> (fromHighest.length - 1 - i) & 1) == 1) {
        all.add(fromHighest[i]);
      }
    }
    return all;
  }
}
