package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.scales.DimensionTable;
import org.hyperslab.scales.DimensionTable.Dim;
import org.hyperslab.scales.DimensionTable.Member;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the reading of dimensions that all presentations of a file share. */
final class DimensionTableTest {

  @TempDir Path folder;

  /** Returns the variables, each with its dimensions and their lengths. */
  private static Map<String, String> variables(DimensionTable table) {
    Map<String, String> all = new TreeMap<>();
    for (Member member : table.members().values()) {
      if (member.isVariable()) {
        all.put(member.path(), text(member));
      }
    }
    return all;
  }

  private static String text(Member member) {
    StringBuilder text = new StringBuilder();
    for (Dim dim : member.dims()) {
      text.append(text.isEmpty() ? "" : ", ").append(dim.path()).append('=').append(dim.length());
    }
    return text.toString();
  }

  private DimensionTable read(Path path) {
    try (H5File file = Hdf5.open(path)) {
      return DimensionTable.of(file);
    }
  }

  @Test
  void dimensionsOfNetcdfAreNotScales() {
    Path path = folder.resolve("ocean.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("time");
      root.createDimension("siglay", 2);
      root.createDimension("node", 3);
      root.createVariable("siglay", NetcdfTypes.FLOAT, "siglay", "node");
      root.createVariable("time", NetcdfTypes.INT, "node");
      root.createVariable("long", NetcdfTypes.INT, "time", "node").write(new int[4][3]);
      root.createVariable("short", NetcdfTypes.INT, "time").write(new int[2]);
      NetcdfGroup inner = root.createGroup("inner");
      inner.createDimension("node", 5);
      inner.createVariable("v", NetcdfTypes.INT, "time", "node");
      inner.createVariable("twice", NetcdfTypes.INT, "siglay", "siglay");
    }
    DimensionTable table = read(path);
    assertThat(variables(table))
        .isEqualTo(
            Map.of(
                "/siglay", "/siglay=2, /node=3",
                "/time", "/node=3",
                "/long", "/time=4, /node=3",
                "/short", "/time=4",
                "/inner/v", "/time=4, /inner/node=5",
                "/inner/twice", "/siglay=2, /siglay=2"));
    assertThat(table.dims()).extracting(Dim::phony).containsOnly(false);
    assertThat(table.members().values())
        .extracting(Member::linkName)
        .contains("_nc4_non_coord_time", "time");
  }

  @Test
  void axesWithoutAFittingScaleHaveDimensionsThatAreNotInTheFile() {
    Path path = folder.resolve("plain.h5");
    try (H5File file = Hdf5.create(path)) {
      var x = file.createDataset("x", new int[3]);
      DimensionScales.makeScale(x, "x");
      var a = file.createDataset("a", new int[3][4]);
      DimensionScales.attach(a, 0, x);
      var wrong = file.createDataset("wrong", new int[4]);
      DimensionScales.attach(wrong, 0, x);
      file.createDataset("square", new int[4][4]).close();
      file.datasetBuilder("grown")
          .type(int.class)
          .shape(3)
          .maxShape(Dataspace.UNLIMITED)
          .options(options -> options.chunked(2))
          .create()
          .close();
      file.createDataset("_nc4_non_coord_a", new int[3]).close();
    }
    DimensionTable table = read(path);
    Map<String, String> variables = variables(table);
    assertThat(variables)
        .containsEntry("/x", "/x=3")
        .containsEntry("/_nc4_non_coord_a", "/x=3")
        .containsEntry("/a", "/x=3, /phony_dim_1=4")
        .containsEntry("/wrong", "/phony_dim_1=4");
    assertThat(variables.get("/square")).isEqualTo("/phony_dim_1=4, /phony_dim_3=4");
    assertThat(variables.get("/grown")).isEqualTo("/phony_dim_2=3");
    Member wrong =
        table.members().values().stream()
            .filter(member -> member.name().equals("wrong"))
            .findFirst()
            .orElseThrow();
    assertThat(wrong.attached()).singleElement().extracting(Optional::isPresent).isEqualTo(true);
  }
}
