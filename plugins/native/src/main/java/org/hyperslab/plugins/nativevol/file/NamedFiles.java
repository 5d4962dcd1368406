package org.hyperslab.plugins.nativevol.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.NotFoundException;

/** Where files may be that are named in other files. */
public final class NamedFiles {

  /**
   * The property of an opening that confines what its file names in other files, be it by external
   * links, external raw files or virtual sources: a folder, and what is not below it is not found.
   */
  public static final String CONFINED_TO = "confinedTo";

  private static final String ORIGIN = "${ORIGIN}";

  private NamedFiles() {}

  /**
   * Where a file that is named in another may be, the first first: at the prefixes of an
   * environment variable, at that of a property of the opening, beside the other file, in the
   * working directory.
   *
   * @param from the file that holds the name
   * @param name the name
   * @param environment the environment variable, which holds prefixes separated by colons
   * @param property the property that holds a prefix
   * @throws NotFoundException if the name cannot be a path
   */
  public static List<Path> places(
      NativeFile from, String name, String environment, String property) {
    try {
      Path given = Path.of(name);
      Path origin = Path.of(from.name()).toAbsolutePath().getParent();
      List<Path> places = new ArrayList<>();
      Path relative = given;
      if (given.isAbsolute()) {
        places.add(given);
        relative = given.getFileName() == null ? given : given.getFileName();
      }
      String prefixes = System.getenv(environment);
      for (String prefix : prefixes == null ? new String[0] : prefixes.split(":")) {
        places.add(prefixed(prefix, origin, relative));
      }
      String own = from.options().properties().get(property);
      if (own != null) {
        places.add(prefixed(own, origin, relative));
      }
      places.add(origin.resolve(relative));
      places.add(relative);
      return confined(places, from, name);
    } catch (InvalidPathException notAPath) {
      throw new NotFoundException(
          "file named in another: actual=" + name + ", expected=a path, at=" + from.name(),
          notAPath);
    }
  }

  private static List<Path> confined(List<Path> places, NativeFile from, String name) {
    String root = from.options().properties().get(CONFINED_TO);
    if (root == null) {
      return places;
    }
    List<Path> inside = new ArrayList<>(places);
    inside.add(Path.of(root, name)); // The folder is the working directory of those confined to it.
    inside.removeIf(place -> !isBelow(place, Path.of(root)));
    if (inside.isEmpty()) {
      throw new NotFoundException(
          "file named in another: actual="
              + name
              + " outside of the folder that the file is confined to, expected=below it, at="
              + from.name());
    }
    return inside;
  }

  /**
   * Whether a path, with the symbolic links in the part of it that exists followed, is below a
   * folder.
   */
  public static boolean isBelow(Path path, Path root) {
    try {
      Path folder = root.toRealPath();
      Path existing = path.toAbsolutePath().normalize();
      while (existing != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
        existing = existing.getParent();
      }
      return existing != null
          && path.toAbsolutePath().normalize().startsWith(root.toAbsolutePath().normalize())
          && existing.toRealPath().startsWith(folder);
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static Path prefixed(String prefix, Path origin, Path name) {
    return Path.of(prefix.replace(ORIGIN, origin.toString())).resolve(name);
  }
}
