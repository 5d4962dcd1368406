package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests conversions from and to netCDF-4. */
final class Netcdf4ConversionTest {

  private static final ConversionOptions CLASSIC =
      ConversionOptions.DEFAULT.withTo(FileKind.NETCDF4_CLASSIC);

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

  /** Chunks of HDF5 may be longer than a dimension of fixed length. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void chunksAreNotLongerThanTheirDimensions(boolean written) {
    Path in = folder.resolve("long.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            with h5py.File(sys.argv[1], "w") as file:
                for name, options in (("plain", {}), ("packed", {"compression": "gzip", "shuffle": True})):
                    data = file.create_dataset(name, (5, 7), "i4", chunks=(8, 16), maxshape=(100, 200), **options)
                    if sys.argv[2] == "true":
                        data[...] = numpy.arange(35).reshape(5, 7)
                grown = file.create_dataset("grown", (5, 7), "f8", chunks=(8, 16), maxshape=(None, 20))
                grown[...] = 2.5
            """,
            in.toString(),
            Boolean.toString(written))
        .orFail();
    for (FileKind kind : List.of(FileKind.NETCDF4, FileKind.NETCDF4_CLASSIC)) {
      Path out = folder.resolve(kind.option() + ".nc4");
      ConversionReport report =
          FileConverter.convert(
              in, out, ConversionOptions.DEFAULT.withTo(kind), FileConverter.Progress.NONE);
      assertThat(report.losses()).isEmpty();
      assertThat(ncdump("-hs", out))
          .contains("plain:_ChunkSizes = 5, 7 ;")
          .contains("packed:_ChunkSizes = 5, 7 ;")
          .contains("grown:_ChunkSizes = 8, 7 ;");
      try (H5File file = Hdf5.open(out)) {
        for (String name : List.of("plain", "packed")) {
          int[] values = file.dataset(name).readInts();
          assertThat(values).hasSize(35);
          assertThat(values[34]).isEqualTo(written ? 34 : 0);
        }
        assertThat(file.dataset("grown").readDoubles()).hasSize(35).containsOnly(2.5);
      }
    }
  }

  /** As nccopy -k nc7. */
  @Test
  void classicModelIsWritten() throws IOException {
    Path in = folder.resolve("in.nc4");
    Oracle.python("netCDF4", JudgedRoundTrip.resource("classic_make.py"))
        .run(in.toString())
        .orFail();
    Path out = folder.resolve("out.nc");
    assertThat(FileConverter.convert(in, out, CLASSIC, FileConverter.Progress.NONE).to())
        .isEqualTo(FileKind.NETCDF4_CLASSIC);
    assertThat(ncdump("-k", out)).isEqualToIgnoringNewLines("netCDF-4 classic model");
    Oracle.Outcome said =
        Oracle.python("xarray", JudgedRoundTrip.resource("classic_same.py"))
            .run(in.toString(), out.toString());
    assertThat(said.exitCode()).as(said.text()).isZero();
    Path copy = folder.resolve("copy.nc");
    Oracle.program("nccopy").run("-k", "nc3", out.toString(), copy.toString()).orFail();
    Path same3 = folder.resolve("in.nc3");
    FileConverter.convert(in, same3);
    assertThat(ncdump("-n", "a", copy)).isEqualTo(ncdump("-n", "a", same3));
  }

  /** Variables whose {@code _FillValue} is at each place among their attributes. */
  private static String orders(String type, String fill) {
    StringBuilder text = new StringBuilder();
    for (int place = 0; place < 4; place++) {
      String name = "v_" + type + place;
      text.append(type).append(' ').append(name).append("(x);\n");
      List<String> attributes = new ArrayList<>(List.of("units", "a", "z"));
      attributes.add(place, "_FillValue");
      for (String attribute : attributes) {
        String value = attribute.equals("_FillValue") ? fill : "\"text\"";
        text.append(name + ":" + attribute + " = " + value + ";\n");
      }
    }
    return text.toString();
  }

