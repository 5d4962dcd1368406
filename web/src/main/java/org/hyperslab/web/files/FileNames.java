package org.hyperslab.web.files;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ConfinedFolder;

/**
 * The names of the served files. Names given by clients are resolved only here: a file that was not
 * named when the server was started is not found.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface FileNames {

  /** The maximum number of files listed of a folder. */
  int MAX_FILES = 10_000;

  /** The maximum number of entries of a folder, and of the folders below it, that are visited. */
  int MAX_ENTRIES = 200_000;

  /** {@return the current names, in order} */
  List<String> all();

  /**
   * {@return the target of a name; empty if there is no such name}
   *
   * @param name a name, as a client gives it
   */
  Optional<Target> find(String name);

  /**
   * {@return a message in which places of this machine are replaced by the names of files}
   *
   * @param message the message
   */
  String withoutPlaces(String message);

  /**
   * {@return a message without the path of a folder before names in it}
   *
   * @param message the message
   * @param folder the folder
   */
  private static String within(String message, Path folder) {
    String place = folder.toString();
    return place.equals("/")
        ? message
        : message.replace(place + "/", "").replace(place, "the folder");
  }

  /**
   * The target of a name.
   *
   * @param opened the path or URI that is opened
   * @param local the file, if it is on this machine
   * @param confinedTo the folder to which names inside the file are confined; empty if the
   *     connector decides
   */
  record Target(String opened, Optional<Path> local, Optional<Path> confinedTo) {}

  /**
   * {@return the names of the files below a folder, or of one file, on this machine}
   *
   * @param path the folder or the file
   * @throws NotFoundException if it does not exist
   * @throws StorageException if it cannot be read
   * @throws UnsupportedFeatureException if it is a file and none of HDF5
   */
  static FileNames of(Path path) {
    try {
      Path real = path.toRealPath();
      if (!Files.isReadable(real) || (Files.isDirectory(real) && !Files.isExecutable(real))) {
        throw new StorageException(
            "file or folder: actual=not readable, expected=readable by this user, at=" + path);
      }
      if (Files.isDirectory(real)) {
        return new InFolder(new ConfinedFolder(real, ""));
      }
      if (Files.isRegularFile(real) && !FileSignature.isIn(real)) {
        throw new UnsupportedFeatureException(
            "file or folder: actual=a file without the signature of HDF5, expected=an HDF5 file, a"
                + " folder of such files or a Zarr store, at="
                + path);
      }
      Target target =
          new Target(real.toString(), Optional.of(real), Optional.ofNullable(real.getParent()));
      return new One(path.getFileName().toString(), target);
    } catch (IOException e) {
      if (e instanceof NoSuchFileException) {
        throw new NotFoundException("file or folder: actual=none, expected=one, at=" + path, e);
      }
      throw new StorageException(
          "file or folder: actual=" + e + ", expected=readable by this user, at=" + path, e);
    }
  }

  /**
   * {@return the name of one file that a connector opens}
   *
   * @param opened the path or URI to open
   */
  static FileNames opened(String opened) {
    return new One(name(opened), new Target(opened, Optional.empty(), Optional.empty()));
  }

  /** Returns a URI without its query and its user, which may hold secrets; a path as it is. */
  private static String name(String opened) {
    return opened.contains("://")
        ? opened.replaceFirst("[?#].*", "").replaceFirst("://[^/@]*@", "://")
        : opened;
  }

  /**
   * The name of one file.
   *
   * @param name its name
   * @param target the target to open
   */
  record One(String name, Target target) implements FileNames {
    @Override
    public List<String> all() {
      return List.of(name);
    }

    @Override
    public String withoutPlaces(String message) {
      return target.confinedTo().map(folder -> within(message, folder)).orElse(message);
    }

    @Override
    public Optional<Target> find(String given) {
      return Optional.of(target).filter(one -> name.equals(given));
    }
  }

  /**
   * The HDF5 files below a folder, in their current state.
   *
   * @param folder the folder to which opening is confined
   */
  record InFolder(ConfinedFolder folder) implements FileNames {

    private static final int DEPTH = 32;
    private static final Set<String> SUFFIXES =
        Set.of("h5", "hdf5", "he5", "nc", "nc4", "hdf", "nxs", "cxi", "mat");

    @Override
    public List<String> all() {
      return all(MAX_ENTRIES);
    }

    /** Returns the names that are found among a number of entries. */
    public List<String> all(int most) {
      List<String> names = new ArrayList<>();
      try {
        // Links are not followed: they could lead out of the folder or form a cycle.
        Files.walkFileTree(
            folder.root(), EnumSet.noneOf(FileVisitOption.class), DEPTH, new Names(names, most));
      } catch (IOException e) {
        throw new StorageException(
            "folder: actual=" + e + ", expected=a readable folder, at=" + folder.root(), e);
      }
      names.sort(null);
      return names;
    }

    @Override
    public String withoutPlaces(String message) {
      return within(message, folder.root());
    }

    @Override
    public Optional<Target> find(String given) {
      try {
        Path path = folder.root().resolve(given);
        if (given.isEmpty() || given.startsWith("/") || !path.equals(path.normalize())) {
          return Optional.empty();
        }
        return folder
            .reach(path)
            .filter(real -> Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS))
            .map(
                real -> new Target(real.toString(), Optional.of(real), Optional.of(folder.root())));
      } catch (InvalidPathException malformed) {
        return Optional.empty();
      }
    }

    private final class Names extends SimpleFileVisitor<Path> {
      private final List<String> names;

      /** The number of entries that may still be visited. */
      private int left;

      private Names(List<String> names, int most) {
        this.names = names;
        this.left = most;
      }

      private FileVisitResult next() {
        left--;
        return names.size() < MAX_FILES && left > 0
            ? FileVisitResult.CONTINUE
            : FileVisitResult.TERMINATE;
      }

      @Override
      public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
        return next();
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile() && isHdf5(file)) {
          names.add(folder.root().relativize(file).toString());
        }
        return next();
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException failure) {
        return next(); // unreadable files are not listed
      }
    }

    private static boolean isHdf5(Path file) {
      String name = file.getFileName().toString();
      String suffix = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
      return SUFFIXES.contains(suffix) || FileSignature.begins(file);
    }
  }
}
