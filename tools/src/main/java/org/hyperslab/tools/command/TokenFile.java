package org.hyperslab.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Reads a secret from a file.
 *
 * <p>Thread rule: any thread.
 */
public final class TokenFile {

  private TokenFile() {}

  /**
   * Reads a secret, and warns if other users may read it, too.
   *
   * @param file the file
   * @param streams where the warning goes
   * @return its text without white space at both ends
   * @throws IOException if it cannot be read
   */
  public static String read(Path file, Streams streams) throws IOException {
    warn(file, streams);
    return Files.readString(file).strip();
  }

  /**
   * Warns if other users may read a secret.
   *
   * @param file the file
   * @param streams where the warning goes
   * @throws IOException if there is no such file
   */
  public static void warn(Path file, Streams streams) throws IOException {
    try {
      Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
      if (granted.contains(PosixFilePermission.OTHERS_READ)) {
        streams
            .err()
            .println(
                "hyperslab: warning: other users may read the secret in "
                    + file
                    + "; chmod 600 "
                    + file);
      }
    } catch (UnsupportedOperationException noPermissionsHere) {
      // Such a file system has other means, of which nothing is known.
    }
  }
}
