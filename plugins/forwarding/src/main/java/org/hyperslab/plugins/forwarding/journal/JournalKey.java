package org.hyperslab.plugins.forwarding.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;

/**
 * The secret key with which a server authenticates its journals (HMAC-SHA256, RFC 2104). It is
 * stored beside the journals and readable only by the server's user, so that a moved folder keeps
 * both. Each server that shares a root has its own folder and key.
 *
 * <p>Thread rule: immutable.
 */
final class JournalKey {

  private static final String ALGORITHM = "HmacSHA256";

  /** The length of an authentication code in bytes. */
  static final int MAC_BYTES = 32;

  private static final int KEY_BYTES = 32;
  private static final String FILE = "key";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final SecretKeySpec key;

  private JournalKey(byte[] bytes) {
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /**
   * Reads the key of a folder. If there is none, creates the folder and a new key.
   *
   * @throws StorageException if the folder is not available or is a symbolic link
   * @throws InvalidUseException if other users may read the key, or it is malformed
   */
  static JournalKey of(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      makeFolder(folder);
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        create(file);
      }
      check(file);
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length != KEY_BYTES) {
        throw refused(file, bytes.length + " bytes, expected=" + KEY_BYTES);
      }
      return new JournalKey(bytes);
    } catch (IOException e) {
      throw new StorageException(
          "key of the journals: actual=" + e + ", expected=a file, at=" + file, e);
    }
  }

  private static void makeFolder(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      DurableFolders.create(folder.getParent());
      DurableFolders.create(folder, permissions(folder, "rwx------"));
    }
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        || Files.isSymbolicLink(folder.getParent())) {
      throw new StorageException(
          "folder of journals: actual=no folder or a symbolic link, expected=a folder, at="
              + folder);
    }
  }

  private static FileAttribute<?>[] permissions(Path file, String text) {
    return hasPermissions(file)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean hasPermissions(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Creates the key atomically, so that two servers that start at the same time get the same key.
   */
  private static void create(Path file) throws IOException {
    byte[] bytes = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(bytes);
    DurableFile.create(file, bytes, permissions(file, "rw-------"));
  }

  private static void check(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(file, "no regular file, expected=one");
    }
    if (hasPermissions(file)
        && !OWNER_ONLY.containsAll(
            Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))) {
      throw refused(
          file,
          PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
              + ", expected=rw-------; anyone who has read it can forge journals: if nobody has, "
              + "chmod 600, otherwise delete it and the files beside it");
    }
  }

  private static InvalidUseException refused(Path file, String actual) {
    return new InvalidUseException("key of the journals: actual=" + actual + ", at=" + file);
  }

  /** {@return a new instance that computes codes with this key} */
  Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has " + ALGORITHM, impossible);
    }
  }
}
