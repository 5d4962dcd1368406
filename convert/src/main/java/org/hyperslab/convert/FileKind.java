package org.hyperslab.convert;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;

/** A format that files are converted from or to. */
public enum FileKind {
  /** HDF5. */
  HDF5("hdf5", ".h5", ".hdf5", ".he5"),
  /** netCDF-4, which is HDF5 by netCDF's conventions. */
  NETCDF4("netcdf4", ".nc4"),
  /** One array of NumPy. */
  NPY("npy", ".npy"),
  /** A zip archive of arrays of NumPy. */
  NPZ("npz", ".npz"),
  /** A classic file of netCDF; as an output in the oldest version that holds the input. */
  NETCDF("netcdf", ".nc", ".cdf", ".nc3"),
  /** A classic file of netCDF with 32-bit offsets. */
  CDF1("cdf1"),
  /** A classic file of netCDF with 64-bit offsets. */
  CDF2("cdf2"),
  /** A classic file of netCDF with 64-bit numbers. */
  CDF5("cdf5", ".nc5"),
  /** A hierarchy of Zarr, version 2, in a folder or a zip archive. */
  ZARR2("zarr2", ".zarr", ".zarr2", ".zarr.zip"),
  /** A hierarchy of Zarr, version 3, in a folder or a zip archive. */
  ZARR3("zarr3", ".zarr3", ".zarr3.zip"),
  /** A table whose cells are separated by commas. */
  CSV("csv", ".csv"),
  /** A table whose cells are separated by tabs. */
  TSV("tsv", ".tsv", ".tab"),
  /** Elements and nothing else; an input needs a description. */
  RAW("raw", ".raw", ".bin"),
  /** An HDF5 file in members of equal size, whose name holds {@code %d}; an input only. */
  FAMILY("family"),
  /** An HDF5 file in one file of metadata and one of elements; an input only. */
  SPLIT("split"),
  /** An HDF5 file in a file for each kind of data; an input only. */
  MULTI("multi"),
  /**
   * An HDF5 file in stripes, as HDF5's subfiling driver writes it, named by its stub or its {@code
   * .config}; an input only.
   */
  SUBFILING("subfiling"),
  /** A text that names the files of the ranks of a job; an input only. */
  PARTS("parts", ".parts");

  private final String option;
  private final List<String> endings;

  FileKind(String option, String... endings) {
    this.option = option;
    this.endings = List.of(endings);
  }

  /**
   * Returns the name by which {@code --from} and {@code --to} know it.
   *
   * @return a word in lower case
   */
  public String option() {
    return option;
  }

  /**
   * Finds a kind by its word.
   *
   * @param word the word, in any case
   * @return the kind
   * @throws InvalidUseException if there is none
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
   * Lists the words of all kinds.
   *
   * @return the words, separated by commas
   */
  public static String options() {
    return Arrays.stream(values()).map(FileKind::option).collect(Collectors.joining(", "));
  }

  /** Returns whether a file name ends as names of this kind do. */
  boolean isNamed(String fileName) {
    String lower = fileName.toLowerCase(Locale.ROOT);
    return endings.stream().anyMatch(lower::endsWith);
  }
}
