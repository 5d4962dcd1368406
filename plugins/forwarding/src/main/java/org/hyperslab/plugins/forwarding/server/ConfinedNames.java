package org.hyperslab.plugins.forwarding.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ConfinedFolder;
import org.hyperslab.format.store.DurableFile;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.journal.DurableFolders;
import org.hyperslab.plugins.forwarding.journal.JournalingConnector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;

/**
 * Resolves the names that clients give to files: paths below one folder, with or without a leading
 * slash. Names that lead out of the folder, through dots or symbolic links, are refused, and the
 * connector is set to confine names within files in the same way.
 *
 * <p>Deletion uses the resolved path, because a Delete has no options to confine it: a local user
 * who may replace folders below the root by symbolic links, and does so between the check and the
 * deletion, can have an HDF5 file outside the root deleted with the server's rights. Do not run a
 * server with more rights than the users who may write below its root.
 *
 * <p>Thread rule: any thread.
 */
final class ConfinedNames {

  /** The property that confines a connector to the folder. */
  private static final String CONFINED_TO = "confinedTo";

  /** The property that names folders within it that are excluded. */
  private static final String APART = "confinedTo.apart";

  /** The prefix of the properties that simulate slow storage, for benchmarks within one process. */
  private static final String COST = "cost.";

  /** The longest name of a file, in characters: the longest path of Linux. */
  private static final int MAX_NAME = 4096;

  /** The longest error message for clients, in characters. */
  private static final int MAX_TEXT = 2048;

  private static final String PAGE_BUFFER = "pageBuffer.bytes";

  /** The largest cache, and the largest page buffer, that a client may request, in bytes. */
  static final long MAX_CACHE_BYTES = 64 << 20;

  /** The server's own folder below the root, which clients cannot name. */
  static final String PRIVATE = ".hyperslab-stage";

  private final Path root;
  private final ConfinedFolder folder;

  /**
   * Creates the names of a server, and its folder if it is missing.
   *
   * @param root the folder
   * @throws StorageException if the folder does not exist and cannot be created
   */
  ConfinedNames(Path root) {
    try {
      DurableFolders.create(root);
      this.root = root.toRealPath();
      this.folder = new ConfinedFolder(this.root, PRIVATE);
    } catch (IOException e) {
      throw new StorageException(
          "folder of the server: actual=" + e + ", expected=a folder, at=" + root, e);
    }
  }

  Path root() {
    return root;
  }

  /** {@return the folder, without the server's own folder in it} */
  ConfinedFolder folder() {
    return folder;
  }

