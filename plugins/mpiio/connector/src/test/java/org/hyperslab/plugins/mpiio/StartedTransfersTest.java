package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.Dataset;
import org.hyperslab.EventSet;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.testkit.store.FaultStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests large collective transfers that continue after the call. */
final class StartedTransfersTest {

  private static final int RANKS = 3;

  /** 2 MiB: enough to be worth it. */
  private static final int PER_RANK = 1 << 18;

  private final TemporaryFolder folder = TemporaryFolder.create("started");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  /** A store whose writes wait for permission. */
  private static final class Held extends StoreDecorator {
    private final CountDownLatch permission;

    Held(ByteStore store, CountDownLatch permission) {
      super(store);
      this.permission = permission;
    }

    @Override
    public void write(long offset, MemorySegment source) {
      await();
      super.write(offset, source);
    }

    @Override
    public void write(long offset, MemorySegment[] sources) {
      await();
      super.write(offset, sources);
    }

    private void await() {
      try {
        permission.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The code that a rank runs with a new file. */
  @FunctionalInterface
  private interface FileBody {
    void run(Communicator comm, H5File file) throws Exception;
  }

  private void run(MpiioOptions options, FileBody body) {
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, options);
              Session session = Hdf5.session(connector);
              H5File file = session.create(folder.file("started.h5"))) {
            body.run(comm, file);
          }
        });
  }

  private static Selection mine(Communicator comm) {
    return Selection.box(new long[] {(long) comm.rank() * PER_RANK}, new long[] {PER_RANK});
  }

  private static double[] values(Communicator comm, int number) {
    double[] values = new double[PER_RANK];
    Arrays.setAll(values, i -> number * 1e9 + comm.rank() * 1e7 + i);
    return values;
  }

  private static Dataset dataset(H5File file, String name) {
    return file.createDataset(name, Datatypes.F64LE, Dataspace.simple(RANKS * PER_RANK));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hyperslab_collective=individual",
        "hyperslab_collective=two-phase",
        "hyperslab_collective=two-phase hyperslab_shared_memory=disable progress=engine"
      })
  void severalWritesContinueDuringOtherWork(String hints) {
    CountDownLatch permission = new CountDownLatch(1);
    MpiioOptions options =
        MpiioOptions.DEFAULT
            .withHints(Hints.parse(hints))
            .withStores(store -> new Held(store, permission));
    run(
        options,
        (comm, file) -> {
          Dataset first = dataset(file, "first");
          Dataset second = dataset(file, "second");
          var one = first.writeAsync(mine(comm), values(comm, 1), TransferOptions.COLLECTIVE);
          var two = second.writeAsync(mine(comm), values(comm, 2), TransferOptions.COLLECTIVE);
          assertThat(one).isNotDone();
          assertThat(two).isNotDone();
          comm.barrier();
          permission.countDown();
          two.join();
          one.join();
          double[] back = new double[PER_RANK];
          CompletableFuture<Void> read =
              first.readIntoAsync(mine(comm), back, TransferOptions.COLLECTIVE);
          read.join();
          assertThat(back).isEqualTo(values(comm, 1));
          second.readInto(mine(comm), back, TransferOptions.COLLECTIVE);
          assertThat(back).isEqualTo(values(comm, 2));
        });
  }

  @Test
  void fileIsCompleteAfterCloseWithoutWaiting() {
    run(
        MpiioOptions.DEFAULT,
        (comm, file) -> {
          EventSet events = new EventSet();
          for (int i = 0; i < 3; i++) {
            Dataset dataset = dataset(file, "d" + i);
            events.insert(
                "d" + i,
                dataset.writeAsync(mine(comm), values(comm, i), TransferOptions.COLLECTIVE));
          }
          if (comm.rank() == 1) {
            events.await();
          }
        });
    try (Session session = Hdf5.session("native");
        H5File file = session.open(folder.file("started.h5"))) {
      for (int i = 0; i < 3; i++) {
        double[] all = file.dataset("d" + i).read(double[].class);
        for (int at = 0; at < all.length; at += 777) {
          assertThat(all[at]).isEqualTo(i * 1e9 + at / PER_RANK * 1e7 + at % PER_RANK);
        }
      }
    }
  }

  @Test
  void flushReportsUnobservedFailures() {
    MpiioOptions options =
        MpiioOptions.DEFAULT
            .withHints(Hints.parse("hyperslab_collective=individual"))
            .withStores(StartedTransfersTest::failingAtThirdRank);
    run(
        options,
        (comm, file) -> {
          Dataset dataset = dataset(file, "d");
          var write = dataset.writeAsync(mine(comm), values(comm, 1), TransferOptions.COLLECTIVE);
          if (comm.rank() == 0) {
            assertThatThrownBy(write::join)
                .hasCauseInstanceOf(StorageException.class)
                .hasMessageContaining("rank 2 of 3");
            file.flush();
          } else {
            assertThatThrownBy(file::flush)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("rank 2 of 3");
          }
          file.flush();
        });
  }

  /** The program of one rank starts a write that is refused, and looks at no future. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatOneRankRefusesIsToldByItsFlushOrClose(boolean closing) {
    run(
        MpiioOptions.DEFAULT,
        (comm, file) -> {
          Dataset bytes = file.createDataset("bytes", Datatypes.U8LE, Dataspace.simple(RANKS));
          if (comm.rank() == 1) {
            bytes.writeAsync(Selection.box(new long[] {1}, new long[] {1}), new int[] {300});
            assertThatThrownBy(closing ? file::close : file::flush)
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("300");
          } else if (!closing) {
            file.flush();
          }
          if (!closing) {
            file.flush(); // told once
          }
        });
  }

  @Test
  void closeReportsUnobservedFailures() {
    MpiioOptions options =
        MpiioOptions.DEFAULT
            .withHints(Hints.parse("hyperslab_collective=individual"))
            .withStores(StartedTransfersTest::failingAtThirdRank);
    run(
        options,
        (comm, file) -> {
          Dataset dataset = dataset(file, "d");
          dataset.writeAsync(mine(comm), values(comm, 1), TransferOptions.COLLECTIVE);
          assertThatThrownBy(file::close)
              .isInstanceOf(StorageException.class)
              .hasMessageContaining("rank 2 of 3");
          file.close(); // closed all the same
        });
    try (H5File file = Hdf5.open(folder.file("started.h5"))) {
      assertThat(file.exists("d")).isTrue();
    }
  }

  private static ByteStore failingAtThirdRank(ByteStore store) {
    FaultStore faulty = new FaultStore(store);
    if (Thread.currentThread().getName().startsWith("rank 2")) {
      faulty.arm(FaultStore.Fault.once(FaultStore.Operation.WRITE, 1));
    }
    return faulty;
  }
}
