package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.store.CountingStore;
import org.junit.jupiter.api.Test;

/** Tests that opening a file reads little of it. */
final class OpeningCostTest {

  private static final int MEMBERS = 1000;
  private static final int MAX_READS = 20;

  @Test
  void doesNotReadTheIndexOfALargeOldGroup() {
    CreateOptions oldest =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);
    MemoryStore written = new MemoryStore("old.h5");
    byte[] content;
    try (Session session = Hdf5.session(ConnectorOver.store(written));
        H5File file = session.create("old.h5", oldest)) {
      for (int i = 0; i < MEMBERS; i++) {
        file.createGroup("member" + i).close();
      }
      file.flush();
      content = written.toByteArray();
    }
    CountingStore counted = new CountingStore(MemoryStore.copyOf("old.h5", content));
    try (Session session = Hdf5.session(ConnectorOver.store(counted));
        H5File file = session.open("old.h5", OpenOptions.READ)) {
      assertThat(counted.counts().reads()).isLessThan(MAX_READS);
      assertThat(file.root().links().count()).isEqualTo(MEMBERS);
    }
  }
}
