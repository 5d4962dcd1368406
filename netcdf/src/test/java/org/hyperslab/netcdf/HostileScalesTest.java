package org.hyperslab.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that files with wrong attributes of dimensions are read as far as possible, or refused. */
final class HostileScalesTest {

  private static final List<String> NAMES =
      List.of(
          "CLASS",
          "NAME",
          "DIMENSION_LIST",
          "REFERENCE_LIST",
          "_Netcdf4Dimid",
          "_Netcdf4Coordinates");

  @TempDir Path folder;

  @Test
  void wrongAttributesLeadToTypedErrorsOrToPhonyDimensions() {
    Seeds.run(
        Effort.times(60, 3000),
        random -> {
          Path path = folder.resolve("wrong.h5");
          damagedFile(path, random);
          try (NetcdfFile file = NetcdfFile.openForEdit(path)) {
            NetcdfGroup root = file.root();
            for (NetcdfVariable variable : root.variables()) {
              assertThat(variable.dimensions()).hasSize(variable.shape().length);
              variable.read(int[].class);
            }
            root.createDimension("added", 2);
          } catch (HyperslabException refused) {
            assertThat(refused.getMessage()).isNotBlank();
          }
        });
  }

  private static void damagedFile(Path path, Random random) {
    try (H5File file = Hdf5.create(path)) {
      Dataset x = file.createDataset("x", new int[] {1, 2});
      Dataset y = file.createDataset("y", new int[] {1, 2, 3});
      Dataset a = file.createDataset("a", new int[2][3]);
      DimensionScales.makeScale(x, "x");
      DimensionScales.makeScale(y, "y");
      DimensionScales.attach(a, 0, x);
      DimensionScales.attach(a, 1, y);
      for (int i = 0; i < 3; i++) {
        Dataset victim = List.of(x, y, a).get(random.nextInt(3));
        String name = NAMES.get(random.nextInt(NAMES.size()));
        damage(victim, name, random);
      }
    }
  }

  private static void damage(Dataset victim, String name, Random random) {
    switch (random.nextInt(6)) {
      case 0 -> victim.setAttribute(name, random.nextInt(4) - 1);
      case 1 -> victim.setAttribute(name, "DIMENSION_SCALE");
      case 2 -> victim.setAttribute(name, new int[] {0, 1, random.nextInt()});
      case 3 -> {
        Reference nowhere = new Reference.ToObject(random.nextInt(4000));
        victim.setAttribute(
            name, new Reference[][] {{nowhere}, {}}, Datatypes.vlen(Datatypes.OBJECT_REFERENCE));
      }
      case 4 -> victim.setAttribute(name, new Reference[] {victim.reference()});
      default -> {
        if (victim.hasAttribute(name)) {
          victim.deleteAttribute(name);
        }
      }
    }
  }
}
