package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** netCDF-4 as an input and as an output. */
final class Netcdf4ConversionTest {

  @TempDir Path folder;

  @Test
  void keepsRandomFiles() {
    JudgedRoundTrip.run("netCDF4", "netcdf4_judge.py", 24);
  }

  @Test
  void keepsRandomClassicFiles() {
    JudgedRoundTrip.run("netCDF4", "netcdf_judge.py", 12, ".nc4");
  }

  /** Plain HDF5 gets dimensions, as netCDF-C gives them to files without any. */
  @Test
  void otherFormatsBecomeFilesThatBothEnginesOfXarrayRead() {
    Path in = folder.resolve("plain.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("square", new int[][] {{1, 2}, {3, 4}}).setAttribute("unit", "m");
      file.createDataset("text", Datatypes.fixedString(3), Dataspace.simple(2))
          .write(new String[] {"abc", "d"});
      file.createDataset("words", new String[] {"grün", "", "x"});
    }
    Path out = folder.resolve("plain.nc4");
    ConversionReport report = FileConverter.convert(in, out);
    assertThat(report.to()).isEqualTo(FileKind.NETCDF4);
    assertThat(FileConverter.convert(out, folder.resolve("again.h5")).from())
        .isEqualTo(FileKind.NETCDF4);
    assertThat(judged(out))
        .contains("'square': (('phony_dim_0', 'phony_dim_1'), 'int32', [[1, 2], [3, 4]])")
        .contains("'text': (('phony_dim_0',), 'object', ['abc', 'd'])")
        .contains("'words': (('phony_dim_2',), 'object', ['grün', '', 'x'])");
    Path copy = folder.resolve("copy.nc");
    Oracle.program("nccopy").run("-k", "nc4", out.toString(), copy.toString()).orFail();
    Oracle.program("ncdump").run("-h", "-s", out.toString()).orFail();
  }

  private static String judged(Path file) {
    Path script = JudgedRoundTrip.resource("netcdf4_judge.py");
    return Oracle.python("xarray", script).run("xarray", file.toString()).orFail().output();
  }

  @Test
  void whatNetcdfCannotHoldIsNamed() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      var x = file.createDataset("x", new int[] {1, 2});
      file.root().setAttribute("to", x.reference());
      file.createDataset("half", Datatypes.F16LE, Dataspace.simple(2));
      file.root().createSoftLink("soft", "/x");
    }
    Path out = folder.resolve("out.nc4");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class);
    assertThat(out).doesNotExist();
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
    assertThat(String.join("\n", report.losses())).contains("/half", "attribute to", "/soft");
    assertThat(report.losses()).hasSize(3);
    try (NetcdfFile file = NetcdfFile.open(out)) {
      assertThat(file.root().variables()).hasSize(1);
    }
  }

  /** xarray takes a fill value of Zarr version 2 for that of missing elements. */
  @Test
  void variablesWithoutFillValueAreTheSameToXarrayInZarr() throws IOException {
    Path in = folder.resolve("in.nc");
    try (NetcdfFile file = NetcdfFile.create(in)) {
      file.root().createDimension("x", 3);
      file.root()
          .createVariable("large", NetcdfTypes.INT64, "x")
          .write(new long[] {(1L << 53) + 1, 0, 3});
      file.root().createVariable("small", NetcdfTypes.SHORT, "x").write(new short[] {-32767, 0, 2});
      file.root().createVariable("scalar", NetcdfTypes.DOUBLE).write(new double[] {0});
    }
    Path zarr = folder.resolve("out.zarr");
    FileConverter.convert(in, zarr);
    Path back = folder.resolve("back.h5");
    FileConverter.convert(zarr, back);
    Path again = folder.resolve("again.zarr");
    FileConverter.convert(back, again);
    String program =
        """
        import sys, xarray
        a = xarray.open_dataset(sys.argv[1])
        for path in sys.argv[2:]:
            b = xarray.open_zarr(path)
            for name in ("large", "small", "scalar"):
                assert a[name].dtype == b[name].dtype, (path, name, b[name].dtype)
                assert (a[name].values == b[name].values).all(), (path, name, b[name].values)
                assert not b[name].attrs, (path, name, b[name].attrs)
        """;
    Path script = Files.writeString(folder.resolve("same.py"), program);
    Oracle.Outcome said =
        Oracle.python("xarray", script).run(in.toString(), zarr.toString(), again.toString());
    assertThat(said.exitCode()).as(said.text()).isZero();
  }

  /** The model lets a variable be shorter than its unlimited dimension. */
  @Test
  void whatIsBeyondTheEndOfAVariableIsTheFillValue() {
    Path in = folder.resolve("short.nc4");
    try (NetcdfFile file = NetcdfFile.create(in)) {
      file.root().createUnlimitedDimension("time");
      file.root().createVariable("a", NetcdfTypes.INT, "time").write(new int[] {1, 2, 3});
      file.root().createVariable("b", NetcdfTypes.SHORT, "time").write(new short[] {4});
    }
    Path classic = folder.resolve("short.nc");
    FileConverter.convert(in, classic);
    assertThat(Oracle.program("ncdump").run(classic.toString()).orFail().output())
        .contains(" a = 1, 2, 3 ;", " b = 4, _, _ ;");
    Path plain = folder.resolve("short.h5");
    FileConverter.convert(in, plain);
    try (H5File file = Hdf5.open(plain)) {
      assertThat(file.dataset("b").shape()).containsExactly(1);
    }
  }

  /** Attributes of other conventions have the names of those of dimension scales. */
  @Test
  void attributesNamedClassAndNameStay() {
    Path in = folder.resolve("image.h5");
    try (H5File file = Hdf5.create(in)) {
      file.root().setAttribute("CLASS", "GROUP");
      var image = file.createDataset("image", new byte[2][3]);
      image.setAttribute("CLASS", "IMAGE");
      image.setAttribute("NAME", "a picture");
    }
    Path out = folder.resolve("out.h5");
    FileConverter.convert(in, out);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.root().attribute("CLASS").readString()).isEqualTo("GROUP");
      assertThat(file.dataset("image").attribute("CLASS").readString()).isEqualTo("IMAGE");
      assertThat(file.dataset("image").attribute("NAME").readString()).isEqualTo("a picture");
    }
  }
}
