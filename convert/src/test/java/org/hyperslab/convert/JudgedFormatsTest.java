package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.testkit.Campaign;
import org.junit.jupiter.api.Test;

/**
 * Converts random files of each format to HDF5 and back, and has the format's own programs compare
 * the results. The campaign prints the table of docs/converting.md.
 */
final class JudgedFormatsTest {

  /**
   * A line of the table.
   *
   * @param way the formats that files go through
   * @param judge the program that makes the files and compares the results
   * @param count how many files
   * @param run converts the files and has the judge compare them
   */
  private record Row(String way, String judge, int count, Run run) {

    String line() {
      return "| " + way + " | " + count + " | " + judge + " |";
    }
  }

  /** Converts a number of files, and fails with the differences that the judge finds. */
  @FunctionalInterface
  private interface Run {
    void of(int count);
  }

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "NumPy `.npy`, `.npz` → HDF5 → NumPy",
              "numpy, h5py",
              1000,
              n -> JudgedRoundTrip.run("h5py", "numpy_judge.py", n)),
          new Row(
              "netCDF classic (CDF-1, 2, 5) → HDF5 → netCDF classic",
              "netCDF-C, ncvalidator",
              500,
              n -> JudgedRoundTrip.run("netCDF4", "netcdf_judge.py", n)),
          new Row(
              "netCDF classic → netCDF-4 → netCDF classic",
              "netCDF-C, ncvalidator",
              300,
              n -> JudgedRoundTrip.run("netCDF4", "netcdf_judge.py", n, ".nc4")),
          new Row(
              "netCDF-4 → HDF5 → netCDF-4",
              "netCDF-C, h5py",
              500,
              n -> JudgedRoundTrip.run("netCDF4", "netcdf4_judge.py", n)),
          new Row(
              "Zarr 2 and 3 → HDF5 → Zarr, in every layout",
              "zarr-python (2), its specification in Python (3), numcodecs, h5py",
              400,
              n ->
                  JudgedRoundTrip.run(
                      "zarr", "zarr_judge.py", n, ".h5", ZarrConversionTest::layout)),
          new Row(
              "CSV, TSV → HDF5 → CSV, TSV",
              "Python's csv, h5py",
              500,
              n -> JudgedRoundTrip.run("h5py", "table_judge.py", n)),
          new Row(
              "CSV → HDF5, and back to CSV, as pandas reads both",
              "pandas, h5py",
              2000,
              n -> JudgedRoundTrip.run("pandas", "pandas_judge.py", n)),
          new Row("subfiling sets, files of ranks → HDF5", "h5py", 400, ManyFilesTest::judged));

  @Test
  void documentationContainsTheTable() throws IOException {
    Path page = Path.of(System.getProperty("hyperslab.root"), "docs/converting.md");
    assertThat(Files.readAllLines(page)).containsSubsequence(ROWS.stream().map(Row::line).toList());
  }

  @Test
  @Campaign
  void everyWayKeepsHundredsOfRandomFiles() {
    System.out.println("| way | random files | compared by |\n|---|---|---|");
    for (Row row : ROWS) {
      row.run.of(row.count);
      System.out.println(row.line());
    }
  }
}