  @Test
  void attributesKeepTheirOrderAndSoDoesTheFillValue() throws IOException {
    String plain = orders("short", "9s") + orders("double", "9.") + orders("char", "\"q\"");
    String more = orders("string", "\"none\"") + orders("uint64", "9ULL");
    String end = "data: v_short0 = 1, 2, 3;}";
    Path cdl = folder.resolve("order.cdl");
    Path first = folder.resolve("order.nc4");
    Files.writeString(cdl, "netcdf o {dimensions: x = 3; variables: " + plain + more + end);
    Oracle.program("ncgen").run("-4", "-o", first.toString(), cdl.toString()).orFail();
    Path classic = folder.resolve("order.nc");
    Files.writeString(cdl, "netcdf o {dimensions: x = 3; variables: " + plain + end);
    Oracle.program("ncgen").run("-o", classic.toString(), cdl.toString()).orFail();
    FileConverter.convert(first, folder.resolve("order.h5"));
    FileConverter.convert(folder.resolve("order.h5"), folder.resolve("again.nc4"));
    FileConverter.convert(first, folder.resolve("copy.nc4"));
    FileConverter.convert(classic, folder.resolve("modern.nc4"));
    FileConverter.convert(folder.resolve("modern.nc4"), folder.resolve("back.nc"));
    List<String> order = attributes(first);
    assertThat(order).hasSize(80);
    for (String name : List.of("order.h5", "again.nc4", "copy.nc4")) {
      assertThat(attributes(folder.resolve(name))).as(name).isEqualTo(order);
    }
    for (String name : List.of("modern.nc4", "back.nc")) {
      assertThat(attributes(folder.resolve(name))).as(name).isEqualTo(attributes(classic));
    }
  }

  /** The attributes of all variables as ncdump lists them, in their order. */
  private static List<String> attributes(Path file) {
    return ncdump("-h", file)
        .lines()
        .map(line -> line.strip().replaceAll("^string ", ""))
        .filter(line -> line.startsWith("v_") && line.contains(":"))
        .toList();
  }

  private static String ncdump(String... words) {
    return Oracle.program("ncdump").run(words).orFail().output();
  }

  private static String ncdump(String option, Path file) {
    return ncdump(option, file.toString());
  }

  private static String ncdump(String option, String value, Path file) {
    return ncdump(option, value, file.toString());
  }

