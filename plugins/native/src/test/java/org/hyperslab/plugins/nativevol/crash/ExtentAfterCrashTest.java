package org.hyperslab.plugins.nativevol.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.plugins.nativevol.ConnectorOver;
import org.junit.jupiter.api.Test;

/**
 * Tests that elements written beyond the extent of the last flush do not reappear when the extent
 * grows again.
 */
final class ExtentAfterCrashTest {

  @Test
  void growingAfterACrashShowsFillValues() {
    MemoryStore store = new MemoryStore("grown");
    byte[] killed;
    try (Session session = Hdf5.session(ConnectorOver.store(store))) {
      H5File file = session.create("grown", CreateOptions.DEFAULT.withAccess(CutJudge.EDIT));
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(3)
              .maxShape(Dataspace.UNLIMITED)
              .options(DatasetOptions.chunked(8).build())
              .create();
      dataset.write(new int[] {1, 2, 3});
      file.flush();
      dataset.setExtent(6);
      dataset.write(new int[] {1, 2, 3, 4, 5, 6});
      dataset.close();
      killed = store.toByteArray();
    }
    try (Session session = Hdf5.session(ConnectorOver.store(MemoryStore.copyOf("cut", killed)));
        H5File file = session.open("cut", CutJudge.EDIT);
        Dataset dataset = file.dataset("d")) {
      assertThat(dataset.readInts()).containsExactly(1, 2, 3);
      dataset.setExtent(6);
      assertThat(dataset.readInts()).containsExactly(1, 2, 3, 0, 0, 0);
    }
  }
}
