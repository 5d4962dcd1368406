package org.hyperslab.tools.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ncdump prints, byte for byte, of files that netCDF-C made. */
final class NcdumpCommandTest {

  private static final long LARGEST_BYTES = 3 << 20;

  @TempDir Path folder;

  private static void assertSame(String... arguments) {
    Oracle.Outcome theirs = Oracle.program("ncdump").run(arguments).orFail();
    String[] words =
        Stream.concat(Stream.of("ncdump"), Stream.of(arguments)).toArray(String[]::new);
    CommandRun ours = CommandRun.of(words);
    assertThat(ours.out()).as(String.join(" ", arguments)).isEqualTo(theirs.output());
    assertThat(ours.code()).as(ours.err()).isZero();
  }

  /** A scalar has no index; ncdump prints, counted from 1, a number of its memory. */
  private static void assertFullySame(String order, String file) {
    Oracle.Outcome theirs = Oracle.program("ncdump").run("-f", order, file).orFail();
    CommandRun ours = CommandRun.of("ncdump", "-f", order, file);
    String scalar = "  // ([^\n]*)\\(\\d+\\)(?=\n)";
    assertThat(ours.out().replaceAll(scalar, "  // $1(N)"))
        .as(file)
        .isEqualTo(theirs.output().replaceAll(scalar, "  // $1(N)"));
  }

  /** An attribute with the name of one of dimension scales, but another type, is no such list. */
  @Test
  void attributesWithNamesOfDimensionScalesMayHaveOtherTypes() {
    String script =
        """
        import sys
        import h5py
        import numpy as np
        pair = np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")])
        values = [5, [1, 2], [[1.5]], "abc", h5py.Empty("f8"), pair]
        for name in sys.argv[2:]:
            for i, value in enumerate(values):
                with h5py.File(f"{sys.argv[1]}/{name}-{i}.h5", "w") as file:
                    file["x"] = [1, 2, 3]
                    file["x"].attrs[name] = value
                    file["y"] = [4, 5, 6]
                    file["s"] = [1.5, 2, 3]
                    file["s"].make_scale("s")
                    file["y"].dims[0].attach_scale(file["s"])
                    if name != "CLASS" and name != "DIMENSION_LIST":
                        file["s"].attrs[name] = value
                    file.attrs[name] = value
        """;
    String[] names = {
      "DIMENSION_LIST",
      "REFERENCE_LIST",
      "DIMENSION_LABELS",
      "CLASS",
      "NAME",
      "_Netcdf4Dimid",
      "_Netcdf4Coordinates",
      "_NCProperties",
      "_nc3_strict"
    };
    List<String> words = new ArrayList<>(List.of(script, folder.toString()));
    words.addAll(List.of(names));
    Oracle.h5py().run(words.toArray(String[]::new)).orFail();
    for (String name : names) {
      for (int i = 0; i < 6; i++) {
        Path file = folder.resolve(name + "-" + i + ".h5");
        CommandRun shown = CommandRun.of("ncdump", file.toString());
        assertThat(shown.code()).as(file + ": " + shown.err()).isZero();
        assertThat(shown.out())
            .as(file.toString())
            .contains(" x = 1, 2, 3", " y = 4, 5, 6", "1.5, 2, 3");
        String made = folder.resolve(name + "-" + i + ".zarr").toString();
        CommandRun converted = CommandRun.of("convert", "--lenient", file.toString(), made);
        assertThat(converted.code()).as(file + ": " + converted.err()).isZero();
      }
    }
  }

  @Test
  void randomFilesArePrintedAlike() throws IOException {
    long seed = Seeds.draw();
    int count = Effort.times(12, 300);
    int compared = 0;
    for (String line : RandomCdl.write(folder, seed, count)) {
      String[] words = line.split(" ");
      Path file = folder.resolve(words[0] + ".nc");
      String cdl = folder.resolve(words[0] + ".cdl").toString();
      Oracle.Outcome made = Oracle.program("ncgen").run("-k", words[1], "-o", file.toString(), cdl);
      // ncgen and ncdump fail on some of what they may: opaque fill values, sequences of compounds
      boolean isMade = made.exitCode() == 0 && Files.exists(file);
      if (isMade && Oracle.program("ncdump").run(file.toString()).exitCode() == 0) {
        assertSame(file.toString());
        assertSame("-b", compared % 2 == 0 ? "c" : "f", file.toString());
        assertFullySame(compared % 2 == 0 ? "c" : "f", file.toString());
        compared++;
      }
    }
    assertThat(compared).as("seed %d", seed).isGreaterThan(count * 3 / 4);
  }

  /**
   * Beyond the end of a variable that is shorter than its dimension, with and without a fill value.
   */
  @Test
  void elementsBeyondTheEndArePrintedAlike() throws IOException {
    String script =
        """
        import sys
        import numpy as np
        import netCDF4
        with netCDF4.Dataset(sys.argv[1], "w") as file:
            file.createDimension("t", None)
            file.createDimension("x", 2)
            file.createVariable("longest", "i4", ("t",))[:] = np.arange(4)
            for kind in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "S1"]:
                for fill in [None, False, b"z" if kind == "S1" else 7]:
                    name = "%s_%s" % (kind, {None: "default", False: "none"}.get(fill, "own"))
                    variable = file.createVariable(name, kind, ("t", "x"), fill_value=fill)
                    variable[0:1] = np.full((1, 2), b"a" if kind == "S1" else 3, variable.dtype)
            file.createVariable("texts", str, ("t",))[0] = "a"
        """;
    Path file = folder.resolve("short.nc");
    Path program = Files.writeString(folder.resolve("short.py"), script);
    Oracle.python("netCDF4", program).run(file.toString()).orFail();
    assertSame(file.toString());
  }

