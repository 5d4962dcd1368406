package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares written files with those of netCDF-C, and reads files of its programs. */
final class NetcdfFileTest {

  private static final VariableOptions PLAIN = VariableOptions.DEFAULT;

  @TempDir Path folder;

  private static void writeEverything(Path path) {
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("t");
      root.createDimension("x", 3);
      root.createDimension("y", 4);
      root.createUnlimitedDimension("s");
      NetcdfVariable x = root.createVariable("x", NetcdfTypes.FLOAT, "x");
      x.write(new float[] {1, 2, 3});
      x.setAttribute("units", "m");
      x.setAttribute("arr", new short[] {1, 2, 3});
      x.setAttribute("strs", new String[] {"a", "bb"});
      x.setAttribute("u", "\u00e9");
      x.setAttribute("e", "");
      x.setAttribute("n", new int[0]);
      VariableOptions packed = PLAIN.withShuffle().withDeflate(4).withFletcher32();
      NetcdfVariable v =
          root.createVariable("v", NetcdfTypes.INT, packed.withChunks(2, 3), "t", "x");
      v.write(new int[][] {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 14}});
      root.createVariable("y", NetcdfTypes.DOUBLE, "x", "y");
      root.createVariable("t", NetcdfTypes.DOUBLE, PLAIN.withChunks(2, 3), "t", "x");
      root.createVariable("c", NetcdfTypes.CHAR, "x").all().writeText("abc");
      NetcdfVariable text = root.createVariable("str", NetcdfTypes.STRING, "x");
      text.section(new long[] {0}, new long[] {1}).write("hello");
      root.createVariable("scalar", Datatypes.I64BE);
      root.createVariable("nofill", NetcdfTypes.USHORT, PLAIN.withoutFill(), "x")
          .write(new int[] {1, 2, 3});
      root.createVariable("filled", NetcdfTypes.INT64, PLAIN.withFill(7), "y", "x");
      writeUserTypes(root);
      root.createVariable("sv", NetcdfTypes.SHORT, PLAIN.withChunks(8), "s")
          .write(new short[] {1, 1, 1, 1});
      root.createVariable("sv2", NetcdfTypes.SHORT, PLAIN.withChunks(8, 3), "s", "x");
      NetcdfGroup g = root.createGroup("g");
      g.createDimension("z", 2);
      g.createVariable("k", NetcdfTypes.FLOAT, PLAIN.withChunks(2, 2), "t", "z");
      root.setAttribute("title", "hi");
    }
  }

  private static void writeUserTypes(NetcdfGroup root) {
    EnumType colour =
        EnumType.builder(Datatypes.I8LE).constant("red", 0).constant("blue", 1).build();
    root.defineType("colour", colour);
    CompoundType pair =
        CompoundType.builder()
            .member("a", 0, Datatypes.I32LE)
            .member("b", 8, Datatypes.F64LE)
            .size(16)
            .build();
    root.defineType("pair", pair);
    root.defineType("series", Datatypes.vlen(Datatypes.I16LE));
    root.createVariable("ev", colour, PLAIN.withFill("blue"), "x");
    root.createVariable("cv", pair, "x");
    root.createVariable("vv", Datatypes.vlen(Datatypes.I16LE), "x");
  }

  @Test
  void ncdumpPrintsTheSameAsForAFileByNetcdf() throws Exception {
    Path ours = folder.resolve("everything.nc");
    writeEverything(ours);
    Path theirs = Files.createDirectory(folder.resolve("c")).resolve("everything.nc");
    byNetcdf(theirs);
    assertThat(NetcdfJudge.ncdump(ours)).isEqualTo(NetcdfJudge.ncdump(theirs));
    NetcdfJudge.conventions(ours);
  }

  @Test
  void h5pySeesTheSameAsInAFileByNetcdf() {
    Path ours = folder.resolve("ours.nc");
    writeEverything(ours);
    Path theirs = folder.resolve("theirs.nc");
    byNetcdf(theirs);
    NetcdfJudge.run("same", theirs.toString(), ours.toString());
  }

  private static void byNetcdf(Path path) {
    try {
      Path script = Path.of(NetcdfFileTest.class.getResource("everything.py").toURI());
      Oracle.python("netCDF4", script).run(path.toString()).orFail();
    } catch (URISyntaxException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  /** Groups that use dimensions of the groups above, have their own, or hide them. */
  @Test
  void xarrayReadsTheTreeOfGroups() {
    Path path = folder.resolve("tree.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("time");
      root.createDimension("x", 2);
      root.createVariable("x", NetcdfTypes.DOUBLE, "x").write(new double[] {0.5, 1.5});
      root.createVariable("time", NetcdfTypes.INT, "time").write(new int[] {10, 20, 30});
      NetcdfGroup coarse = root.createGroup("coarse");
      coarse
          .createVariable("t", NetcdfTypes.FLOAT, "time", "x")
          .write(new float[][] {{1, 2}, {3, 4}, {5, 6}});
      NetcdfGroup fine = coarse.createGroup("fine");
      fine.createDimension("z", 3);
      fine.createVariable("z", NetcdfTypes.SHORT, "z").write(new short[] {7, 8, 9});
      NetcdfVariable p = fine.createVariable("p", NetcdfTypes.INT, "x", "z");
      p.write(new int[][] {{1, 2, 3}, {4, 5, 6}});
      p.setAttribute("units", "Pa");
      fine.createVariable("name", NetcdfTypes.STRING, "z").write(new String[] {"a", "", "\u00fc"});
      root.createGroup("empty").setAttribute("title", "nothing");
    }
    NetcdfJudge.conventions(path);
    assertThat(NetcdfJudge.datatree(path))
        .isEqualTo(
            """
            / [('time', ('time',), [10, 20, 30]), ('x', ('x',), [0.5, 1.5])]
            /coarse [('t', ('time', 'x'), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])]
            /coarse/fine [('name', ('z',), ['a', '', '\u00fc']), \
            ('p', ('x', 'z'), [[1, 2, 3], [4, 5, 6]]), ('z', ('z',), [7, 8, 9])]
            /empty []
            """);
  }

  @Test
  void nccopyAndXarrayReadIt() {
    Path path = folder.resolve("weather.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("time");
      root.createDimension("lat", 2);
      root.createVariable("lat", NetcdfTypes.DOUBLE, "lat").write(new double[] {-45, 45});
      NetcdfVariable time = root.createVariable("time", NetcdfTypes.INT, "time");
      time.setAttribute("units", "steps");
      time.write(new int[] {0, 1}); // shorter than its dimension
      NetcdfVariable t =
          root.createVariable("t", NetcdfTypes.SHORT, PLAIN.withFill(-1), "time", "lat");
      t.setAttribute("scale_factor", 0.5);
      t.write(new short[][] {{1, 2}, {3, 4}, {5, -1}});
    }
    assertThat(NetcdfJudge.xarray(path).strip()).isEqualTo("['lat', 't', 'time']");
    Path copy = folder.resolve("copy/weather.nc");
    copy.getParent().toFile().mkdir();
    Oracle.program("nccopy").run(path.toString(), copy.toString()).orFail();
    assertThat(NetcdfJudge.model(copy))
        .isEqualTo(NetcdfJudge.model(path))
        .contains("dim /time 3 unlimited");
  }

  @Test
  void readsFilesOfNetcdf() {
    Path path = folder.resolve("theirs.nc");
    byNetcdf(path);
    try (NetcdfFile file = NetcdfFile.open(path)) {
      NetcdfGroup root = file.root();
      assertThat(names(root.dimensions()))
          .isEqualTo("t = UNLIMITED (5), x = 3, y = 4, s = UNLIMITED (4)");
      assertThat(root.variable("v").dimensions())
          .containsExactly(root.dimension("t"), root.dimension("x"));
      assertThat(root.variable("v").read(int[][].class)[4]).containsExactly(12, 13, 14);
      assertThat(root.variable("x").isCoordinate()).isTrue();
      assertThat(root.variable("y").isCoordinate()).isFalse();
      assertThat(root.variable("x").attributeNames())
          .containsExactly("units", "arr", "strs", "u", "e", "n");
      assertThat(root.variable("x").attribute("units")).isEqualTo("m");
      assertThat(root.variable("x").attribute("e")).isEqualTo("");
      assertThat(root.variable("x").attribute("arr", short[].class)).containsExactly(1, 2, 3);
      assertThat(root.variable("c").all().readText()).containsExactly("abc");
      assertThat(root.variable("str").read(String[].class)).startsWith("hello");
      assertThat(root.variable("filled").fill()).contains(7L);
      assertThat(root.types())
          .extracting(NetcdfUserType::name)
          .containsExactly("colour", "pair", "series");
      assertThat(root.variable("g/k").dimensions().getFirst()).isSameAs(root.dimension("t"));
      assertThat(file.properties().orElseThrow()).startsWith("version=2,netcdf=");
      assertThat(file.leftOut()).isEmpty();
    }
  }

  private static String names(List<NetcdfDimension> dimensions) {
    return dimensions.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  @Test
  void sectionsHaveOriginShapeAndStride() {
    Path path = folder.resolve("sections.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createDimension("y", 4);
      root.createDimension("x", 6);
      NetcdfVariable v = root.createVariable("v", NetcdfTypes.INT, "y", "x");
      v.write(new int[4][6]);
      v.section(new long[] {1, 1}, new long[] {2, 3}, new long[] {2, 2})
          .write(new int[][] {{1, 2, 3}, {4, 5, 6}});
      assertThat(v.section(new long[] {3, 0}, new long[] {1, 6}).read(int[].class))
          .containsExactly(0, 4, 0, 5, 0, 6);
      assertThat(
              v.section(new long[] {1, 3}, new long[] {2, 2}, new long[] {2, 2})
                  .read(int[][].class))
          .isDeepEqualTo(new int[][] {{2, 3}, {5, 6}});
      assertThatThrownBy(() -> v.section(new long[] {3, 0}, new long[] {2, 1}).read(int[].class))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("axis 0, expected=within 4, at=/v");
      assertThatThrownBy(() -> v.section(new long[] {3, 0}, new long[] {2, 1}).write(new int[2]))
          .hasMessageContaining("axis 0, expected=within 4, at=/v");
      assertThatThrownBy(() -> v.section(new long[] {0}, new long[] {1}))
          .hasMessageContaining("expected=2 numbers each");
    }
    assertThat(NetcdfJudge.model(path))
        .contains(
            "[[0, 0, 0, 0, 0, 0], [0, 1, 0, 2, 0, 3], [0, 0, 0, 0, 0, 0], [0, 4, 0, 5, 0, 6]]");
  }

  @Test
  void anUnlimitedDimensionGrowsForAllAndTheRestIsFilled() {
    Path path = folder.resolve("grow.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      NetcdfDimension time = root.createUnlimitedDimension("time");
      root.createDimension("x", 2);
      NetcdfVariable v = root.createVariable("v", NetcdfTypes.DOUBLE, "time", "x");
      NetcdfVariable w =
          root.createVariable("w", NetcdfTypes.SHORT, PLAIN.withFill(-5), "time", "x");
      NetcdfVariable big = root.createVariable("big", NetcdfTypes.UINT64, "time");
      NetcdfVariable words = root.createVariable("words", NetcdfTypes.STRING, "time");
      w.write(new short[][] {{1, 2}});
      v.section(new long[] {2, 0}, new long[] {1, 2}).write(new double[] {8, 9});
      assertThat(time.length()).isEqualTo(3);
      assertThat(w.shape()).containsExactly(3, 2);
      assertThat(w.read(short[][].class)).isDeepEqualTo(new short[][] {{1, 2}, {-5, -5}, {-5, -5}});
      assertThat(w.read(int[].class)).containsExactly(1, 2, -5, -5, -5, -5);
      assertThat(v.read(double[].class)[0]).isEqualTo(9.969209968386869e36);
      assertThat(big.read(BigInteger[].class))
          .containsOnly(new BigInteger("18446744073709551614"))
          .hasSize(3);
      assertThat(words.read(String[].class)).containsExactly("", "", "");
    }
    assertThat(NetcdfJudge.checkedModel(path))
        .contains("dim /time 3 unlimited", "var /w(time,x) [[1, 2], [-5, -5], [-5, -5]]");
  }

  @Test
  void coordinateVariablesHaveTheLengthOfTheirDimension() {
    Path path = folder.resolve("coordinate.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("t");
      NetcdfVariable t = root.createVariable("t", NetcdfTypes.INT, "t");
      root.createVariable("v", NetcdfTypes.INT, "t").write(new int[] {1, 2, 3});
      file.flush();
      assertThat(t.dataset().shape()).containsExactly(3);
    }
  }

  @Test
  void aCoordinateVariableMayComeAfterTheDimensionIsInUse() {
    Path path = folder.resolve("late.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createDimension("x", 2);
      root.createVariable("a", NetcdfTypes.INT, "x").write(new int[] {1, 2});
      file.flush();
      root.createVariable("b", NetcdfTypes.INT, "x").write(new int[] {3, 4});
      root.createVariable("x", NetcdfTypes.INT, "x").write(new int[] {5, 6});
    }
    assertThat(NetcdfJudge.checkedModel(path))
        .isEqualTo("dim /x 2\nvar /a(x) [1, 2]\nvar /b(x) [3, 4]\nvar /x(x) [5, 6]\n");
  }

  @Test
  void classicModelIsEnforced() {
    Path path = folder.resolve("classic.nc");
    try (NetcdfFile file = NetcdfFile.create(path, NetcdfModel.CLASSIC)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("t");
      root.createDimension("x", 2);
      root.createVariable("v", NetcdfTypes.FLOAT, "t", "x").write(new float[][] {{1, 2}});
      assertThatThrownBy(() -> root.createGroup("g")).hasMessageContaining("classic model");
      assertThatThrownBy(() -> root.createUnlimitedDimension("u")).hasMessageContaining("classic");
      assertThatThrownBy(() -> root.createVariable("l", NetcdfTypes.INT64, "x"))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("expected=byte, char, short, int, float or double");
      assertThatThrownBy(() -> root.createVariable("w", NetcdfTypes.INT, "x", "t"))
          .hasMessageContaining("expected=on axis 0");
      assertThatThrownBy(() -> root.setAttribute("s", new String[] {"a"}))
          .hasMessageContaining("classic");
    }
    assertThat(Oracle.program("ncdump").run("-k", path.toString()).orFail().output().strip())
        .isEqualTo("netCDF-4 classic model");
    try (NetcdfFile file = NetcdfFile.open(path)) {
      assertThat(file.model()).isEqualTo(NetcdfModel.CLASSIC);
    }
  }

  @Test
  void plainHdf5GetsDimensionsAsNetcdfNamesThem() {
    Path path = folder.resolve("plain.h5");
    NetcdfJudge.run("phony", path.toString());
    try (NetcdfFile file = NetcdfFile.open(path)) {
      String ours =
          file.root()
              .all()
              .flatMap(group -> group.variables().stream())
              .map(Object::toString)
              .map(text -> text.replace("[", "(").replace("]", ")").replace(", ", ","))
              .collect(Collectors.joining("\n"));
      String theirs =
          NetcdfJudge.model(path)
              .lines()
              .filter(line -> line.startsWith("var"))
              .map(line -> line.replaceAll("^var (.*\\)) .*", "$1"))
              .collect(Collectors.joining("\n"));
      assertThat(ours).isEqualTo(theirs);
      assertThat(file.root().dimension("phony_dim_1").isPhony()).isTrue();
    }
  }

  @Test
  void unsupportedObjectsAreOmittedAndListed() {
    Path path = folder.resolve("odd.h5");
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("a", new int[] {1});
      file.root().createHardLink("b", "a");
      file.root().createSoftLink("c", "a");
      file.createDataset("r", file.dataset("a").reference());
      file.createGroup("g");
      file.root().createHardLink("g/loop", "/");
    }
    try (NetcdfFile file = NetcdfFile.open(path)) {
      assertThat(file.root().variables()).extracting(NetcdfVariable::name).containsExactly("a");
      assertThat(file.leftOut())
          .hasSize(4)
          .anyMatch(line -> line.startsWith("/r: the type"))
          .contains(
              "/b: a second link to an object",
              "/c: a link that is not hard",
              "/g/loop: a second link to an object");
    }
  }

  @Test
  void namesAndTypesThatNetcdfHasNotAreRefused() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("names.nc"))) {
      NetcdfGroup root = file.root();
      root.createDimension("x", 2);
      for (String name : List.of("", "a/b", " a", "a ", "-a", "a\nb", "\u00e9".repeat(129))) {
        assertThatThrownBy(() -> root.createVariable(name, NetcdfTypes.INT, "x"))
            .as(name)
            .isInstanceOf(InvalidUseException.class);
      }
      assertThatThrownBy(() -> root.createVariable("v", Datatypes.F16LE, "x"))
          .isInstanceOf(UnsupportedFeatureException.class);
      assertThatThrownBy(() -> root.createVariable("v", Datatypes.BOOLEAN, "x"))
          .isInstanceOf(NotFoundException.class);
      assertThatThrownBy(() -> root.createVariable("v", NetcdfTypes.INT, "nothing"))
          .isInstanceOf(NotFoundException.class);
      NetcdfVariable v = root.createVariable("v", NetcdfTypes.INT, "x");
      assertThatThrownBy(() -> root.createVariable("v", NetcdfTypes.INT))
          .isInstanceOf(AlreadyExistsException.class);
      assertThatThrownBy(() -> root.createGroup("v")).isInstanceOf(AlreadyExistsException.class);
      assertThatThrownBy(() -> root.createDimension("x", 3))
          .isInstanceOf(AlreadyExistsException.class);
      assertThatThrownBy(() -> v.setAttribute("_FillValue", 3))
          .hasMessageContaining("VariableOptions.withFill");
      assertThatThrownBy(() -> v.setAttribute("DIMENSION_LIST", 3))
          .isInstanceOf(InvalidUseException.class);
      assertThat(root.variables()).containsExactly(v);
    }
  }

  @Test
  void aFileForReadingIsNotChanged() {
    Path path = folder.resolve("read.nc");
    NetcdfFile.create(path).close();
    try (NetcdfFile file = NetcdfFile.open(path)) {
      for (Runnable change :
          Arrays.<Runnable>asList(
              () -> file.root().createDimension("x", 1),
              () -> file.root().setAttribute("a", 1),
              () -> file.root().createGroup("g"))) {
        assertThatThrownBy(change::run).hasMessageContaining("expected=NetcdfFile.openForEdit");
      }
    }
  }

  @Test
  void arraysOfAnotherShapeAreRefused() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("shapes.nc"))) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("t");
      root.createDimension("x", 3);
      NetcdfVariable v = root.createVariable("v", NetcdfTypes.INT, "t", "x");
      v.write(new int[][] {{1, 2, 3}, {4, 5, 6}});
      refused(() -> v.write(new int[][] {{7, 7}, {7, 7}}), "shape [2, 2], expected=3 on axis 1");
      NetcdfVariable x = root.createVariable("x", NetcdfTypes.INT, "x");
      refused(() -> x.write(new int[] {7}), "shape [1], expected=3 on axis 0, the length of x");
      NetcdfSection whole = v.section(new long[2], new long[] {2, 3});
      refused(() -> whole.write(new int[][] {{7, 7}, {7, 7}, {7, 7}}), "shape [3, 2]");
      assertThat(v.read(int[][].class)).isDeepEqualTo(new int[][] {{1, 2, 3}, {4, 5, 6}});
      v.section(new long[] {1, 0}, new long[] {1, 3}).write(new int[] {7, 8, 9});
      v.write(new int[][] {{0, 0, 0}});
      assertThat(v.read(int[][].class)).isDeepEqualTo(new int[][] {{0, 0, 0}, {7, 8, 9}});
    }
  }

  @Test
  void attributesWithoutElementsHaveTheClassOfTheirType() {
    Path path = folder.resolve("empty.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      file.root().setAttribute("ints", new int[0]);
      file.root().setAttribute("doubles", new double[0]);
      file.root().setAttribute("strings", new String[0], NetcdfTypes.STRING);
    }
    try (NetcdfFile file = NetcdfFile.open(path)) {
      assertThat(file.root().attribute("ints")).isEqualTo(new int[0]);
      assertThat(file.root().attribute("doubles")).isEqualTo(new double[0]);
      assertThat(file.root().attribute("strings")).isEqualTo(new String[0]);
    }
  }

  @Test
  void refusedValuesNameTheVariable() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("range.nc"))) {
      file.root().createDimension("n", 2);
      NetcdfVariable b = file.root().createGroup("g").createVariable("b", NetcdfTypes.BYTE, "n");
      refused(() -> b.write(new int[] {1, 300}), "out of range", "at=/g/b");
      refused(() -> b.all().write(new int[] {1, 300}), "out of range", "at=/g/b");
    }
  }

  @Test
  void textForCharactersIsReferredToWriteText() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("text.nc"))) {
      file.root().createDimension("n", 3);
      NetcdfVariable c = file.root().createVariable("c", NetcdfTypes.CHAR, "n");
      refused(() -> c.write("abc"), "writeText", "/c");
      refused(() -> c.all().write(new String[] {"a", "b", "c"}), "writeText", "/c");
      c.all().writeText("abc");
      assertThat(c.all().readText()).containsExactly("abc");
    }
  }

  @Test
  void elementsBeyondTheEndHaveTheFillValueOfNetcdf() {
    Path path = folder.resolve("short.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("time");
      root.createVariable("long", NetcdfTypes.INT, "time").write(new int[3]);
      VariableOptions unfilled = VariableOptions.DEFAULT.withoutFill();
      root.createVariable("f", NetcdfTypes.FLOAT, unfilled, "time").write(new float[] {1});
      root.createVariable("s", NetcdfTypes.SHORT, unfilled, "time").write(new short[] {1});
    }
    float none = 0x1.ep122f;
    try (NetcdfFile file = NetcdfFile.open(path)) {
      NetcdfGroup root = file.root();
      assertThat(root.variable("f").all().read(float[].class)).containsExactly(1, none, none);
      assertThat(root.variable("s").all().read(short[].class))
          .containsExactly(new int[] {1, -32_767, -32_767});
    }
  }

  private static void refused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call).isInstanceOf(InvalidUseException.class).hasMessageContainingAll(parts);
  }
}
