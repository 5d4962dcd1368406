package org.hyperslab.plugins.nativevol.opening;

import java.nio.file.Path;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.file.NamedFiles;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.store.LocalFiles;

/**
 * Finds and opens the files that external links name.
 *
 * <p>The places searched, in order: an absolute name as it is; each prefix of {@code
 * HDF5_EXT_PREFIX}, separated by colons; the prefix of the property {@code externalLinkPrefix}; the
 * folder of the file that holds the link; the name as it is, relative to the working directory. In
 * a prefix, {@code ${ORIGIN}} stands for the folder of the file that holds the link. If an absolute
 * name does not exist, its last component is searched for in the other places. Reference: {@code
 * H5F_prefix_open_file}.
 *
 * <p>Thread rule: any thread.
 */
public final class ExternalFiles {

  private static final String PREFIX = "externalLinkPrefix";

  private final FileLoader loader;

  /**
   * Creates the files that external links name.
   *
   * @param loader opens files
   */
  public ExternalFiles(FileLoader loader) {
    this.loader = loader;
  }

  /**
   * Opens a file that an external link names. The caller releases it.
   *
   * @param from the file that names the other one
   * @param name the other file's name, as stored
   * @param writable whether it is opened for editing
   * @return the objects of the file
   */
  public FileObjects open(NativeFile from, String name, boolean writable) {
    OpenOptions options = NativeFile.closedAsUsual(from.options().withWritable(writable));
    for (Path place :
        NamedFiles.places(from, name, "HDF5_EXT_PREFIX", from.options().properties().get(PREFIX))) {
      if (LocalFiles.of(options).exists(place)) {
        return loader.open(place.toString(), options);
      }
    }
    throw new NotFoundException(
        "target file of an external link: actual=not found, expected="
            + name
            + ", at="
            + from.name());
  }
}
