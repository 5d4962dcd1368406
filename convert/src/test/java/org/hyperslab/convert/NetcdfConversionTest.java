package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NetcdfConversionTest {

  @TempDir Path folder;

  @Test
  void keepsRandomFiles() {
    assertThat(Oracle.program("ncvalidator")).isNotNull(); // which the script runs
    JudgedRoundTrip.run("netCDF4", "netcdf_judge.py", Effort.times(20, 40));
  }

  @Test
  void damagedFilesAreRefused() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (FileKind kind : List.of(FileKind.CDF1, FileKind.CDF2, FileKind.CDF5)) {
      Path file = folder.resolve(kind.option());
      FileConverter.convert(
          example(kind.option() + ".h5"),
          file,
          ConversionOptions.DEFAULT.withKinds(FileKind.HDF5, kind),
          FileConverter.Progress.NONE);
      seeds.add(Files.readAllBytes(file));
    }
    HostileInput.fuzz(seeds, FileKind.NETCDF, Effort.times(400, 30_000));
  }

  /** A file with records of two variables, one of a length that is padded. */
  private Path example(String name) {
    Path path = folder.resolve(name);
    try (H5File file = Hdf5.create(path)) {
      var time =
          file.datasetBuilder("time")
              .type(double.class)
              .shape(3)
              .maxShape(-1)
              .options(o -> o.chunked(2))
              .create();
      time.write(new double[] {0, 1, 2});
      DimensionScales.makeScale(time, "time");
      var x = file.createDataset("x", new int[] {5, 6, 7});
      DimensionScales.makeScale(x, "x");
      x.setAttribute("unit", "m");
      var values =
          file.datasetBuilder("values")
              .type(short.class)
              .shape(3, 3)
              .maxShape(-1, 3)
              .options(o -> o.chunked(2, 3))
              .create();
      values.write(new short[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
      DimensionScales.attach(values, 0, time);
      DimensionScales.attach(values, 1, x);
    }
    return path;
  }

  /** As in the files that netCDF-C's own tests compare with. */
  @Test
  void namesEndAtTheNulBytesThatPadThem() throws IOException {
    Path file = folder.resolve("padded.nc");
    FileConverter.convert(example("padded.h5"), file);
    byte[] bytes = Files.readAllBytes(file);
    int name = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\6values");
    bytes[name + 1 + "val".length()] = 0;
    bytes[name + 1 + "valu".length()] = 0;
    bytes[name + 1 + "value".length()] = 0;
    Files.write(file, bytes);
    assertThat(Oracle.program("ncdump").run("-h", file.toString()).orFail().output())
        .contains("short val(time, x) ;");
    Path back = folder.resolve("back.h5");
    FileConverter.convert(file, back);
    try (H5File read = Hdf5.open(back)) {
      assertThat(read.dataset("val").read(short[].class)).startsWith((short) 1, (short) 2);
    }
  }

  @Test
  void recordsOfOneVariableAreNotPadded() {
    Path in = folder.resolve("one.h5");
    try (H5File file = Hdf5.create(in)) {
      var bytes =
          file.datasetBuilder("b")
              .type(byte.class)
              .shape(5, 3)
              .maxShape(-1, 3)
              .options(o -> o.chunked(2, 3))
              .create();
      bytes.write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    }
    Path out = folder.resolve("one.nc");
    FileConverter.convert(in, out);
    Oracle.program("ncvalidator").run("-q", out.toString()).orFail();
    String dump = Oracle.program("ncdump").run(out.toString()).orFail().output();
    assertThat(dump).contains("UNLIMITED ; // (5 currently)").contains("13, 14, 15");
  }

  @Test
  void netcdfProgramsOpenWrittenFiles() {
    Path classic = folder.resolve("classic.nc");
    FileConverter.convert(example("in.h5"), classic);
    Path scales = folder.resolve("scales.h5");
    FileConverter.convert(classic, scales);
    String before = Oracle.program("ncdump").run(classic.toString()).orFail().output();
    String after = Oracle.program("ncdump").run(scales.toString()).orFail().output();
    assertThat(body(after)).isEqualTo(body(before));
    Path copy = folder.resolve("copy.nc");
    Oracle.program("nccopy").run("-k", "cdf5", scales.toString(), copy.toString()).orFail();
    assertThat(body(Oracle.program("ncdump").run(copy.toString()).orFail().output()))
        .isEqualTo(body(before));
  }

  private static String body(String dump) {
    return dump.substring(dump.indexOf('\n'));
  }

  @Test
  void contentUnsupportedByClassicFilesIsNamed() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createGroup("inner").createDataset("x", new long[] {1L << 40});
    }
    Path out = folder.resolve("out.nc");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("/inner");
    assertThat(out).doesNotExist();
    ConversionOptions group = ConversionOptions.DEFAULT.withPath("/inner");
    assertThatThrownBy(() ->
            FileConverter.convert(
                in,
                out,
                group.withKinds(FileKind.HDF5, FileKind.CDF2),
                FileConverter.Progress.NONE))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("CDF-5");
    FileConverter.convert(in, out, group, FileConverter.Progress.NONE);
    assertThat(Oracle.program("ncdump").run("-k", out.toString()).orFail().output().strip())
        .isEqualTo("cdf5");
  }

  /** As xarray and netCDF4-python write them. */
  @Test
  void fixedStringsBecomeArraysOfCharacters() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("text", Datatypes.fixedString(5), Dataspace.simple(2))
          .write(new String[] {"grün", "x"});
    }
    Path out = folder.resolve("out.nc");
    FileConverter.convert(in, out);
    assertThat(Oracle.program("ncdump").run(out.toString()).orFail().output())
        .contains("char text(phony_dim_0, string5)", "text:_Encoding = \"utf-8\"", "gr\\303\\274n");
  }

  /** As xarray writes them. */
  @Test
  void stringsOfVariableLengthBecomeCharacters() throws IOException {
    Path in = folder.resolve("strings.nc");
    String make =
        """
        import sys, numpy, netCDF4
        with netCDF4.Dataset(sys.argv[1], "w") as file:
            file.createDimension("time", None)
            file.createDimension("x", 3)
            for name, dims in (("fixed", ("x",)), ("grown", ("time", "x")), ("one", ()), ("short", ("x",))):
                v = file.createVariable(name, str, dims)
                if name == "one":
                    v[...] = "grün"
                elif name == "short":
                    v[:] = numpy.array(["a", "", "b"], object)
                else:
                    rows = numpy.array([["a", "grün", ""], ["数学", "b", "long text"]], object)
                    v[:] = rows[0] if name == "fixed" else rows
        """;
    Oracle.python("netCDF4", Files.writeString(folder.resolve("make.py"), make))
        .run(in.toString())
        .orFail();
    Path out = folder.resolve("strings.cdf");
    FileConverter.convert(in, out);
    Oracle.program("ncvalidator").run(out.toString()).orFail();
    String same =
        """
        import sys, xarray
        a, b = (xarray.open_dataset(path) for path in sys.argv[1:])
        for name in a.variables:
            assert a[name].dims == b[name].dims, (name, b[name].dims)
            assert a[name].values.tolist() == b[name].values.tolist(), (name, b[name].values)
        """;
    Oracle.python("xarray", Files.writeString(folder.resolve("same.py"), same))
        .run(in.toString(), out.toString())
        .orFail();
  }

  @Test
  void datasetsWithoutElementsAreNamedAndLeftOut() {
    Path in = folder.resolve("empty.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("none", double.class, 0, 3);
      file.createDataset("some", new int[] {1, 2});
    }
    Path out = folder.resolve("empty.nc");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("/none");
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
    assertThat(report.losses()).hasSize(1).first().asString().contains("/none", "length 0");
    Path back = folder.resolve("back.h5");
    FileConverter.convert(out, back);
    try (H5File file = Hdf5.open(back)) {
      assertThat(file.dataset("some").readInts()).containsExactly(1, 2);
    }
  }
}
