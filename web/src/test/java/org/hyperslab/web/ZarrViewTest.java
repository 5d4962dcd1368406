package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.Test;

/** Tests files as stores of Zarr. */
final class ZarrViewTest {

  private static final String TOKEN = "a-token-of-the-test";

  @Test
  void corpusIsReadByZarrPythonAsByH5py() throws IOException {
    CorpusJudge.compare("zarr", "zarr_judge.py", "\"arrays\": 0,");
  }

  @Test
  void missingKeysAreNotFound() {
    try (TemporaryFolder folder = TemporaryFolder.create("zarr")) {
      try (H5File file = Hdf5.create(folder.file("x.h5"))) {
        file.datasetBuilder("grid/x")
            .value(new int[5][7])
            .options(DatasetOptions.chunked(2, 3).build())
            .create()
            .close();
        file.createDataset("one", 1).close();
        file.createDataset("reference", Datatypes.OBJECT_REFERENCE, Dataspace.scalar()).close();
      }
      try (WebServer server =
              WebServer.show(
                  folder.path(),
                  WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))));
          Client client = new Client(server, TOKEN)) {
        assertThat(client.text("/zarr/x.h5/grid/x/.zarray"))
            .contains("\"shape\":[5,7]", "\"chunks\":[2,3]", "\"dtype\":\"<i4\"");
        assertThat(client.get("/zarr/x.h5/grid/x/2.2").body()).hasSize(24);
        assertThat(client.get("/zarr/x.h5/one/0").body()).hasSize(4);
        for (String key :
            new String[] {
              "",
              "x",
              ".zarray",
              "grid/.zarray",
              "grid/x/.zgroup",
              "grid/x/3.0",
              "grid/x/0.3",
              "grid/x/0",
              "grid/x/0.0.0",
              "grid/x/-1.0",
              "grid/x/999999999999999999.0",
              "grid/x/9999999999999999999.0",
              "one/1",
              "grid/0",
              "nothing/.zgroup",
              "reference/.zarray",
              "reference/0",
              "grid/.zmetadata",
              "one/0/0",
              "grid/x/0.0/.zarray",
            }) {
          assertThat(client.status("/zarr/x.h5/" + key)).as(key).isEqualTo(404);
        }
        assertThat(client.status("/zarr/y.h5/.zgroup")).isEqualTo(404);
        assertThat(client.status("/zarr/%2e%2e/x.h5/.zgroup")).isEqualTo(404);
      }
    }
  }

  @Test
  void variablesHaveTheirNamesInNetcdf() {
    try (TemporaryFolder folder = TemporaryFolder.create("zarr")) {
      try (H5File file = Hdf5.create(folder.file("x.h5"))) {
        Dataset time = file.createDataset("time", new float[3]);
        DimensionScales.makeScale(
            time, "This is a netCDF dimension but not a netCDF variable.         3");
        try (time;
            Dataset other = file.createDataset("_nc4_non_coord_time", new int[3])) {
          DimensionScales.attach(other, 0, time);
          other.setAttribute("nan", Double.NaN);
        }
      }
      try (WebServer server =
              WebServer.show(
                  folder.path(),
                  WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))));
          Client client = new Client(server, TOKEN)) {
        assertThat(client.text("/zarr/x.h5/.zmetadata"))
            .contains("\"time/.zarray\":{\"zarr_format\":2,\"shape\":[3]", "\"<i4\"")
            .doesNotContain("non_coord", "<f4");
        assertThat(client.text("/zarr/x.h5/time/.zattrs"))
            .isEqualTo("{\"nan\":NaN,\"_ARRAY_DIMENSIONS\":[\"time\"]}");
        assertThat(client.get("/zarr/x.h5/time/0").body()).hasSize(12);
        assertThat(client.status("/zarr/x.h5/_nc4_non_coord_time/.zarray")).isEqualTo(404);
      }
    }
  }
}
