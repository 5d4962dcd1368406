package org.hyperslab.netcdf;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;

/** Runs the script beside this class, which examines files with netCDF-C, h5py and xarray. */
final class NetcdfJudge {

  /** Ends with this process, whose end it reads from its input. */
  private static final class Running {
    static final Dialogue SCRIPT =
        Dialogue.with(
            Oracle.python("netCDF4", script()),
            Map.of("PYTHONIOENCODING", "utf-8"),
            List.of("serve"));
  }

  private NetcdfJudge() {}

  /** Runs a command of the script; fails with what it printed. */
  static String run(String... arguments) {
    synchronized (Running.SCRIPT) {
      String[] state = Running.SCRIPT.ask(String.join("\t", arguments)).split(" ");
      StringBuilder text = new StringBuilder();
      for (int line = Integer.parseInt(state[1]); line > 0; line--) {
        text.append(Running.SCRIPT.hear()).append('\n');
      }
      if (!state[0].equals("ok")) {
        throw new AssertionError(String.join(" ", arguments) + "\n" + text);
      }
      return text.toString();
    }
  }

  /** Checks that a file keeps its model as netCDF-C does. */
  static void conventions(Path file) {
    run("conventions", file.toString());
  }

  /** Returns what netCDF-C reads: dimensions, and variables with their elements. */
  static String model(Path file) {
    return run("model", file.toString());
  }

  /** Checks that a file keeps its model as netCDF-C does, and returns what netCDF-C reads. */
  static String checkedModel(Path file) {
    return run("checked", file.toString());
  }

  /** Returns what xarray reads, the same with both of its engines for HDF5. */
  static String xarray(Path file) {
    return Oracle.python("xarray", script()).run("xarray", file.toString()).orFail().output();
  }

  /** Returns what xarray reads in each group, the same with both of its engines for HDF5. */
  static String datatree(Path file) {
    return Oracle.python("xarray", script()).run("datatree", file.toString()).orFail().output();
  }

  /** Returns the output of ncdump, without the line that names the program that made the file. */
  static String ncdump(Path file) {
    String text = Oracle.program("ncdump").run("-s", file.toString()).orFail().output();
    return text.replaceAll("(?m)^.*:_NCProperties = .*\\n", "");
  }

  private static Path script() {
    try {
      return Path.of(NetcdfJudge.class.getResource("netcdf_judge.py").toURI());
    } catch (URISyntaxException wrong) {
      throw new IllegalStateException(wrong);
    }
  }
}
