package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.testkit.store.FaultStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a storage failure on one rank is reported on all ranks. */
final class FaultyRankTest {

  private static final int RANKS = 3;
  private static final int PER_RANK = 1000;

  private static final CreateOptions DURABLE =
      CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.POWER_CUT));

  private final TemporaryFolder folder = TemporaryFolder.create("faulty-rank");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private String name() {
    return folder.file("faulty.h5").toString();
  }

  /**
   * The code that each rank runs with a new file, and the store through which it accesses the
   * bytes.
   */
  @FunctionalInterface
  private interface FileBody {
    void run(Communicator comm, H5File file, FaultStore store) throws Exception;
  }

  private void inNewFile(FileBody body) {
    inNewFile(RANKS, CreateOptions.DEFAULT, body);
  }

  private void inNewFile(int ranksPerNode, CreateOptions create, FileBody body) {
    // Every rank its own extents, so that every rank has something to write.
    Hints hints = Hints.defaults().with("hyperslab_collective", "individual");
    ThreadWorld.of(RANKS)
        .withRanksPerNode(ranksPerNode)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          AtomicReference<FaultStore> opened = new AtomicReference<>();
          MpiioOptions options =
              MpiioOptions.DEFAULT
                  .withHints(hints)
                  .withStores((ByteStore store) -> {
                    opened.set(new FaultStore(store));
                    return opened.get();
                  });
          try (MpiioConnector connector = MpiioConnector.over(comm, options);
              Session session = Hdf5.session(connector)) {
            H5File file = session.create(name(), create);
            body.run(comm, file, opened.get());
            file.close();
          }
        });
  }

  private static Selection mine(Communicator comm) {
    return Selection.box(new long[] {(long) comm.rank() * PER_RANK}, new long[] {PER_RANK});
  }

  private static void write(Communicator comm, Dataset dataset) {
    int[] elements = new int[PER_RANK];
    Arrays.setAll(elements, i -> comm.rank() * PER_RANK + i);
    dataset.writeAsync(mine(comm), elements, TransferOptions.COLLECTIVE).join();
  }

  private static Throwable failureOf(Runnable call) {
    Throwable failure = catchThrowable(call::run);
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  /** Long runs are written together; the short ones beside them by each rank. */
  @Test
  void storageFailureOfShortRunsFailsOnAllRanks() {
    int many = 40_000;
    inNewFile((comm, file, store) -> {
      Dataset few = file.createDataset("few", Datatypes.I32LE, Dataspace.simple(RANKS * PER_RANK));
      Dataset values =
          file.createDataset("values", Datatypes.F64LE, Dataspace.simple((long) RANKS * many));
      int[] ones = new int[PER_RANK];
      double[] twos = new double[many];
      Arrays.fill(ones, 1 + comm.rank());
      Arrays.fill(twos, 2 + comm.rank());
      long[] start = {(long) comm.rank() * many};
      Runnable write =
          () ->
              file.multiWrite()
                  .options(TransferOptions.COLLECTIVE)
                  .write(few, mine(comm), ones)
                  .write(values, Selection.box(start, new long[] {many}), twos)
                  .run();
      if (comm.rank() == 1) {
        store.arm(FaultStore.Fault.once(FaultStore.Operation.WRITE, 1));
      }
      assertThat(failureOf(write))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("rank 1");
      write.run();
      int[] back = new int[RANKS * PER_RANK];
      few.readInto(back);
      double[] all = new double[RANKS * many];
      values.readInto(all);
      for (int rank = 0; rank < RANKS; rank++) {
        assertThat(back[rank * PER_RANK + PER_RANK - 1]).isEqualTo(1 + rank);
        assertThat(all[rank * many]).isEqualTo(2.0 + rank);
        assertThat(all[rank * many + many - 1]).isEqualTo(2.0 + rank);
      }
    });
  }

  @Test
  void storageFailureOfAWriteFailsOnAllRanks() {
    inNewFile((comm, file, store) -> {
      Dataset dataset =
          file.createDataset("d", Datatypes.I32LE, Dataspace.simple(RANKS * PER_RANK));
      if (comm.rank() == 1) {
        store.arm(FaultStore.Fault.forGood(FaultStore.Operation.WRITE, 1));
      }
      assertThat(failureOf(() -> write(comm, dataset)))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("rank 1");
      store.disarm();
      write(comm, dataset);
    });
    assertFileHolds(RANKS * PER_RANK);
  }

  @Test
  void fullDiskOfOneRankFailsOnAllAndKeepsTheLastFlush() {
    inNewFile((comm, file, store) -> {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(RANKS * PER_RANK)
              .options(DatasetOptions.chunked(100).shuffle().deflate(6).build())
              .create();
      write(comm, dataset);
      file.flush();
      if (comm.rank() == 2) {
        store.limitSpace(0);
      }
      assertThat(
              failureOf(() ->
                  dataset
                      .writeAsync(mine(comm), new int[PER_RANK], TransferOptions.COLLECTIVE)
                      .join()))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("rank 2");
      assertThat(failureOf(() -> file.createGroup("g")))
          .as("the index names places that hold nothing, so the file takes no more edits")
          .isInstanceOf(StorageException.class);
      assertThat(failureOf(file::close)).isInstanceOf(StorageException.class);
    });
    assertFileHolds(RANKS * PER_RANK);
  }

  @Test
  void storageFailureOfAReadFailsOnAllRanks() {
    inNewFile((comm, file, store) -> {
      Dataset dataset =
          file.createDataset("d", Datatypes.I32LE, Dataspace.simple(RANKS * PER_RANK));
      write(comm, dataset);
      if (comm.rank() == 0) {
        store.arm(FaultStore.Fault.once(FaultStore.Operation.READ, 1));
      }
      int[] target = new int[PER_RANK];
      assertThat(
              failureOf(() ->
                  dataset.readIntoAsync(mine(comm), target, TransferOptions.COLLECTIVE).join()))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("rank 0");
      store.disarm();
      dataset.readIntoAsync(mine(comm), target, TransferOptions.COLLECTIVE).join();
      assertThat(target[1]).isEqualTo(comm.rank() * PER_RANK + 1);
    });
  }

  @Test
  void flushFailsOnAllRanksIfAnotherNodeFailsAndTheNextFlushRetries() {
    inNewFile(
        1,
        DURABLE,
        (comm, file, store) -> {
          Dataset dataset =
              file.createDataset("d", Datatypes.I32LE, Dataspace.simple(RANKS * PER_RANK));
          write(comm, dataset);
          if (comm.rank() == 1) {
            store.arm(FaultStore.Fault.once(FaultStore.Operation.FORCE, 1));
          }
          assertThat(failureOf(file::flush))
              .isInstanceOf(StorageException.class)
              .hasMessageContaining("rank 1");
          long before = store.calls(FaultStore.Operation.FORCE);
          file.flush();
          assertThat(store.calls(FaultStore.Operation.FORCE))
              .as("what was not made durable still is to be")
              .isEqualTo(comm.rank() == 0 ? before : before + 1);
        });
    assertFileHolds(RANKS * PER_RANK);
  }

  @Test
  void fileIsClosedIfAnotherNodeCannotFlush() {
    inNewFile(
        1,
        DURABLE,
        (comm, file, store) -> {
          write(comm, file.createDataset("d", Datatypes.I32LE, Dataspace.simple(RANKS * PER_RANK)));
          if (comm.rank() == 2) {
            store.arm(FaultStore.Fault.forGood(FaultStore.Operation.FORCE, 1));
          }
          assertThat(failureOf(file::close))
              .isInstanceOf(StorageException.class)
              .hasMessageContaining("rank 2");
        });
    assertFileHolds(RANKS * PER_RANK);
  }

  @Test
  void oneRankOfEachOtherNodeForcesItsWrites() {
    inNewFile(
        2,
        DURABLE,
        (comm, file, store) -> {
          write(comm, file.createDataset("d", Datatypes.I32LE, Dataspace.simple(RANKS * PER_RANK)));
          file.flush();
          assertThat(store.calls(FaultStore.Operation.FORCE)).isEqualTo(comm.rank() == 2 ? 1 : 0);
          file.flush();
          assertThat(store.calls(FaultStore.Operation.FORCE))
              .as("nobody has written since")
              .isEqualTo(comm.rank() == 2 ? 1 : 0);
        });
    assertFileHolds(RANKS * PER_RANK);
  }

  private void assertFileHolds(int elements) {
    try (Session session = Hdf5.session("native");
        H5File file = session.open(name(), OpenOptions.READ)) {
      int[] all = file.dataset("d").readInts();
      assertThat(all).hasSize(elements);
      for (int i = 0; i < elements; i++) {
        assertThat(all[i]).isEqualTo(i);
      }
    }
  }
}
