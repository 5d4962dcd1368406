package org.hyperslab.plugins.nativevol;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.object.FileLoader;
import org.hyperslab.plugins.nativevol.object.FileObjects;

/**
 * Finds and opens the files that external links name.
 *
 * <p>Places, in order: an absolute name as it is; each prefix of {@code HDF5_EXT_PREFIX}, separated by
 * colons; the prefix of the property {@code externalLinkPrefix}; the folder of the file that holds the
 * link; the name as it is, from the working directory. In a prefix, {@code ${ORIGIN}} is the folder of
 * the file that holds the link. An absolute name that does not exist is tried without its folders in
 * the other places. Reference: {@code H5F_prefix_open_file}.
 *
 * <p>Thread rule: any thread.
 */
final class ExternalFiles {

  private static final String PREFIX = "externalLinkPrefix";
  private static final String ORIGIN = "${ORIGIN}";

  private final FileLoader loader;

  ExternalFiles(FileLoader loader) {
    this.loader = loader;
  }

  /**
   * Opens a file that is named in another; to be released.
   *
   * @param writable whether it is opened for editing
   */
  FileObjects open(NativeFile from, String name, boolean writable) {
    OpenOptions options = from.options().withWritable(writable);
    for (Path place : places(from, name, "HDF5_EXT_PREFIX", PREFIX)) {
      if (Files.exists(place)) {
        return loader.open(place.toString(), options);
      }
    }
    throw new NotFoundException(
        "file of external link: actual=not found, expected=" + name + ", at=" + from.name());
  }

  /** Where a file that is named in another may be, the first first. */
  static List<Path> places(
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
      return places;
    } catch (InvalidPathException notAPath) {
      throw new NotFoundException(
          "file named in another: actual=" + name + ", expected=a path, at=" + from.name(),
          notAPath);
    }
  }

  private static Path prefixed(String prefix, Path origin, Path name) {
    return Path.of(prefix.replace(ORIGIN, origin.toString())).resolve(name);
  }
}
