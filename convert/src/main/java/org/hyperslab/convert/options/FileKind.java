package org.hyperslab.convert.options;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;

/** A format that files are converted from or to. */
public enum FileKind {
  /** An HDF5 file without other conventions. */
  HDF5("hdf5", ".h5", ".hdf5", ".he5"),
  /** netCDF-4: HDF5 with netCDF's conventions. */
  NETCDF4("netcdf4", ".nc4"),
  /** netCDF-4 in the classic model, which has no groups, strings or user-defined types. */
  NETCDF4_CLASSIC("netcdf4_classic", ".nc7"),
  /** A NumPy array. */
  NPY("npy", ".npy"),
  /** A zip archive of NumPy arrays. */
  NPZ("npz", ".npz"),
  /** A classic netCDF file; as an output, in the oldest version that can hold the input. */
  NETCDF("netcdf", ".nc", ".cdf", ".nc3"),
  /** A classic netCDF file with 32-bit offsets. */
  CDF1("cdf1"),
  /** A classic netCDF file with 64-bit offsets. */
  CDF2("cdf2"),
  /** A classic netCDF file with 64-bit sizes. */
  CDF5("cdf5", ".nc5"),
  /** A Zarr version 2 hierarchy in a folder or a zip archive. */
  ZARR2("zarr2", ".zarr", ".zarr2", ".zarr.zip"),
  /** A Zarr version 3 hierarchy in a folder or a zip archive. */
  ZARR3("zarr3", ".zarr3", ".zarr3.zip"),
  /**
   * A table whose cells are separated by commas; as an input, by commas, semicolons, tabs or
   * vertical bars.
   */
  CSV("csv", ".csv", ".csv.gz"),
  /** A table whose cells are separated by tabs. */
  TSV("tsv", ".tsv", ".tab", ".tsv.gz", ".tab.gz"),
  /** Elements without a header; an input needs a description. */
  RAW("raw", ".raw", ".bin"),
  /** An HDF5 file divided into members of equal size, with {@code %d} in its name; input only. */
  FAMILY("family"),
  /** An HDF5 file divided into one file of metadata and one of raw data; input only. */
  SPLIT("split"),
  /** An HDF5 file divided into one file for each kind of data; input only. */
  MULTI("multi"),
  /**
   * An HDF5 file divided into stripes by HDF5's subfiling driver, named by its stub or its {@code
   * .config} file; input only.
   */
  SUBFILING("subfiling"),
  /** A text file that names the files of the ranks of a job; input only. */
  PARTS("parts", ".parts");

  private final String option;
  private final List<String> endings;

  FileKind(String option, String... endings) {
    this.option = option;
    this.endings = List.of(endings);
  }

  /**
   * Returns the name of this format for {@code --from} and {@code --to}.
   *
   * @return the name, in lower case
   */
  public String option() {
    return option;
  }

  /**
   * Returns the format with a name.
   *
   * @param word the name, in any case
   * @return the format
   * @throws InvalidUseException if there is no such format
   */
  public static FileKind ofOption(String word) {
    for (FileKind kind : values()) {
      if (kind.option.equals(word.toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new InvalidUseException("format: actual=" + word + ", expected=one of " + options());
  }

  /**
   * Returns the names of all formats.
   *
   * @return the names, separated by commas
   */
  public static String options() {
    return Arrays.stream(values()).map(FileKind::option).collect(Collectors.joining(", "));
  }

  /**
   * Returns whether a file name has an extension of this format.
   *
   * @param fileName the name, in capital or small letters
   * @return whether it ends so
   */
  public boolean isNamed(String fileName) {
    String lower = fileName.toLowerCase(Locale.ROOT);
    return endings.stream().anyMatch(lower::endsWith);
  }

  /**
   * Returns whether a file of this format is a Zarr store, of either version.
   *
   * @return true for a folder or a zip archive with a hierarchy of Zarr
   */
  public boolean isStore() {
    return this == ZARR2 || this == ZARR3;
  }

  /**
   * Returns whether this format is a table of cells in rows of text.
   *
   * @return true for CSV and TSV
   */
  public boolean isTable() {
    return this == CSV || this == TSV;
  }

  /**
   * Returns whether this format holds only what the classic model of netCDF has.
   *
   * @return true for netCDF's classic files, and netCDF-4 of the classic model
   */
  public boolean isClassic() {
    return switch (this) {
      case NETCDF, CDF1, CDF2, CDF5, NETCDF4_CLASSIC -> true;
      default -> false;
    };
  }
}