  @Test
  void contentUnsupportedByTheClassicModelIsNamed() throws IOException {
    String make =
        """
        import sys, netCDF4, numpy
        def create(name):
            file = netCDF4.Dataset(sys.argv[1] + "/" + name + ".nc", "w")
            file.createDimension("x", 2)
            file.createVariable("kept", "i4", ("x",))[:] = [1, 2]
            return file
        with create("group") as file:
            file.createGroup("g").createVariable("v", "i4")[...] = 1
        for code in ("u1", "u2", "u4", "u8", "i8"):
            with create(code) as file:
                file.createVariable("v", code, ("x",))[:] = [1, 2]
        with create("second") as file:
            file.createDimension("s", None)
            file.createDimension("t", None)
            file.createVariable("v", "i4", ("s", "t"))[:] = [[1, 2, 3]]
            file.createVariable("w", "i4", ("s",))[:] = [4]
        with create("compound") as file:
            kind = file.createCompoundType(numpy.dtype([("a", "i4")]), "kind")
            file.createVariable("v", kind, ("x",))[:] = numpy.zeros(2, [("a", "i4")])
        with create("sequence") as file:
            kind = file.createVLType("i4", "kind")
            file.createVariable("v", kind, ("x",))[0] = numpy.array([1], "i4")
        with create("texts") as file:
            file.setncattr_string("several", ["a", "b"])
        with create("number") as file:
            file.big = numpy.int64(1 << 40)
        """;
    Oracle.python("netCDF4", Files.writeString(folder.resolve("make.py"), make))
        .run(folder.toString())
        .orFail();
    String names = "group u1 u2 u4 u8 i8 second compound sequence texts number";
    for (String name : names.split(" ")) {
      Path in = folder.resolve(name + ".nc");
      Path out = folder.resolve(name + ".nc7");
      assertThatThrownBy(() -> FileConverter.convert(in, out))
          .as(name)
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThat(out).doesNotExist();
      ConversionReport report =
          FileConverter.convert(
              in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
      assertThat(report.losses()).as(name).isNotEmpty();
      assertThat(ncdump("-k", out)).startsWith("netCDF-4 classic model");
      assertThat(ncdump("-v", "kept", out)).as(name).contains("kept = 1, 2");
      if (name.equals("second")) {
        assertThat(ncdump("-v", "v", out)).contains("s = UNLIMITED", "t = 3", "v =\n  1, 2, 3");
      }
    }
  }

  /** netCDF-C takes dimensions of length 0 for unlimited ones. */
  @Test
  void onlyRecordsOfTheClassicModelHaveLengthZero() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("zero", new double[0][3]);
      file.createDataset(
          "one",
          Datatypes.I32LE,
          Dataspace.simple(new long[] {0}, new long[] {Dataspace.UNLIMITED}));
    }
    Path out = folder.resolve("out.nc7");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("/zero");
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
    assertThat(report.losses()).hasSize(1);
    assertThat(ncdump("-h", out))
        .contains("= UNLIMITED ; // (0 currently)", "int one(phony_dim_0)");
  }

  private static String judged(Path file) {
    Path script = JudgedRoundTrip.resource("netcdf4_judge.py");
    return Oracle.python("xarray", script).run("xarray", file.toString()).orFail().output();
  }

  @Test
  void contentUnsupportedByNetcdfIsNamed() {
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

  /** xarray stores it as the fill value of an array of Zarr version 2. */
  @Test
  void valueOfMissingElementsIsKeptFromZarr() throws IOException {
    String make =
        """
        import sys, netCDF4, numpy, xarray
        packed = xarray.Variable(("x",), [1, numpy.nan, 3.5], {"units": "K"})
        packed.encoding = {"dtype": "i2", "_FillValue": -1, "scale_factor": 0.5}
        kept = xarray.Variable(("x",), numpy.array([0, 1, 2], "i4"))
        scalar = xarray.Variable((), numpy.float32(numpy.nan))
        real = xarray.Variable(("x",), [0, numpy.nan, 2.5])
        real.encoding = {"_FillValue": 1e20}
        variables = {"packed": packed, "kept": kept, "scalar": scalar, "real": real}
        data = xarray.Dataset(variables)
        data.to_zarr(sys.argv[1] + "/a.zarr")
        data.to_netcdf(sys.argv[1] + "/b.nc4")
        """;
    String same =
        """
        import sys, netCDF4, numpy, xarray
        a = xarray.open_zarr(sys.argv[1] + "/a.zarr").load()
        for path in sys.argv[2:]:
            b = xarray.open_dataset(path).load()
            assert a.identical(b), (path, a, b)
            with netCDF4.Dataset(path) as file:
                assert "_FillValue" not in file["kept"].ncattrs()
                for name in ("packed", "scalar", "real"):
                    assert file[name].getncattr("_FillValue").dtype == file[name].dtype, (path, name)
        """;
    Oracle.python("xarray", Files.writeString(folder.resolve("make.py"), make))
        .run(folder.toString())
        .orFail();
    List<String> made = new ArrayList<>(List.of(folder.toString()));
    FileConverter.convert(folder.resolve("b.nc4"), folder.resolve("b.zarr"));
    FileConverter.convert(folder.resolve("b.nc4"), folder.resolve("c.zarr3"));
    FileConverter.convert(folder.resolve("b.zarr"), folder.resolve("d.h5"));
    FileConverter.convert(folder.resolve("a.zarr"), folder.resolve("e.zarr3"));
    FileConverter.convert(folder.resolve("e.zarr3"), folder.resolve("f.h5"));
    FileConverter.convert(folder.resolve("f.h5"), folder.resolve("g.zarr"));
    // xarray reads the value of floating-point elements as Base64 of a little-endian double
    assertThat(folder.resolve("e.zarr3/real/zarr.json")).content().contains("\"QIy1eB2vFUQ=\"");
    assertThat(folder.resolve("e.zarr3/packed/zarr.json"))
        .content()
        .containsPattern("\"_FillValue\": ?-1[,}]");
    assertThat(folder.resolve("g.zarr/real/.zattrs")).content().doesNotContain("_FillValue");
    for (String in : "a.zarr b.zarr c.zarr3 d.h5 e.zarr3 f.h5".split(" ")) {
      for (String ending : List.of(".nc4", ".nc", ".nc7")) {
        Path out = folder.resolve(in + ending);
        FileConverter.convert(folder.resolve(in), out);
        made.add(out.toString());
      }
    }
    Oracle.Outcome said =
        Oracle.python("xarray", Files.writeString(folder.resolve("same.py"), same))
            .run(made.toArray(String[]::new));
    assertThat(said.exitCode()).as(said.text()).isZero();
  }

  /** xarray reads attributes of one element as scalars, and writes them so. */
  @Test
  void attributesOfOneElementAreTheSameToXarrayInZarr() throws IOException {
    String make =
        """
        import sys, netCDF4, numpy
        for path, kind in ((sys.argv[1], "NETCDF4"), (sys.argv[2], "NETCDF3_CLASSIC")):
            with netCDF4.Dataset(path, "w", format=kind) as file:
                file.createDimension("x", 3)
                v = file.createVariable("v", "i2", ("x",), fill_value=-9)
                v[:] = [1, -9, 3]
                v.setncatts({"scale_factor": 0.5, "add_offset": numpy.float32(2), "n": numpy.int32(3)})
                v.setncatts({"valid_range": numpy.array([0, 9], "i2"), "units": "K"})
                file.setncatts({"one": numpy.int32(7), "title": "grün"})
                if kind == "NETCDF4":
                    file.setncattr_string("word", "a")
                    file.setncattr_string("words", ["a", "b"])
        """;
    String same =
        """
        import sys, numpy, xarray
        for path, zarr in zip(sys.argv[1::2], sys.argv[2::2]):
            for decode in (True, False):
                a = xarray.open_dataset(path, engine="netcdf4", decode_cf=decode)
                b = xarray.open_zarr(zarr, decode_cf=decode)
                assert a.v.equals(b.v), (zarr, a.v.values, b.v.values)
                for x, y in ((a.attrs, b.attrs), (a.v.attrs, b.v.attrs), (a.v.encoding, b.v.encoding)):
                    for name in set(x) - {"source", "original_shape", "dtype", "chunksizes"}:
                        if decode or name in ("one", "scale_factor", "add_offset", "word", "words", "n"):
                            if name in y or x is not a.v.encoding:
                                assert numpy.shape(x[name]) == numpy.shape(y[name]), (zarr, name, y[name])
                                assert numpy.all(x[name] == y[name]), (zarr, name, y[name])
        """;
    Path four = folder.resolve("four.nc");
    Path three = folder.resolve("three.nc");
    Oracle.python("netCDF4", Files.writeString(folder.resolve("make.py"), make))
        .run(four.toString(), three.toString())
        .orFail();
    FileConverter.convert(four, folder.resolve("four.zarr"));
    FileConverter.convert(three, folder.resolve("three.zarr"));
    Oracle.Outcome said =
        Oracle.python("xarray", Files.writeString(folder.resolve("same.py"), same))
            .run(
                four.toString(),
                folder.resolve("four.zarr").toString(),
                three.toString(),
                folder.resolve("three.zarr").toString());
    assertThat(said.exitCode()).as(said.text()).isZero();
  }

  @Test
  void userTypesAreKeptByFormatsThatHaveThem() throws IOException {
    String make =
        """
        import sys, netCDF4, numpy
        with netCDF4.Dataset(sys.argv[1], "w") as file:
            file.createDimension("x", 3)
            pair = numpy.dtype([("a", "i4"), ("b", "f8"), ("c", "i2", (2,))], align=True)
            v = file.createVariable("pair", file.createCompoundType(pair, "pair_t"), ("x",))
            v[:] = numpy.array([(1, 2.5, (1, 2)), (3, 4.5, (3, 4)), (5, 6.5, (5, 6))], pair)
            sky = file.createEnumType(numpy.uint8, "sky_t", {"clear": 0, "some": 1, "none": 255})
            file.createVariable("sky", sky, ("x",), fill_value=255)[:] = [0, 1, 255]
            long = file.createEnumType(numpy.int16, "long_t", {"low": -2, "high": 300})
            file.createVariable("long", long, ("x",))[:] = [-2, 300, 300]
        """;
    Path in = folder.resolve("types.nc");
    Oracle.python("netCDF4", Files.writeString(folder.resolve("make.py"), make))
        .run(in.toString())
        .orFail();
    Path zarr = folder.resolve("types.zarr");
    ConversionOptions lenient = ConversionOptions.DEFAULT.withLenient(true);
    assertThat(FileConverter.convert(in, zarr, lenient, FileConverter.Progress.NONE).losses())
        .containsExactlyInAnyOrder(
            "/pair_t: the name of a committed datatype",
            "/sky_t: the name of a committed datatype",
            "/long_t: the name of a committed datatype");
    String judge =
        """
        import sys, zarr
        g = zarr.open(sys.argv[1])
        pairs = [(v["a"], v["b"], v["c"].tolist()) for v in g["pair"][:]]
        print(pairs, g["pair"].dtype.names, g["sky"][:].tolist(), g["sky"].attrs["flag_values"],
              g["sky"].attrs["flag_meanings"], g["long"][:].tolist(), g["long"].attrs["flag_values"])
        """;
    assertThat(
            Oracle.python("zarr", Files.writeString(folder.resolve("judge.py"), judge))
                .run(zarr.toString())
                .orFail()
                .output())
        .isEqualToIgnoringNewLines(
            "[(1, 2.5, [1, 2]), (3, 4.5, [3, 4]), (5, 6.5, [5, 6])] ('a', 'b', 'c') [0, 1, 255] [0,"
                + " 1, 255] clear some none [-2, 300, 300] [-2, 300]");
    Path classic = folder.resolve("types.cdf");
    assertThatThrownBy(() -> FileConverter.convert(in, classic))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("/pair");
    ConversionReport report =
        FileConverter.convert(in, classic, lenient, FileConverter.Progress.NONE);
    assertThat(report.losses()).hasSize(4).anyMatch(loss -> loss.startsWith("/pair: "));
    assertThat(Oracle.program("ncdump").run(classic.toString()).orFail().output())
        .contains(
            "sky:flag_values = 0UB, 1UB, 255UB ;",
            "sky:flag_meanings = \"clear some none\" ;",
            " long = -2, 300, 300 ;",
            "long:flag_values = -2s, 300s ;");
  }

  @Test
  void enumerationsBecomeFlagsInTheirByteOrder() {
    Path in = folder.resolve("enum.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, sys
            with h5py.File(sys.argv[1], 'w') as f:
                f.create_dataset('e', data=[-2, 300, 7], dtype=h5py.enum_dtype({'low': -2, 'high': 300}, '>i2'))
                f.create_dataset('b', data=[True, False])
            """,
            in.toString())
        .orFail();
    Path out = folder.resolve("enum.cdf");
    FileConverter.convert(in, out);
    assertThat(Oracle.program("ncdump").run(out.toString()).orFail().output())
        .contains(
            " e = -2, 300, 7 ;",
            "e:flag_values = 300s, -2s ;", // h5py orders names
            "e:flag_meanings = \"high low\" ;",
            "b:flag_meanings = \"FALSE TRUE\" ;",
            " b = 1, 0 ;");
  }

  /** The model lets a variable be shorter than its unlimited dimension. */
  @Test
  void elementsBeyondTheEndAreTheFillValue() {
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
  void attributesNamedClassAndNameAreKept() {
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
