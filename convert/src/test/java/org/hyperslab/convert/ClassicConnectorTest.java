package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.convert.zarr.connector.ZarrConnectorFactory;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfModel;
import org.hyperslab.netcdf.NetcdfTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the connector that reads files of classic netCDF without converting them. */
final class ClassicConnectorTest {

  @TempDir Path folder;

  @Test
  void elementsAreReadFromTheClassicFile() {
    Path source = folder.resolve("source.nc4");
    double[][] values = new double[300][7];
    try (NetcdfFile file = NetcdfFile.create(source, NetcdfModel.CLASSIC)) {
      file.root().createUnlimitedDimension("time");
      file.root().createDimension("x", 7);
      file.root().createVariable("x", NetcdfTypes.INT, "x").write(new int[] {6, 5, 4, 3, 2, 1, 0});
      for (int i = 0; i < 300 * 7; i++) {
        values[i / 7][i % 7] = i / 3.0;
      }
      file.root().createVariable("v", NetcdfTypes.DOUBLE, "time", "x").write(values);
    }
    Path classic = folder.resolve("classic.nc3");
    FileConverter.convert(source, classic);
    assertThat(ClassicNetcdf.is(classic)).isTrue();
    try (Session session = Hdf5.session(ZarrConnectorFactory.createClassic());
        H5File file = session.open(classic)) {
      assertThat(file.dataset("x").readInts()).containsExactly(6, 5, 4, 3, 2, 1, 0);
      assertThat(file.dataset("v").read(double[][].class)).isDeepEqualTo(values);
      assertThat(file.dataset("v").slice("200:202, ::3").readDoubles())
          .containsExactly(1400 / 3.0, 1403 / 3.0, 1406 / 3.0, 1407 / 3.0, 1410 / 3.0, 1413 / 3.0);
      assertThat(session.exists(classic)).isTrue();
      assertThatThrownBy(() -> session.openForEdit(classic))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("connector classic");
    }
  }
}
