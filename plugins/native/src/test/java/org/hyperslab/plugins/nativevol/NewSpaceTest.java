package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.FaultStore.Fault;
import org.hyperslab.testkit.store.FaultStore.Operation;
import org.junit.jupiter.api.Test;

/** Tests that elements that nobody wrote read as zeros, whatever their places held before. */
final class NewSpaceTest {

  private static final int BYTES = 3000;
  private static final int MAX_CALLS = 16;

  private static final DatasetOptions CONTIGUOUS =
      DatasetOptions.builder().allocationTime(AllocationTime.EARLY).build();

  /** The chunks of this one are all allocated with its index. */
  private static final DatasetOptions CHUNKED =
      DatasetOptions.chunked(500).allocationTime(AllocationTime.EARLY).build();

  private static final CreateOptions RECENT =
      CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110);

  private static Dataset create(H5File file, String name, DatasetOptions options) {
    return file.datasetBuilder(name).type(Datatypes.U8LE).shape(BYTES).options(options).create();
  }

  private static void requireZeros(H5File file, String suffix) {
    for (DatasetOptions options : new DatasetOptions[] {CONTIGUOUS, CHUNKED}) {
      String name = (options == CONTIGUOUS ? "contiguous" : "chunked") + suffix;
      assertThat(create(file, name, options).readInts()).as(name).containsOnly(0);
    }
  }

  private static int[] noise() {
    int[] noise = new int[BYTES];
    Arrays.fill(noise, 0xA5);
    return noise;
  }

  @Test
  void placesOfDeletedDatasets() {
    try (Session session = Hdf5.session(ConnectorOver.store(new MemoryStore("reused")));
        H5File file = session.create("reused", RECENT)) {
      for (int i = 0; i < 6; i++) {
        try (Dataset gone = create(file, "gone" + i, i % 2 == 0 ? CONTIGUOUS : CHUNKED)) {
          gone.write(noise());
        }
        file.root().delete("gone" + i);
        requireZeros(file, " " + i);
        if (i == 3) {
          file.flush();
        }
      }
    }
  }

  @Test
  void placesAfterTheEndOfTheFileThatTheStoreHolds() {
    MemoryStore store = new MemoryStore("longer");
    byte[] written;
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("longer", RECENT)) {
      create(file, "d", CONTIGUOUS).write(noise());
      file.flush();
      written = store.toByteArray();
    }
    byte[] longer = Arrays.copyOf(written, written.length + 4 * BYTES);
    Arrays.fill(longer, written.length, longer.length, (byte) 0xA5);
    MemoryStore held = MemoryStore.copyOf("longer", longer);
    try (Session session = Hdf5.session(ConnectorOver.store(held));
        H5File file = session.open("longer", OpenOptions.EDIT)) {
      requireZeros(file, " 1");
      file.flush();
      requireZeros(file, " 2");
    }
  }

  @Test
  void placesOfTheJournalOfAFlushThatFailed() {
    int failed = 0;
    for (int call = 1; call <= MAX_CALLS; call++) {
      FaultStore store = new FaultStore(new MemoryStore("journal"));
      try (Session session = Hdf5.session(ConnectorOver.store(store));
          H5File file = session.create("journal", RECENT)) {
        for (int i = 0; i < 40; i++) {
          file.createGroup("g" + i).close();
        }
        file.flush();
        for (int i = 40; i < 80; i++) {
          file.createGroup("g" + i).close();
        }
        store.arm(Fault.once(Operation.WRITE, call));
        try {
          file.flush();
        } catch (StorageException once) {
          failed++;
          if (isUsable(file)) {
            requireZeros(file, " " + call);
          }
        }
        store.disarm();
      } catch (StorageException unusable) {
        assertThat(unusable).hasMessageContaining("flush");
      }
    }
    assertThat(failed).isGreaterThan(2);
  }

  private static boolean isUsable(H5File file) {
    try {
      file.createGroup("another").close();
      return true;
    } catch (StorageException broken) {
      return false;
    }
  }
}
