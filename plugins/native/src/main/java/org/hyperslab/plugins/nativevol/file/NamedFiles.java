package org.hyperslab.plugins.nativevol.file;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.NotFoundException;

/** Finds files that are named in other files. */
public final class NamedFiles {

  private static final String ORIGIN = "${ORIGIN}";

  private NamedFiles() {}

  /**
   * {@return the places where a file that is named in another may be, in order of preference: at
   * the prefixes of an environment variable, at that of a property of the opening, beside the other
   * file, in the working directory, beside what a symbolic link to the other file leads to}
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
      places.add(realFolder(from, origin).resolve(relative));
      return confined(places, from, name);
    } catch (InvalidPathException notAPath) {
      throw new NotFoundException(
          "file named in another: actual=" + name + ", expected=a path, at=" + from.name(),
          notAPath);
    }
  }

  /** Returns the folder of a file behind symbolic links; that of its name if there is none. */
  private static Path realFolder(NativeFile from, Path origin) {
    try {
      return Path.of(from.name()).toRealPath().getParent();
    } catch (IOException notThere) {
      return origin;
    }
  }

  private static List<Path> confined(List<Path> places, NativeFile from, String name) {
    String root = from.options().properties().get(LocalFiles.CONFINED_TO);
    if (root == null) {
      return places;
    }
    List<Path> inside = new ArrayList<>(places);
    inside.add(Path.of(root, name)); // The folder takes the place of the working directory.
    List<Path> reachable = LocalFiles.of(from.options()).reachable(inside);
    if (reachable.isEmpty()) {
      throw new NotFoundException(
          "file named in another: actual="
              + name
              + " outside the folder to which files are confined, expected=below it, at="
              + from.name());
    }
    return reachable;
  }

  private static Path prefixed(String prefix, Path origin, Path name) {
    return Path.of(prefix.replace(ORIGIN, origin.toString())).resolve(name);
  }
}
