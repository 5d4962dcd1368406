package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Missing and packed values, as netCDF4-python and xarray read and write them. */
final class DecodedValuesTest {

  @TempDir Path folder;

  @Test
  void shortsWithAFillValueAreDoublesWithNan() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("a.nc"))) {
      file.root().createDimension("x", 3);
      VariableOptions fill = VariableOptions.DEFAULT.withFill((short) -999);
      NetcdfVariable v = file.root().createVariable("v", NetcdfTypes.SHORT, fill, "x");
      v.all().decoded().write(new double[] {1, 2, Double.NaN});
      assertThat(v.read(short[].class)).containsExactly((short) 1, (short) 2, (short) -999);
      assertThat(v.all().decoded().read(double[].class)).containsExactly(1, 2, Double.NaN);
      assertThat(v.all().decoded().read(float[].class)).containsExactly(1f, 2f, Float.NaN);
      assertThat(v.all().decoded().missing()).containsExactly(false, false, true);
      NetcdfSection first = v.section(new long[] {0}, new long[] {1});
      assertThat(first.decoded().read(Double.class)).isEqualTo(1.0);
      assertThat((double[]) v.all().decoded().read(Object.class)).hasSize(3);
      assertThatThrownBy(() -> v.all().decoded().read(int[].class))
          .hasMessageContaining("actual=int[], expected=double[].class, float[].class");
    }
  }

  @Test
  void packedValuesHaveTheShapeOfTheSection() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("a.nc"))) {
      file.root().createUnlimitedDimension("t");
      file.root().createDimension("x", 2);
      NetcdfVariable v = file.root().createVariable("v", NetcdfTypes.BYTE, "t", "x");
      v.setAttribute("scale_factor", 0.5);
      v.setAttribute("add_offset", 10.0);
      v.setAttribute("_Unsigned", "true");
      v.section(new long[] {0, 0}, new long[] {2, 2})
          .decoded()
          .write(new double[][] {{10, 10.5}, {137, 74}});
      assertThat(v.read(byte[].class)).containsExactly((byte) 0, (byte) 1, (byte) -2, (byte) -128);
      assertThat(v.all().decoded().read(double[][].class)[1]).containsExactly(137, 74);
      NetcdfSection row = v.section(new long[] {1, 0}, new long[] {1, 2});
      assertThatThrownBy(() -> row.decoded().write(new double[] {10, 138}))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("value: actual=138.0, packed 256.0, expected=what")
          .hasMessageContaining("another scale_factor and add_offset, at=element 1 of /v");
      assertThatThrownBy(() -> row.decoded().write(new double[] {Double.NaN, 10}))
          .hasMessageContaining("no mark of missing values")
          .hasMessageContaining("withFill");
      assertThatThrownBy(() -> row.decoded().write(new double[][] {{1}, {2}}))
          .hasMessageContaining("/v");
    }
  }

  @Test
  void valuesThatWouldBeReadAsMissingAreRefused() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("a.nc"))) {
      file.root().createDimension("x", 1);
      VariableOptions fill = VariableOptions.DEFAULT.withFill(5);
      NetcdfVariable v = file.root().createVariable("v", NetcdfTypes.INT, fill, "x");
      v.setAttribute("valid_max", 100);
      for (double value : new double[] {5, 101}) {
        assertThatThrownBy(() -> v.all().decoded().write(new double[] {value}))
            .hasMessageContaining("which would be read as missing, expected=NaN");
      }
      v.setAttribute("scale_factor", "ten");
      assertThatThrownBy(() -> v.all().decoded())
          .hasMessageContaining("attribute scale_factor: actual=")
          .hasMessageContaining("expected=one number");
      assertThatThrownBy(
              () -> file.root().createVariable("c", NetcdfTypes.CHAR, "x").all().decoded())
          .hasMessageContaining("expected=a variable of numbers");
    }
  }

  @Test
  void everyByteIsAValueWithoutAFillValue() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("a.nc"))) {
      file.root().createDimension("x", 2);
      NetcdfVariable v = file.root().createVariable("v", NetcdfTypes.UBYTE, "x");
      v.write(new int[] {255, 254});
      assertThat(v.all().decoded().read(double[].class)).containsExactly(255, 254);
      VariableOptions off = VariableOptions.DEFAULT.withoutFill();
      NetcdfVariable w = file.root().createVariable("w", NetcdfTypes.SHORT, off, "x");
      w.write(new short[] {-32767, 1});
      assertThat(w.all().decoded().missing()).containsExactly(false, false);
    }
  }

  @Test
  void integersOf64BitsKeepAllTheirBits() {
    try (NetcdfFile file = NetcdfFile.create(folder.resolve("a.nc"))) {
      file.root().createDimension("x", 2);
      VariableOptions fill = VariableOptions.DEFAULT.withFill(Long.MAX_VALUE);
      NetcdfVariable v = file.root().createVariable("v", NetcdfTypes.INT64, fill, "x");
      v.write(new long[] {Long.MAX_VALUE - 1, Long.MAX_VALUE});
      assertThat(v.all().decoded().missing()).containsExactly(false, true);
      v.all().decoded().write(new long[] {(1L << 53) + 1, 7});
      assertThat(v.read(long[].class)).containsExactly((1L << 53) + 1, 7);
    }
  }

  @Test
  void randomVariablesAreReadAsNetcdf4PythonAndXarrayReadThem() throws IOException {
    long seed = Seeds.draw();
    int count = Effort.times(40, 1_000);
    ValuesJudge.run("pack", folder.toString(), Long.toString(seed), Integer.toString(count));
    for (int i = 0; i < count; i++) {
      String name = "%04d.".formatted(i);
      double[] expected = doubles(folder.resolve(name + "f8"));
      try (NetcdfFile file = NetcdfFile.open(folder.resolve(name + "nc"))) {
        DecodedSection section = file.root().variable("v").all().decoded();
        assertThat(section.read(double[].class))
            .as("seed %d, file %s", seed, name)
            .containsExactly(expected);
      }
    }
  }

  @Test
  void randomValuesAreStoredAsNetcdf4PythonStoresThem() throws IOException {
    long seed = Seeds.draw();
    int count = Effort.times(30, 500);
    for (int i = 0; i < count; i++) {
      writeRandom(Seeds.random(seed, i), folder.resolve("%04d.nc".formatted(i)));
    }
    assertThat(ValuesJudge.run("packed", folder.toString()))
        .as("seed %d", seed)
        .containsExactly(Integer.toString(count));
  }

  private static void writeRandom(Random random, Path path) throws IOException {
    Datatype[] types = {NetcdfTypes.BYTE, NetcdfTypes.UBYTE, NetcdfTypes.SHORT, NetcdfTypes.INT};
    Datatype type = types[random.nextInt(types.length)];
    double scale = new double[] {1, 0.5, 0.01, 3}[random.nextInt(4)];
    double offset = new double[] {0, 100, -7.25}[random.nextInt(3)];
    double[] values = new double[10];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(5) == 0 ? Double.NaN : offset + scale * random.nextDouble() * 100;
    }
    try (NetcdfFile file = NetcdfFile.create(path)) {
      file.root().createDimension("x", values.length);
      VariableOptions fill = VariableOptions.DEFAULT.withFill(120);
      NetcdfVariable v = file.root().createVariable("ours", type, fill, "x");
      v.setAttribute("scale_factor", scale);
      v.setAttribute("add_offset", offset);
      v.all().decoded().write(values);
    }
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    Files.write(Path.of(path.toString().replace(".nc", ".in")), bytes.array());
  }

  private static double[] doubles(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    double[] doubles = new double[bytes.remaining() / 8];
    bytes.asDoubleBuffer().get(doubles);
    return doubles;
  }
}
