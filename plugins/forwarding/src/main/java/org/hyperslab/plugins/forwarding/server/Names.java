package org.hyperslab.plugins.forwarding.server;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;

/**
 * Files by the names that clients give: paths below one folder, whatever they begin with. What
 * leads out of the folder, by dots or by symbolic links, is refused; the connector is told to keep
 * what files name in other files there too.
 *
 * <p>Thread rule: any thread.
 */
final class Names {

  /** The properties by which a connector hears of the folder, and of what is apart in it. */
  private static final String CONFINED_TO = "confinedTo";

  private static final String APART = "confinedTo.apart";

  /** What properties begin with that make storage dear, for benchmarks in one process. */
  private static final String COST = "cost.";

  /** Characters of a file's name, at most: what Linux takes in one path. */
  private static final int LONGEST_NAME = 4096;

  /** Characters of a text that clients are told, at most. */
  private static final int LONGEST_TEXT = 2048;

  private static final String PAGE_BUFFER = "pageBuffer.bytes";

  /** The most memory that a client may ask for to keep a file's bytes in. */
  private static final long MOST_CACHE_BYTES = 64 << 20;

  /** The server's own folder below the root, which clients cannot name. */
  static final String PRIVATE = ".hyperslab-stage";

  private final Path root;
  private final ConfinedFolder folder;

  Names(Path root) {
    try {
      Files.createDirectories(root);
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

  /** Opens what is below the root, but for what is the server's own. */
  ConfinedFolder folder() {
    return folder;
  }

  /**
   * The folder's mark: the same for all servers that see it, made by the first of them.
   *
   * @throws StorageException if it cannot be made or read
   */
  String mark() {
    Path mark = root.resolve(PRIVATE).resolve("mark");
    try {
      Files.createDirectories(mark.getParent());
      Path mine = Files.createTempFile(mark.getParent(), "mark", ".new");
      Files.writeString(mine, UUID.randomUUID().toString());
      try {
        Files.createLink(mark, mine); // whole, or not at all
      } catch (FileAlreadyExistsException another) {
        return Files.readString(mark);
      } finally {
        Files.delete(mine);
      }
      return Files.readString(mark);
    } catch (IOException | UnsupportedOperationException e) {
      throw new StorageException(
          "mark of the folder: actual=" + e + ", expected=a file that can be linked, at=" + mark,
          e);
    }
  }

  /** The operation with the names that the connector understands. */
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

  /** The opening of a name that has been confined. */
  FileOperation.Open opening(FileOperation.Open open) {
    return new FileOperation.Open(open.file(), open.name(), confined(open.options()));
  }

  private OpenOptions confined(OpenOptions options) {
    options.properties().keySet().forEach(Names::checkProperty);
    String pages = options.properties().getOrDefault(PAGE_BUFFER, "0");
    if (pages.length() > 18 || options.cacheBytes() > MOST_CACHE_BYTES || isLarge(pages)) {
      throw new InvalidUseException(
          "memory of a file: actual="
              + options.cacheBytes()
              + " bytes of cache, page buffer "
              + pages
              + ", expected=at most "
              + MOST_CACHE_BYTES
              + " of a staging server");
    }
    return options.withProperty(CONFINED_TO, root.toString()).withProperty(APART, PRIVATE);
  }

  private static boolean isLarge(String bytes) {
    return bytes.chars().allMatch(Character::isDigit)
        && !bytes.isEmpty()
        && Long.parseLong(bytes) > MOST_CACHE_BYTES;
  }

  private static void checkProperty(String name) {
    if (name.startsWith(COST)) {
      throw new InvalidUseException(
          "property: actual="
              + name
              + ", expected=none that makes storage dear, which holds up a server's other clients");
    }
  }

  private static void createFolders(Path file) {
    try {
      Files.createDirectories(file.getParent());
    } catch (IOException e) {
      throw new StorageException(
          "folder: actual=cannot be made, expected=a folder for " + file.getFileName(), e);
    }
  }

  private Path path(String name) {
    if (!Files.isDirectory(root)) {
      throw new StorageException(
          "folder of the server: actual=gone, expected=a folder; bring it back, or start the server"
              + " anew");
    }
    if (name.length() > LONGEST_NAME) {
      // Without the name: handles that could not be opened keep their failure.
      throw new InvalidUseException(
          "file: actual=a name of "
              + name.length()
              + " characters, expected=at most "
              + LONGEST_NAME);
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
   * A text as clients are told it: cut if it is long, with names below the root instead of paths.
   */
  String told(String text) {
    String below = text.replace(root + "/", "").replace(root.toString(), ".");
    return below.length() <= LONGEST_TEXT ? below : below.substring(0, LONGEST_TEXT);
  }

  /** What a client is told of a file: by its own name, without the folder. */
  static FileInfo told(FileInfo info, String name) {
    OpenOptions access = info.creation().access();
    Map<String, String> properties = new HashMap<>(access.properties());
    properties.remove(CONFINED_TO);
    properties.remove(APART);
    OpenOptions shown =
        new OpenOptions(
            access.writable(),
            access.swmr(),
            access.locking(),
            access.durability(),
            access.low(),
            access.high(),
            access.cacheBytes(),
            access.threads(),
            properties);
    return new FileInfo(
        name,
        info.writable(),
        info.superblockVersion(),
        info.sizeBytes(),
        info.freeBytes(),
        info.creation().withAccess(shown),
        info.fileNumber());
  }
}
