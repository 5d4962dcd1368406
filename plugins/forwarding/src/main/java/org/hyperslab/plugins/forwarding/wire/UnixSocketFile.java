package org.hyperslab.plugins.forwarding.wire;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.forwarding.Address;

/**
 * Creates and deletes the file of a unix domain socket. The socket is created in a folder that no
 * other user can enter, gets mode 0600 there, and is then moved to its path, so that only the
 * server's user can ever connect to it. A stale socket at the path is replaced; any other file is
 * left unchanged.
 *
 * <p>Thread rule: confined to the thread that starts or stops the server.
 */
final class UnixSocketFile implements AutoCloseable {

  /** The mask of the file type in {@code st_mode}. */
  private static final int S_IFMT = 0xF000;

  private static final int S_IFSOCK = 0xC000;

  /** The longest path that Linux accepts, {@code sun_path} without its terminator. */
  private static final int LONGEST_PATH_BYTES = 107;

  private final Path path;
  private final Path folder;
  private Object identity;

  private UnixSocketFile(Path path, Path folder) {
    this.path = path;
    this.folder = folder;
  }

  /**
   * Prepares the file of an address.
   *
   * @param address the address
   * @return the file, or empty if the address is not a unix socket
   * @throws InvalidUseException if the path names a file that is not a socket, or is too long
   * @throws StorageException if another server listens there, or the folder cannot be created
   */
  static Optional<UnixSocketFile> of(Address address) {
    if (!(address instanceof Address.Unix unix)) {
      return Optional.empty();
    }
    Path path = Path.of(unix.path()).toAbsolutePath();
    checkIsFree(path);
    try {
      Path folder =
          Files.createTempDirectory(
              path.getParent(),
              ".s",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      UnixSocketFile file = new UnixSocketFile(path, folder);
      // Clients connect to the path as it is given, which may be the longer one.
      if (isTooLong(file.hidden().path()) || isTooLong(unix.path())) {
        file.close();
        throw new InvalidUseException(
            "unix socket: actual=a path that is too long, expected=a shorter one, at=" + path);
      }
      return Optional.of(file);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static boolean isTooLong(String path) {
    return path.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH_BYTES;
  }

  private static void checkIsFree(Path path) {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if ((mode & S_IFMT) != S_IFSOCK) {
        throw new InvalidUseException(
            "unix socket: actual=a file that is not a socket, expected=an unused name, at=" + path);
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
    if (answers(path)) {
      throw new StorageException(
          "address: actual=in use by another server, expected=free, at=unix:" + path);
    }
  }

  private static boolean answers(Path path) {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return probe.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      return false;
    }
  }

  /** {@return the address at which the socket is to be created} */
  Address.Unix hidden() {
    return new Address.Unix(folder.resolve("s").toString());
  }

  /** Moves the created socket to its path. */
  void show() {
    Path made = Path.of(hidden().path());
    try {
      Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
      identity = key(made);
      checkIsFree(path);
      Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
      Files.delete(folder);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /** Deletes the socket, unless it has been replaced by another server's. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(Path.of(hidden().path()));
      Files.deleteIfExists(folder);
      if (identity != null
          && Files.exists(path, LinkOption.NOFOLLOW_LINKS)
          && identity.equals(key(path))) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static StorageException failed(Path path, IOException e) {
    return new StorageException("unix socket: actual=" + e + ", at=" + path, e);
  }
}
