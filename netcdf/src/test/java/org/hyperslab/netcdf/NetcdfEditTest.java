package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Edits files that netCDF-C wrote, and checks that they remain netCDF-4 and that renaming changes
 * all dependents.
 */
final class NetcdfEditTest {

  @TempDir Path folder;

  /** A file of netCDF-C's with a coordinate variable, an ordinary one, and a shared dimension. */
  private Path theirs() {
    Path random = folder.resolve("random");
    random.toFile().mkdir();
    NetcdfJudge.run("make", random.toString(), "7", "3");
    return random.resolve("in/0001.nc");
  }

  private Path ours(Consumer<NetcdfGroup> more) {
    Path path = folder.resolve("ours.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createDimension("x", 2);
      root.createDimension("y", 3);
      root.createVariable("x", NetcdfTypes.INT, "x").write(new int[] {1, 2});
      root.createVariable("a", NetcdfTypes.INT, "x", "y").write(new int[2][3]);
      root.createVariable("b", NetcdfTypes.INT, "y").write(new int[] {7, 8, 9});
      more.accept(root);
    }
    return path;
  }

  private String edited(Path path, Consumer<NetcdfGroup> change) {
    try (NetcdfFile file = NetcdfFile.openForEdit(path)) {
      change.accept(file.root());
    }
    return NetcdfJudge.checkedModel(path);
  }

  @Test
  void additionsKeepExistingContent() {
    Path path = theirs();
    List<String> before = NetcdfJudge.ncdump(path).lines().toList();
    edited(
        path,
        root -> {
          root.createDimension("added_dimension", 3);
          root.createVariable("added", NetcdfTypes.INT, "added_dimension")
              .write(new int[] {1, 2, 3});
          root.variable("added").setAttribute("added_units", "m");
          root.setAttribute("added_title", "new");
        });
    List<String> after = new ArrayList<>(NetcdfJudge.ncdump(path).lines().toList());
    after.removeIf(line -> line.contains("added"));
    assertThat(after).containsSubsequence(before);
  }

  @Test
  void aCoordinateVariableWithANewNameLeavesItsDimension() {
    Path path = ours(root -> {});
    assertThat(edited(path, root -> root.variable("x").rename("z")))
        .isEqualTo(
            """
            dim /x 2
            dim /y 3
            var /a(x,y) [[0, 0, 0], [0, 0, 0]]
            var /b(y) [7, 8, 9]
            var /z(x) [1, 2]
            """);
  }

  @Test
  void aVariableThatTakesItsDimensionsNameHoldsItsCoordinates() {
    Path path = ours(root -> {});
    assertThat(edited(path, root -> root.variable("b").rename("y")))
        .isEqualTo(
            """
            dim /x 2
            dim /y 3
            var /x(x) [1, 2]
            var /a(x,y) [[0, 0, 0], [0, 0, 0]]
            var /y(y) [7, 8, 9]
            """);
    try (NetcdfFile file = NetcdfFile.open(path)) {
      assertThat(file.root().dimension("y").coordinate()).isPresent();
    }
  }

  /** Programs before netCDF-C 4.9 number the dimensions of no variable but coordinate ones. */
  @Test
  void aVariableWithoutNumbersThatBecomesACoordinateKeepsItsOtherDimensions() {
    Path path =
        ours(root -> {
          root.createDimension("z", 2);
          root.createVariable("c", NetcdfTypes.INT, "z", "y").write(new int[2][3]);
        });
    try (H5File file = Hdf5.openForEdit(path)) {
      file.dataset("c").deleteAttribute("_Netcdf4Coordinates");
    }
    assertThat(edited(path, root -> root.variable("c").rename("z")))
        .contains("var /z(z,y) [[0, 0, 0], [0, 0, 0]]\n");
    try (NetcdfFile file = NetcdfFile.open(path)) {
      assertThat(file.root().variable("z").toString()).isEqualTo("/z[z, y]");
    }
  }

  @Test
  void aVariableThatTakesAnotherDimensionsNameDoesNot() {
    Path path = ours(root -> {});
    assertThat(edited(path, root -> root.variable("a").rename("y")))
        .contains("dim /y 3\n", "var /y(x,y) [[0, 0, 0], [0, 0, 0]]\n");
    assertThat(edited(path, root -> root.variable("y").rename("c")))
        .contains("var /c(x,y) [[0, 0, 0], [0, 0, 0]]\n");
  }

  @Test
  void aDimensionWithANewNameLeavesItsCoordinateVariable() {
    Path path = ours(root -> {});
    assertThat(edited(path, root -> root.dimension("x").rename("z")))
        .contains("dim /z 2\n", "var /x(z) [1, 2]\n", "var /a(z,y)");
  }

