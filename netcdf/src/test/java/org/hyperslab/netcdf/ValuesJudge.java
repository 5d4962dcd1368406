package org.hyperslab.netcdf;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.Oracle;

/** Runs the script beside this class, which decodes values by netCDF4-python, cftime and xarray. */
final class ValuesJudge {

  private ValuesJudge() {}

  /** Runs a command of the script, and returns the lines that it printed. */
  static List<String> run(String... arguments) {
    return Oracle.python("xarray", script()).run(arguments).orFail().output().lines().toList();
  }

  private static Path script() {
    try {
      return Path.of(ValuesJudge.class.getResource("values_judge.py").toURI());
    } catch (URISyntaxException wrong) {
      throw new IllegalStateException(wrong);
    }
  }
}
