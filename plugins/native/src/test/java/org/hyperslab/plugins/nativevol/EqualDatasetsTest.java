package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests datasets that are created one after another with the same values, judged by h5py. */
class EqualDatasetsTest {

  private static final String PRINT =
      """
      import h5py, sys
      f = h5py.File(sys.argv[1])
      print(*[f'{n}:{d.dtype}{d.shape}{d[()].tolist()}{[int(v) for v in d.attrs.values()]}' for n, d in f.items()])
      """;

  @TempDir private Path folder;

  private String h5py(Path file) {
    return Oracle.h5py().run(PRINT, file.toString()).orFail().output().strip();
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"EARLIEST", "V110"})
  void editsOfOneDoNotReachTheOthers(FormatVersion low) {
    Path path = folder.resolve(low + ".h5");
    Dataspace two = Dataspace.simple(2);
    DatasetOptions options = DatasetOptions.DEFAULT;
    CreateOptions bounds = CreateOptions.DEFAULT.withBounds(low, FormatVersion.V110);
    try (H5File file = Hdf5.create(path, bounds)) {
      Group root = file.root();
      Dataset first =
          root.datasetBuilder("a").type(Datatypes.NATIVE_INT).space(two).options(options).create();
      first.write(new int[] {1, 2});
      first.setAttribute("note", 5);
      root.datasetBuilder("b").type(Datatypes.NATIVE_INT).space(two).options(options).create();
      root.datasetBuilder("c").type(Datatypes.NATIVE_INT).shape(3).options(options).create();
      root.datasetBuilder("d").type(Datatypes.NATIVE_DOUBLE).shape(3).options(options).create();
      root.datasetBuilder("e")
          .type(Datatypes.NATIVE_DOUBLE)
          .shape(3)
          .options(options)
          .create()
          .write(new double[] {1, 2, 3});
      file.root().dataset("b").write(new int[] {3, 4});
    }
    assertThat(h5py(path))
        .isEqualTo(
            "a:int32(2,)[1, 2][5] b:int32(2,)[3, 4][] c:int32(3,)[0, 0, 0][]"
                + " d:float64(3,)[0.0, 0.0, 0.0][] e:float64(3,)[1.0, 2.0, 3.0][]");
  }

  @Test
  void fillValueIsReadAgainForEachDataset() {
    Path path = folder.resolve("fill.h5");
    int[] fill = {7};
    DatasetOptions options =
        DatasetOptions.builder()
            .fill(
                new FillValue.Value(
                    Datatypes.NATIVE_INT, DataBuffer.of(MemorySegment.ofArray(fill))))
            .build();
    try (H5File file = Hdf5.create(path)) {
      file.root().datasetBuilder("a").type(Datatypes.NATIVE_INT).shape(1).options(options).create();
      fill[0] = 8;
      file.root().datasetBuilder("b").type(Datatypes.NATIVE_INT).shape(1).options(options).create();
    }
    assertThat(h5py(path)).isEqualTo("a:int32(1,)[7][] b:int32(1,)[8][]");
  }
}