  @Test
  void aDimensionThatTakesItsVariablesNameGetsACoordinateVariable() {
    Path path = ours(root -> {});
    assertThat(edited(path, root -> root.dimension("y").rename("b")))
        .contains("dim /b 3\n", "var /b(b) [7, 8, 9]\n", "var /a(x,b)");
    Path again =
        ours(root -> root.createVariable("w", NetcdfTypes.INT, "x").write(new int[] {4, 5}));
    assertThat(edited(again, root -> root.dimension("x").rename("w")))
        .contains("dim /w 2\n", "var /w(w) [4, 5]\n", "var /x(w) [1, 2]\n", "var /a(w,y)");
  }

  @Test
  void dimensionWithAnotherVariablesNameMovesThatVariable() {
    Path path = ours(root -> {});
    assertThat(edited(path, root -> root.dimension("y").rename("a")))
        .contains("dim /a 3\n", "var /a(x,a) [[0, 0, 0], [0, 0, 0]]\n", "var /b(a) [7, 8, 9]\n");
    assertThat(edited(path, root -> root.createDimension("b", 4)))
        .contains("dim /b 4\n", "var /b(a)");
  }

  @Test
  void takenNamesAreRefused() {
    Path path = ours(root -> root.createGroup("g"));
    try (NetcdfFile file = NetcdfFile.openForEdit(path)) {
      NetcdfGroup root = file.root();
      for (String taken : List.of("a", "g")) {
        assertThatThrownBy(() -> root.variable("b").rename(taken))
            .isInstanceOf(AlreadyExistsException.class);
      }
      assertThatThrownBy(() -> root.dimension("x").rename("y"))
          .isInstanceOf(AlreadyExistsException.class);
    }
    NetcdfJudge.conventions(path);
  }

  @Test
  void randomRenamesKeepTheModel() {
    Seeds.run(
        Effort.times(3, 300),
        random -> {
          Path path = ours(root -> {});
          String model = edited(path, root -> renameOften(root, random));
          assertThat(model.lines().filter(line -> line.startsWith("dim"))).hasSize(2);
          assertThat(model).contains(") [1, 2]\n", ") [[0, 0, 0], [0, 0, 0]]\n", ") [7, 8, 9]\n");
        });
  }

  private static void renameOften(NetcdfGroup root, Random random) {
    List<String> names = List.of("x", "y", "a", "b", "c");
    for (int step = 0; step < 12; step++) {
      String name = names.get(random.nextInt(names.size()));
      List<NetcdfVariable> variables = root.variables();
      List<NetcdfDimension> dimensions = root.dimensions();
      if (random.nextBoolean()) {
        NetcdfVariable variable = variables.get(random.nextInt(variables.size()));
        if (variables.stream().noneMatch(each -> each.name().equals(name))) {
          variable.rename(name);
          assertThat(root.variable(name)).isSameAs(variable);
        }
      } else if (dimensions.stream().noneMatch(each -> each.name().equals(name))) {
        NetcdfDimension dimension = dimensions.get(random.nextInt(dimensions.size()));
        dimension.rename(name);
        assertThat(root.dimension(name)).isSameAs(dimension);
      }
    }
  }

  @Test
  void scalesWithoutNumbersGetThemWhenOneIsAdded() {
    Path path = folder.resolve("h5py.h5");
    try (H5File file = Hdf5.create(path)) {
      var x = file.createDataset("x", new int[] {1, 2});
      DimensionScales.makeScale(x, "x");
      var a = file.createDataset("a", new int[] {3, 4});
      DimensionScales.attach(a, 0, x);
    }
    try (NetcdfFile file = NetcdfFile.openForEdit(path)) {
      file.root().createDimension("y", 1);
    }
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("x").attribute("_Netcdf4Dimid").readInt()).isZero();
      assertThat(file.dataset("y").attribute("_Netcdf4Dimid").readInt()).isEqualTo(1);
    }
    assertThat(NetcdfJudge.model(path)).contains("dim /y 1\n", "var /a(x) [3, 4]\n");
  }

  @Test
  void attributesAreReplacedRenamedAndDeleted() {
    Path path = ours(root -> root.variable("a").setAttribute("units", "m"));
    try (NetcdfFile file = NetcdfFile.openForEdit(path)) {
      NetcdfVariable a = file.root().variable("a");
      a.setAttribute("units", "kilometres");
      a.setAttribute("n", 3);
      a.setAttribute("m", new double[] {1, 2});
      a.renameAttribute("n", "o");
      a.deleteAttribute("m");
      assertThat(a.attributeNames()).containsExactlyInAnyOrder("units", "o");
      assertThat(a.attribute("o")).isEqualTo(3);
    }
    assertThat(NetcdfJudge.ncdump(path)).contains("a:units = \"kilometres\" ;", "a:o = 3 ;");
  }
}
