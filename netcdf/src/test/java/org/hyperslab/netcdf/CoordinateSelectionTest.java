package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sections by the values of coordinates, as xarray's sel finds them. */
final class CoordinateSelectionTest {

  @TempDir Path folder;

  @Test
  void randomSelectionsAreThoseOfXarray() {
    long seed = Seeds.draw();
    int count = Effort.times(40, 2_000);
    var lines =
        ValuesJudge.run("select", folder.toString(), Long.toString(seed), Integer.toString(count));
    try (NetcdfFile file = NetcdfFile.open(folder.resolve("select.nc"))) {
      NetcdfSection all = file.root().variable("v").all();
      for (String line : lines) {
        String[] part = line.split("\\|", -1);
        NetcdfSection found =
            all.between("lat", Double.valueOf(part[0]), Double.valueOf(part[1]))
                .between("time", LocalDateTime.parse(part[3]), LocalDateTime.parse(part[4]))
                .nearest("lon", Double.valueOf(part[2]));
        assertThat(text(found)).as("seed %d: %s", seed, line).isEqualTo(part[5]);
        NetcdfSection near = all.nearest("time", LocalDateTime.parse(part[6]));
        assertThat(text(near).split(" ")[0]).as("seed %d: %s", seed, line).isEqualTo(part[7]);
      }
      assertThat(lines).hasSize(count);
    }
  }

  private static String text(NetcdfSection section) {
    return Arrays.stream(section.read(int[].class))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }

  @Test
  void whatIsNotFoundIsSaid() {
    Path path = folder.resolve("a.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createDimension("x", 4);
      root.createDimension("y", 2);
      root.createDimension("name", 2);
      root.createVariable("x", NetcdfTypes.DOUBLE, "x").write(new double[] {1, 5, 2, 4});
      root.createVariable("name", NetcdfTypes.STRING, "name").write(new String[] {"Oslo", "Rome"});
      NetcdfVariable v = root.createVariable("v", NetcdfTypes.INT, "x", "y", "name");
      v.write(new int[4][2][2]);
      NetcdfSection all = v.all();
      assertThat(all.at("name", "Rome").at("x", 2).toString())
          .isEqualTo("/v from [2, 0, 1] shape [1, 2, 1] stride [1, 1, 1]");
      assertThat(all.between("x", 4, 9).shape()).containsExactly(0, 2, 2);
    } catch (InvalidUseException parts) {
      assertThat(parts).hasMessageContaining("2 between 4 and 9 that do not follow each other");
    }
    try (NetcdfFile file = NetcdfFile.open(path)) {
      NetcdfSection all = file.root().variable("v").all();
      assertThatThrownBy(() -> all.at("x", 3))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("coordinate of x: actual=none equals 3")
          .hasMessageContaining("nearest()");
      assertThatThrownBy(() -> all.nearest("x", 9, 1))
          .hasMessageContaining("none within 1.0 of 9; the closest is 4.0 away");
      assertThatThrownBy(() -> all.at("y", 3)).hasMessageContaining("has no variable of its name");
      assertThatThrownBy(() -> all.at("z", 3)).hasMessageContaining("expected=one of [x, y, name]");
      assertThatThrownBy(() -> all.at("name", "Bonn")).hasMessageContaining("none equals Bonn");
      assertThatThrownBy(() -> all.nearest("x", LocalDateTime.MIN))
          .hasMessageContaining("units of time");
    }
  }
}
