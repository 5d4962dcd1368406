package org.hyperslab.plugins.nativevol.file;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.plugins.nativevol.store.LocalFiles;

/** Finds files that are named in other files. */
public final class NamedFiles {

  private static final String ORIGIN = "${ORIGIN}";

  private NamedFiles() {}

  /**
   * {@return the places where a file that is named in another may be, in order of preference}
   *
   * <p>They are at the prefixes of an environment variable, at that of a property of the opening,
   * beside the other file, in the working directory, and beside what a symbolic link to the other
   * file leads to.
   *
   * @param from the file that holds the name
   * @param name the name
   * @param environment the environment variable, which holds prefixes separated by colons
   * @param own the prefix of the opening; null if it has none
   * @throws NotFoundException if the name cannot be a path
   */
  public static List<Path> places(NativeFile from, String name, String environment, String own) {
    return confined(candidates(from, name, environment, own), from, name);
  }

  /**
   * {@return the places of {@link #places} that an opening may reach; none if all are outside the
   * folder to which it is confined}
   *
   * @param from the file that holds the name
   * @param name the name
   * @param environment the environment variable, which holds prefixes separated by colons
   * @param own the prefix of the opening; null if it has none
   * @throws NotFoundException if the name cannot be a path
   */
  public static List<Path> reachable(NativeFile from, String name, String environment, String own) {
    return reachable(candidates(from, name, environment, own), from, name);
  }

  /**
   * {@return whether a name may be that of a file outside the folder to which an opening is
   * confined}
   *
   * @param from the file that holds the name
   * @param name the name
   * @throws NotFoundException if the name cannot be a path
   */
  public static boolean mayBeOutside(NativeFile from, String name) {
    if (from.options().properties().get(LocalFiles.CONFINED_TO) == null) {
      return false;
    }
    try {
      Path named = LocalPaths.of(from.name()).toAbsolutePath().resolveSibling(name);
      return LocalFiles.of(from.options()).reachable(List.of(named)).isEmpty();
    } catch (InvalidPathException notAPath) {
      throw notAPath(from, name, notAPath);
    }
  }

  private static List<Path> candidates(
      NativeFile from, String name, String environment, String own) {
    try {
      Path given = LocalPaths.of(name);
      Path origin = LocalPaths.of(from.name()).toAbsolutePath().getParent();
      List<Path> places = new ArrayList<>();
      Path relative = given;
      if (given.isAbsolute()) {
        places.add(given);
        relative = given.getFileName() == null ? given : given.getFileName();
      }
      for (String prefix : prefixes(environment)) {
        places.add(prefixed(prefix, origin, relative));
      }
      if (own != null) {
        places.add(prefixed(own, origin, relative));
      }
      places.add(origin.resolve(relative));
      places.add(relative);
      places.add(realFolder(from, origin).resolve(relative));
      return places;
    } catch (InvalidPathException notAPath) {
      throw notAPath(from, name, notAPath);
    }
  }

  /**
   * {@return the places where a file that is named in another may be if only a prefix says where:
   * at those of an environment variable, at the prefix without one}
   *
   * @param from the file that holds the name
   * @param name the name
   * @param environment the environment variable, which holds prefixes separated by colons
   * @param own the prefix
   * @throws NotFoundException if the name cannot be a path
   */
  public static List<Path> placesAt(NativeFile from, String name, String environment, String own) {
    try {
      Path given = LocalPaths.of(name);
      Path origin = LocalPaths.of(from.name()).toAbsolutePath().getParent();
      String[] prefixes = prefixes(environment);
      List<Path> places = new ArrayList<>();
      for (String prefix : prefixes.length == 0 ? new String[] {own} : prefixes) {
        places.add(prefixed(prefix, origin, given));
      }
      return confined(places, from, name);
    } catch (InvalidPathException notAPath) {
      throw notAPath(from, name, notAPath);
    }
  }

  private static String[] prefixes(String environment) {
    String prefixes = System.getenv(environment);
    return prefixes == null || prefixes.isEmpty() ? new String[0] : prefixes.split(":");
  }

  private static NotFoundException notAPath(
      NativeFile from, String name, InvalidPathException cause) {
    return new NotFoundException(
        "file named in another: actual=" + name + ", expected=a path, at=" + from.name(), cause);
  }

  /** Returns the folder of a file behind symbolic links; that of its name if there is none. */
  private static Path realFolder(NativeFile from, Path origin) {
    try {
      return LocalPaths.of(from.name()).toRealPath().getParent();
    } catch (IOException notThere) {
      return origin;
    }
  }

  private static List<Path> reachable(List<Path> places, NativeFile from, String name) {
    String root = from.options().properties().get(LocalFiles.CONFINED_TO);
    if (root == null) {
      return places;
    }
    List<Path> inside = new ArrayList<>(places);
    inside.add(
        LocalPaths.of(root + "/" + name)); // The folder takes the place of the working directory.
    return LocalFiles.of(from.options()).reachable(inside);
  }

  private static List<Path> confined(List<Path> places, NativeFile from, String name) {
    List<Path> reachable = reachable(places, from, name);
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
    return LocalPaths.of(prefix.replace(ORIGIN, origin.toString())).resolve(name);
  }
}
