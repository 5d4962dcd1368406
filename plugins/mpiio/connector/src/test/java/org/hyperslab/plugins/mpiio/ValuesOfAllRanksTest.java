package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Consumer;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests calls without transfer options that store elements and are collective: creating a dataset
 * that holds a value, and appending rows.
 */
final class ValuesOfAllRanksTest {

  private static final int RANKS = 3;

  private static final String EXPECTED =
      """
      import sys, h5py
      with h5py.File(sys.argv[1], "r") as f:
          assert f["plain"][()].tolist() == [1.0, 2.0, 3.0]
          assert f["filtered"][()].tolist() == [1, 2, 3, 4, 5], f["filtered"][()]
          assert f["filtered"].compression == "gzip"
          assert f["names"][()].tolist() == [b"a", b"bb", b"ccc", b"d"], f["names"][()]
      """;

  private final TemporaryFolder folder = TemporaryFolder.create("values");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private void onAllRanks(Consumer<H5File> body) {
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, MpiioOptions.DEFAULT);
              Session session = Hdf5.session(connector);
              H5File file = session.create(folder.file("values.h5"))) {
            body.accept(file);
          }
        });
  }

  @Test
  void storeFilteredElementsAndStringsToo() {
    onAllRanks(file -> {
      file.createDataset("plain", new double[] {1, 2, 3});
      long[] growing = {Hdf5.UNLIMITED};
      Dataset filtered =
          file.datasetBuilder("filtered")
              .value(new int[] {1, 2, 3})
              .maxShape(growing)
              .options(o -> o.chunked(2).deflate(4))
              .create();
      filtered.append(new int[] {4, 5});
      Dataset names =
          file.datasetBuilder("names").value(new String[] {"a", "bb"}).maxShape(growing).create();
      names.append(new String[] {"ccc", "d"});
      assertThat(names.shape()).containsExactly(4);
      assertThat(filtered.read(int[].class)).containsExactly(1, 2, 3, 4, 5);
    });
    Oracle.h5py().run(EXPECTED, folder.file("values.h5").toString()).orFail();
  }

  @Test
  void otherWritesStayIndependent() {
    onAllRanks(file -> {
      Dataset filtered =
          file.datasetBuilder("filtered")
              .value(new int[] {1, 2, 3})
              .options(o -> o.chunked(2).deflate(4))
              .create();
      assertThatThrownBy(() -> filtered.write(new int[] {4, 5, 6}))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("expected=a collective transfer");
    });
  }
}
