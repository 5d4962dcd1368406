package org.hyperslab.convert;

import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.hyperslab.convert.detect.KindDetection;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Checks of a conversion before anything is read or written.
 *
 * <p>Thread rule: stateless.
 */
final class ConversionChecks {

  private ConversionChecks() {}

  /** Checks that a file belongs to the file system of this machine. */
  static void requireLocal(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new UnsupportedFeatureException(
          "file system: actual="
              + path.getFileSystem().provider().getScheme()
              + ", expected=a file of this machine's file system, at="
              + path);
    }
  }

  /** Checks that an output is neither the input nor a folder that has it. */
  static void requireOther(Path in, Path out) {
    if (KindDetection.isWithin(in, out)) {
      throw new InvalidUseException(
          "output: actual=the input, or a folder with it, expected=another file, at=" + out);
    }
  }

  /** Checks that nothing is at the place of an output, or may be replaced. */
  static void requireFree(Path out, ConversionOptions options) {
    if (!options.replace() && Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
      throw new AlreadyExistsException(
          "output: actual=exists, expected=a new file; use --replace to replace it, at=" + out);
    }
    if (Files.isDirectory(out) && KindDetection.ofFolder(out).isEmpty()) {
      throw new InvalidUseException(
          "output: actual=a folder of other files, expected=a file, a Zarr store or nothing, at="
              + out);
    }
  }

  /** Checks that options of a table are given only where there is one. */
  static void requireTable(ConversionKinds kinds, ConversionOptions options) {
    boolean isGiven =
        options.delimiter().isPresent() || !options.table().equals(TableOptions.DEFAULT);
    if (isGiven && !kinds.from().isTable() && !kinds.to().isTable()) {
      throw new InvalidUseException(
          "options of a table: actual=a conversion from "
              + kinds.from().option()
              + " to "
              + kinds.to().option()
              + ", expected=csv or tsv on one side; leave --delimiter, --header, --na, --units-row"
              + " and --encoding out");
    }
  }
}
