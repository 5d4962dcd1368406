package org.hyperslab.plugins.forwarding.wire;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;

/**
 * The name of a unix domain socket in the file system. The socket is made in a folder that nobody
 * else can enter, gets its mode 0600 there, and only then its name: nobody but the server's user
 * can ever connect to it. A socket that was left behind, which nobody listens to, gives up its
 * name; a file of another kind does not.
 *
 * <p>Thread rule: confined to the thread that starts, or ends, the server.
 */
final class UnixSocketFile implements AutoCloseable {

  /** What sockets have in {@code st_mode} where the kind of a file is. */
  private static final int S_IFMT = 0xF000;

  private static final int S_IFSOCK = 0xC000;

  /** The longest path that Linux takes, {@code sun_path} without its end. */
  private static final int LONGEST_PATH_BYTES = 107;

  private final Path path;
  private final Path folder;
  private Object identity;

  private UnixSocketFile(Path path, Path folder) {
    this.path = path;
    this.folder = folder;
  }

  /**
   * The name of an address that has one; its folder is made.
   *
   * @throws InvalidUseException if there is a file of that name that is no socket, or the path is
   *     too long
   * @throws StorageException if somebody listens there, or the folder cannot be made
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
      if (file.hidden().path().getBytes(java.nio.charset.StandardCharsets.UTF_8).length
          > LONGEST_PATH_BYTES) {
        file.close();
        throw new InvalidUseException(
            "unix socket: actual=a path that is too long, expected=a shorter one, at=" + path);
      }
      return Optional.of(file);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static void checkIsFree(Path path) {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if ((mode & S_IFMT) != S_IFSOCK) {
        throw new InvalidUseException(
            "unix socket: actual=a file that is no socket, expected=a free name, at=" + path);
      }
    } catch (IOException e) {
      throw failed(path, e);
    }
    if (answers(path)) {
      throw new StorageException(
          "address: actual=a server listens there, expected=free, at=unix:" + path);
    }
  }

  private static boolean answers(Path path) {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return probe.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      return false;
    }
  }

  /** Where the socket is to be made. */
  Address.Unix hidden() {
    return new Address.Unix(folder.resolve("s").toString());
  }

  /** The socket has been made: shows it, to its user alone. */
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

  /** Removes the name, if it is still this server's. */
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