  /**
   * Returns the folder's mark, which is the same for all servers of the folder. The first server
   * creates it.
   *
   * @return the mark
   * @throws StorageException if it cannot be created or read
   */
  String mark() {
    Path mark = root.resolve(PRIVATE).resolve("mark");
    try {
      DurableFile.create(mark, UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
      return Files.readString(mark);
    } catch (IOException | UnsupportedOperationException e) {
      throw new StorageException(
          "mark of the folder: actual=" + e + ", expected=a file that can be linked, at=" + mark,
          e);
    }
  }

  /**
   * Replaces the client's names in an operation by paths, and confines the files that it opens.
   * Missing parent folders of a created file are created too.
   *
   * @param operation the client's operation
   * @return the operation for the connector
   * @throws InvalidUseException if a name leads out of the folder or an option is not allowed
   */
  Operation<?> confined(Operation<?> operation) {
    return switch (operation) {
      case FileOperation.Open o ->
          new FileOperation.Open(o.file(), path(o.name()).toString(), confined(o.options()));
      case FileOperation.Create o -> {
        Path path = path(o.name());
        createFolders(path);
        CreateOptions options = o.options().withAccess(confined(o.options().access()));
        yield new FileOperation.Create(o.file(), path.toString(), options);
      }
      case FileOperation.Exists o -> new FileOperation.Exists(o.none(), path(o.name()).toString());
      case FileOperation.Delete o -> new FileOperation.Delete(o.none(), path(o.name()).toString());
      default -> operation;
    };
  }

  /** Confines the opening of a path that {@link #confined} has returned. */
  FileOperation.Open opening(FileOperation.Open open) {
    return new FileOperation.Open(open.file(), open.name(), confined(open.options()));
  }

  private OpenOptions confined(OpenOptions options) {
    options.properties().keySet().forEach(ConfinedNames::checkProperty);
    long pages = pageBufferBytes(options);
    if (options.cacheBytes() > MAX_CACHE_BYTES || pages > MAX_CACHE_BYTES) {
      throw new InvalidUseException(
          "memory of a file: actual="
              + options.cacheBytes()
              + " bytes of cache, page buffer "
              + pages
              + ", expected=at most "
              + MAX_CACHE_BYTES
              + " of a staging server");
    }
    return options.withProperty(CONFINED_TO, root.toString()).withProperty(APART, PRIVATE);
  }

  /** {@return the size of the page buffer that options request, in bytes} */
  static long pageBufferBytes(OpenOptions options) {
    String pages = options.properties().getOrDefault(PAGE_BUFFER, "0");
    boolean isNumber = !pages.isEmpty() && pages.chars().allMatch(Character::isDigit);
    // The connector refuses a value that is not a number.
    return pages.length() > 18 ? Long.MAX_VALUE : isNumber ? Long.parseLong(pages) : 0;
  }

  private static void checkProperty(String name) {
    if (name.startsWith(COST)) {
      throw new InvalidUseException(
          "property: actual="
              + name
              + ", expected=no property that slows storage down, because it would delay other "
              + "clients of the server");
    }
    if (name.equals(JournalingConnector.DROP_UNFLUSHED)) {
      throw new InvalidUseException(
          "property: actual=" + name + ", expected=one that a staging server knows");
    }
  }

  private static void createFolders(Path file) {
    try {
      DurableFolders.create(file.getParent());
    } catch (IOException e) {
      throw new StorageException(
          "folder: actual=cannot be created, expected=a folder for " + file.getFileName(), e);
    }
  }

  /**
   * Returns the name of a file relative to the folder.
   *
   * @param name the file's path, or its name relative to the folder
   * @return the name, as journals record it
   * @throws InvalidUseException if it leads out of the folder
   */
  String relative(String name) {
    boolean isPath = name.startsWith(root + "/");
    return root.relativize(path(isPath ? name.substring(root.toString().length()) : name))
        .toString();
  }

  private Path path(String name) {
    if (!Files.isDirectory(root)) {
      throw new StorageException(
          "folder of the server: actual=removed, expected=a folder; restore it, or restart the "
              + "server");
    }
    if (name.length() > MAX_NAME) {
      // The message omits the name, because handles that could not be opened keep their failure.
      throw new InvalidUseException(
          "file: actual=a name of " + name.length() + " characters, expected=at most " + MAX_NAME);
    }
    Path path;
    try {
      String relative = name;
      while (relative.startsWith("/")) {
        relative = relative.substring(1);
      }
      path = root.resolve(relative).normalize();
    } catch (InvalidPathException e) {
      throw new NotFoundException("file: actual=" + name + ", expected=a path", e);
    }
    if (!path.startsWith(root) || path.equals(root) || folder.reach(path).isEmpty()) {
      throw new InvalidUseException(
          "file: actual=" + name + ", expected=a name below the folder of the server");
    }
    return path;
  }

  /**
   * Prepares an error message for clients: shortened, with names below the root instead of paths.
   *
   * @param text the message
   * @return the message for clients
   */
  String shown(String text) {
    String below = text.replace(root + "/", "").replace(root.toString(), ".");
    return below.length() <= MAX_TEXT ? below : below.substring(0, MAX_TEXT);
  }

  /** Replaces the path in the information on a file by the client's name for the file. */
  static FileInfo shown(FileInfo info, String name) {
    OpenOptions access = info.creation().access();
    Map<String, String> properties = new HashMap<>(access.properties());
    properties.remove(CONFINED_TO);
    properties.remove(APART);
    OpenOptions clients = access.toBuilder().properties(properties).build();
    return new FileInfo(
        name,
        info.writable(),
        info.superblockVersion(),
        info.sizeBytes(),
        info.freeBytes(),
        info.creation().withAccess(clients),
        info.fileNumber());
  }
}
