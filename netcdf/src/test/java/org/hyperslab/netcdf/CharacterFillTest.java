package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fill values of NC_CHAR and NC_STRING, as netCDF-C reads and copies them. */
final class CharacterFillTest {

  @TempDir Path folder;

  @Test
  void charactersAndTextsHaveFillValues() {
    Path path = folder.resolve("fill.nc");
    try (NetcdfFile file = NetcdfFile.create(path)) {
      NetcdfGroup root = file.root();
      root.createUnlimitedDimension("x");
      root.createVariable("long", NetcdfTypes.BYTE, "x").write(new byte[] {1, 2, 3});
      add(root, "text", "z");
      add(root, "space", ' ');
      add(root, "latin", (byte) 0xE9);
      add(root, "nul", "");
      VariableOptions none = VariableOptions.DEFAULT.withFill("none");
      root.createVariable("string", NetcdfTypes.STRING, none, "x").write(new String[] {"a"});
    }
    assertThat(Oracle.program("ncdump").run(path.toString()).orFail().output())
        .contains("\t\ttext:_FillValue = \"z\"", "text = \"azz\"", "space = \"a  \"")
        .contains("nul:_FillValue = \"\"", "string string:_FillValue = \"none\"", "\"a\", _, _");
    Path copy = folder.resolve("copy.nc");
    Oracle.program("nccopy").run(path.toString(), copy.toString()).orFail();
    try (NetcdfFile file = NetcdfFile.open(path)) {
      assertThat(file.root().variable("text").fill()).isEqualTo(Optional.of("z"));
      assertThat(file.root().variable("latin").fill()).isEqualTo(Optional.of("\uDCE9"));
      assertThat(file.root().variable("latin").all().readText()).containsExactly("a\uDCE9\uDCE9");
      assertThat(file.root().variable("string").read(String[].class))
          .containsExactly("a", "none", "none");
    }
    try (NetcdfFile file = NetcdfFile.open(copy)) {
      assertThat(file.root().variable("text").all().readText()).containsExactly("azz");
      assertThat(file.root().variable("text").attribute("_FillValue")).isEqualTo("z");
    }
  }

  private static void add(NetcdfGroup root, String name, Object fill) {
    VariableOptions options = VariableOptions.DEFAULT.withFill(fill);
    root.createVariable(name, NetcdfTypes.CHAR, options, "x")
        .section(new long[] {0}, new long[] {1})
        .writeText("a");
  }

  @Test
  void aCharacterIsOneByte() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("two.nc"))) {
      VariableOptions two = VariableOptions.DEFAULT.withFill("ab");
      assertThatThrownBy(() -> file.root().createVariable("v", NetcdfTypes.CHAR, two))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("fill value of NC_CHAR: actual=\"ab\", expected=one byte");
      assertThat(file.root().variables()).isEmpty();
    }
  }
}
