package org.hyperslab.format.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/**
 * Opens files below one folder, for clients that may access nothing else. Symbolic links are
 * followed if they lead to a place below the folder that is not excluded.
 *
 * <p>A path is first resolved to its real path, which is then opened component by component with
 * directory handles ({@code openat}) without following links, so that opening fails if a link is
 * inserted in between. If the system has no such handles, the real path is checked again
 * afterwards.
 *
 * <p>Thread rule: immutable.
 */
public final class ConfinedFolder {

  private static final LinkOption[] NO_LINKS = {LinkOption.NOFOLLOW_LINKS};

  private final Path root;
  private final String apart;

  /**
   * Confines files to a folder.
   *
   * @param root the folder
   * @param apart the name of folders that are excluded, in letters of any case, at any depth; empty
   *     if there are none
   * @throws NotFoundException if the folder does not exist
   */
  public ConfinedFolder(Path root, String apart) {
    this.apart = apart;
    try {
      this.root = root.toRealPath();
    } catch (IOException e) {
      throw new NotFoundException(
          "folder: actual=" + e + ", expected=existing folder, at=" + root, e);
    }
  }

  /** {@return the folder's real path} */
  public Path root() {
    return root;
  }

  /**
   * {@return the real path of the file that a path names, or would name if it were created; empty
   * if it is out of reach} Out of reach is what is outside, excluded, a link to nothing, or below
   * something that is not a folder.
   *
   * @param path the file's path
   */
  public Optional<Path> reach(Path path) {
    try {
      Path given = path.toAbsolutePath().normalize();
      Deque<Path> missing = new ArrayDeque<>();
      Path existing = given;
      while (existing != null && !Files.exists(existing, NO_LINKS)) {
        missing.push(existing.getFileName());
        existing = existing.getParent();
      }
      if (existing == null) {
        return Optional.empty();
      }
      Path real = existing.toRealPath();
      for (Path name : missing) {
        real = real.resolve(name);
      }
      return Optional.of(real).filter(this::isReachable);
    } catch (IOException danglingOrUnreadable) {
      return Optional.empty();
    }
  }

  private boolean isReachable(Path real) {
    if (!real.startsWith(root)) {
      return false;
    }
    for (Path name : root.relativize(real)) {
      if (!apart.isEmpty() && name.toString().equalsIgnoreCase(apart)) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return whether there is a file or a folder that may be accessed}
   *
   * @param path the file's path
   */
  public boolean exists(Path path) {
    return reach(path).filter(real -> Files.exists(real, NO_LINKS)).isPresent();
  }

  /**
   * Opens a file.
   *
   * @throws NotFoundException if it is out of reach
   * @throws IOException if it cannot be opened, or is not a file and may not be created
   */
  FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
    Path real = require(path);
    Set<OpenOption> all = new HashSet<>(options);
    all.add(LinkOption.NOFOLLOW_LINKS);
    try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
      if (top instanceof SecureDirectoryStream<Path> handle) {
        Path below = root.relativize(real);
        return walk(handle, below, 0, all);
      }
    }
    checkIsFile(Files.getFileAttributeView(real, BasicFileAttributeView.class, NO_LINKS), path);
    FileChannel channel = FileChannel.open(real, all);
    if (!real.toRealPath().equals(real)) {
      channel.close();
      throw outOfReach(path);
    }
    return channel;
  }

  private FileChannel walk(
      SecureDirectoryStream<Path> folder, Path below, int depth, Set<OpenOption> options)
      throws IOException {
    Path name = below.getName(depth);
    if (depth + 1 < below.getNameCount()) {
      try (SecureDirectoryStream<Path> next =
          folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        checkIsNotApart(next, below);
        return walk(next, below, depth + 1, options);
      }
    }
    checkIsFile(folder.getFileAttributeView(name, BasicFileAttributeView.class, NO_LINKS), below);
    SeekableByteChannel channel = folder.newByteChannel(name, options);
    if (channel instanceof FileChannel file) {
      return file;
    }
    channel.close();
    throw new IOException("the file system gives no file channels");
  }

  /**
   * Requires that a folder is not excluded. It is compared by identity, because file systems differ
   * in the names that they consider equal.
   */
  private void checkIsNotApart(SecureDirectoryStream<Path> folder, Path below) throws IOException {
    Path kept = root.resolve(apart);
    if (apart.isEmpty() || !Files.exists(kept, NO_LINKS)) {
      return;
    }
    Object identity = Files.readAttributes(kept, BasicFileAttributes.class, NO_LINKS).fileKey();
    Object actual =
        folder.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
    if (identity != null && identity.equals(actual)) {
      throw outOfReach(below);
    }
  }

  /** Requires a regular file, because opening a pipe would block. */
  private static void checkIsFile(BasicFileAttributeView view, Path path) throws IOException {
    try {
      if (!view.readAttributes().isRegularFile()) {
        throw new IOException("not a regular file: " + path.getFileName());
      }
    } catch (NoSuchFileException toBeMade) {
      return; // if it is absent, opening it reports that
    }
  }

  /**
   * Returns the identity of a file that may be accessed, as {@link BasicFileAttributes#fileKey}.
   */
  Object key(Path path) throws IOException {
    return Files.readAttributes(require(path), BasicFileAttributes.class, NO_LINKS).fileKey();
  }

  /**
   * Requires that a descriptor of this process refers to a path, on Linux by the kernel's record of
   * it.
   *
   * @throws StorageException if it does not refer to the file of this path
   */
  void check(PosixFile file, Path path) {
    try {
      if (!Files.readSymbolicLink(file.link()).equals(require(path))) {
        throw outOfReach(path);
      }
    } catch (IOException unknown) {
      throw new StorageException(
          "open file: actual=" + unknown + ", expected=a file descriptor known to the " + "system",
          unknown);
    }
  }

  private Path require(Path path) {
    return reach(path).orElseThrow(() -> outOfReach(path));
  }

  private static NotFoundException outOfReach(Path path) {
    return new NotFoundException(
        "file: actual=" + path.getFileName() + " outside the folder, expected=a file below it");
  }
}
