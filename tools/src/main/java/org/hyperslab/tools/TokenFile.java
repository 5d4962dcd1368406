package org.hyperslab.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Reads a secret from a file.
 *
 * <p>Thread rule: any thread.
 */
final class TokenFile {

  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private TokenFile() {}

  /**
   * Reads a secret, and warns if other users may read it, too.
   *
   * @param file the file
   * @param streams where the warning goes
   * @return its text without white space at both ends
   * @throws IOException if it cannot be read
   */
  static String read(Path file, Streams streams) throws IOException {
    String secret = Files.readString(file).strip();
    try {
      Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
      if (OTHERS.stream().anyMatch(granted::contains)) {
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
    return secret;
  }
}