  @Test
  void filesOfTheCorpusArePrintedAlike() throws IOException {
    assumeTrue(Corpus.isPresent(), "no corpus at " + Corpus.folder());
    List<Path> files = new ArrayList<>(Corpus.files("", ".nc"));
    files.addAll(Corpus.files("", ".nc4"));
    int step = Effort.times(4, 1);
    for (int i = 0; i < files.size(); i += step) {
      if (Files.size(files.get(i)) <= LARGEST_BYTES) {
        assertSame(files.get(i).toString());
        if (boundsOf(files.get(i)) < 2) {
          assertSame("-t", files.get(i).toString());
        }
      }
    }
    assertThat(files).hasSizeGreaterThan(20);
  }

  /** Of several attributes with bounds, ncdump knows the last one. */
  private static long boundsOf(Path file) {
    String header = CommandRun.of("ncdump", "-h", file.toString()).out();
    return header.lines().filter(line -> line.contains(":bounds = ")).count();
  }

  @Test
  void timesArePrintedAlike() throws IOException, URISyntaxException {
    Path script = Path.of(NcdumpCommandTest.class.getResource("random_times.py").toURI());
    long seed = Seeds.draw();
    for (int i = 0; i < Effort.times(12, 300); i++) {
      String cdl = folder.resolve("t" + i + ".cdl").toString();
      String file = folder.resolve("t" + i + ".nc").toString();
      Oracle.h5py(script).run(cdl, seed + "." + i).orFail();
      Oracle.program("ncgen").run("-k", i % 2 == 0 ? "nc4" : "nc3", "-o", file, cdl).orFail();
      assertSame("-t", file);
      assertSame("-t", "-l", Integer.toString(40 + i), file);
    }
  }

  @Test
  void optionsAreThoseOfNcdump() throws IOException {
    String file = write("o", OPTIONS, "nc4");
    assertSame("-h", file);
    assertSame("-c", file);
    assertSame("-k", file);
    assertSame("-v", "x,/g/w", file);
    assertSame("-v", "v", "-l", "30", file);
    assertSame("-n", "other name", "-h", file);
    assertSame("-p", "3,5", file);
    assertSame("-sh", file);
    for (String order : List.of("c", "f", "C", "Fortran")) {
      assertSame("-b", order, file);
      assertSame("-f", order, file);
    }
    for (String kind : List.of("nc3", "nc6", "nc5", "nc7")) {
      String classic = write(kind, CLASSIC, kind);
      assertSame(classic);
      assertSame("-k", classic);
      if (!kind.equals("nc5")) { // netCDF's fails on it
        assertSame("-hs", classic);
      }
    }
  }

  private static final String OPTIONS =
      """
      netcdf o {
      dimensions: x = 3, y = 2; t = UNLIMITED;
      variables:
        double x(x); x:units = "m"; x:C_format = "%.3f";
        float v(t, x); v:_FillValue = -1.f; v:_ChunkSizes = 2, 3; v:_DeflateLevel = 4;
          v:_Shuffle = "true"; v:_Fletcher32 = "true";
        int i(y); i:_Endianness = "big"; i:_Storage = "contiguous";
        short n(y); n:_NoFill = "true"; n:C_format = "%05d";
        :text = "a\\nb";
      data:
        x = 1, 2.5, 1e20; v = 1.23456789, -1, 3, 4, 5, 1e-7; i = 1, _; n = 3, -4;
      group: g { variables: float w(x); data: w = 1, 2, 3.14159265; }
      }
      """;

  private static final String CLASSIC =
      """
      netcdf c {
      dimensions: t = UNLIMITED, n = 5;
      variables: char c(t, n); int i(t); byte b(n);
        :text = "a\\nb\\n"; :empty = ""; i:list = 1s, 2s;
      data: c = "ab", "a\\nb", "\\303\\251"; i = 1, 2, 3; b = -1, 0, _, 4, 5;
      }
      """;

  private String write(String name, String cdl, String kind) throws IOException {
    Path in = Files.writeString(folder.resolve(name + ".cdl"), cdl);
    String out = folder.resolve(name + ".nc").toString();
    Oracle.program("ncgen").run("-k", kind, "-o", out, in.toString()).orFail();
    return out;
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    String file = write("o", OPTIONS, "nc4");
    CommandRun none = CommandRun.of("ncdump", "-v", "nothing", file);
    assertThat(none.err()).contains("variable: actual=none of the name nothing");
    assertThat(none.code()).isEqualTo(1);
    assertThat(CommandRun.of("ncdump", "-p", "99", file).err()).contains("expected=1 to 20");
    assertThat(CommandRun.of("ncdump", "-b", "x", file).err()).contains("expected=c or f");
    assertThat(CommandRun.of("ncdump", "-bc", "-ff", file).code()).isEqualTo(1);
    assertThat(CommandRun.of("ncdump", folder.resolve("no").toString()).code()).isEqualTo(1);
    assertThat(CommandRun.of("ncdump", "--help").out()).contains("Usage: hyperslab ncdump");
  }

  /** Runs the script beside this class. */
  static final class RandomCdl {
    private RandomCdl() {}

    /** Writes random CDL files, and returns a line "NAME KIND" for each. */
    static List<String> write(Path folder, long seed, int count) {
      try {
        Path script = Path.of(NcdumpCommandTest.class.getResource("random_cdl.py").toURI());
        return Oracle.h5py(script)
            .run(folder.toString(), Long.toString(seed), Integer.toString(count))
            .orFail()
            .output()
            .lines()
            .toList();
      } catch (URISyntaxException wrong) {
        throw new IllegalStateException(wrong);
      }
    }
  }
}
