package org.hyperslab.netcdf;

import java.net.URISyntaxException;
import java.nio.file.Path;
import org.hyperslab.testkit.Oracle;

/** netCDF-C, h5py and xarray, asked by the script beside this class. */
final class Judge {

  private Judge() {}

  /** Runs a command of the script; fails with what it printed. */
  static String run(String... arguments) {
    return Oracle.python("netCDF4", script()).run(arguments).orFail().output();
  }

  /** Checks that a file keeps its model as netCDF-C does. */
  static void conventions(Path file) {
    run("conventions", file.toString());
  }

  /** What netCDF-C reads: dimensions, and variables with their elements. */
  static String model(Path file) {
    return run("model", file.toString());
  }

  /** What netCDF-C reads of a file that keeps its model as netCDF-C does, which is checked. */
  static String checkedModel(Path file) {
    return run("checked", file.toString());
  }

  /** What xarray reads, the same by both of its engines for HDF5. */
  static String xarray(Path file) {
    return Oracle.python("xarray", script()).run("xarray", file.toString()).orFail().output();
  }

  /** What ncdump prints, without the line that names the program which made the file. */
  static String ncdump(Path file) {
    String text = Oracle.program("ncdump").run("-s", file.toString()).orFail().output();
    return text.replaceAll("(?m)^.*:_NCProperties = .*\\n", "");
  }

  private static Path script() {
    try {
      return Path.of(Judge.class.getResource("netcdf_judge.py").toURI());
    } catch (URISyntaxException wrong) {
      throw new IllegalStateException(wrong);
    }
  }
}
