package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.testkit.store.FaultStore;

/**
 * A rank that {@link ErrorsIT} starts under mpirun: an error of one rank is the same error on all,
 * and no rank waits.
 */
final class ErrorsRank {

  private static final int EACH = 1000;

  private final Communicator world;
  private final Path folder;
  private final int last;

  private ErrorsRank(Communicator world, Path folder) {
    this.world = world;
    this.folder = folder;
    this.last = world.size() - 1;
  }

  /** Runs one rank. Arguments: a folder. */
  public static void main(String[] arguments) {
    Communicator world = Worlds.current();
    ErrorsRank rank = new ErrorsRank(world, Path.of(arguments[0]));
    for (String hints : new String[] {"individual", "two-phase", "dynamic"}) {
      rank.fullDiskUnderDatasets(hints);
      rank.fullDiskUnderBytes(hints);
    }
    rank.differentArguments();
    rank.differentOrder();
    System.out.println("done " + world.describe());
  }

  private static HyperslabException failureOf(Runnable call) {
    Throwable failure = catchThrowable(call::run);
    if (failure instanceof CompletionException) {
      failure = failure.getCause();
    }
    assertThat(failure).isInstanceOf(HyperslabException.class);
    return (HyperslabException) failure;
  }

  private Selection mine() {
    return Selection.box(new long[] {(long) EACH * world.rank()}, new long[] {EACH});
  }

  private void write(Dataset dataset) {
    dataset.writeAsync(mine(), new int[EACH], TransferOptions.COLLECTIVE).join();
  }

  private void fullDiskUnderDatasets(String algorithm) {
    AtomicReference<FaultStore> opened = new AtomicReference<>();
    MpiioOptions options =
        MpiioOptions.DEFAULT
            .withHints(Hints.defaults().with("hyperslab_collective", algorithm))
            .withStores(store -> {
              opened.set(new FaultStore(store));
              return opened.get();
            });
    String name = folder.resolve("full-" + algorithm + ".h5").toString();
    try (MpiioConnector connector = MpiioConnector.over(world, options);
        Session session = Hdf5.session(connector);
        H5File file = session.create(name, CreateOptions.DEFAULT)) {
      Dataspace space = Dataspace.simple((long) EACH * world.size());
      Dataset plain = file.createDataset("plain", Datatypes.I32LE, space);
      Dataset filtered =
          file.datasetBuilder("filtered")
              .type(Datatypes.I32LE)
              .space(space)
              .options(DatasetOptions.chunked(100).deflate(1).build())
              .create();
      write(filtered);
      file.flush();
      if (world.rank() == last) {
        opened.get().arm(FaultStore.Fault.forGood(FaultStore.Operation.WRITE, 1));
      }
      Throwable failure = catchThrowable(() -> write(plain));
      // If others write for the last rank, its broken store may have no effect.
      if (algorithm.equals("individual") || failure != null) {
        assertThat(failure)
            .hasCauseInstanceOf(StorageException.class)
            .hasMessageContaining("rank " + last);
      }
      opened.get().disarm();
      write(plain);
      if (world.rank() == last) {
        opened.get().arm(FaultStore.Fault.once(FaultStore.Operation.READ, 1));
      }
      assertThat(
              failureOf(() ->
                  filtered.readIntoAsync(mine(), new int[EACH], TransferOptions.COLLECTIVE).join()))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("rank " + last);
      opened.get().disarm();
      write(filtered);
    }
  }

  private void fullDiskUnderBytes(String algorithm) {
    Path path = folder.resolve("bytes-" + algorithm);
    if (world.rank() == 0) {
      FileStore.open(path, FileAccess.CREATE).close();
    }
    world.barrier();
    FaultStore store = new FaultStore(FileStore.open(path, FileAccess.UPDATE));
    // Every rank's store is full, so the write fails on any aggregator.
    store.arm(FaultStore.Fault.forGood(FaultStore.Operation.WRITE, 1));
    Hints hints = Hints.defaults().with("hyperslab_collective", algorithm).with("sharedfp", "sm");
    Set<AccessMode> modes = Set.of(AccessMode.READ_WRITE);
    try (MpiFile file = MpiFile.over(world, store, modes, hints)) {
      // Processes cannot share a helper file for a store without a path.
      assertThat(file.info().others()).containsEntry("sharedfp", "none");
      assertThat(file.explain()).contains("shared pointer: none");
      MemoryBuffer buffer = MemoryBuffer.of(MemorySegment.ofArray(new byte[EACH]));
      long at = (long) EACH * world.rank();
      assertThat(failureOf(() -> file.writeAtAll(at, buffer))).hasMessageContaining("(on rank");
      assertThat(failureOf(() -> file.startWriteAtAll(at, buffer).await()))
          .hasMessageContaining("(on rank");
      store.disarm();
      assertThat(file.writeAtAll(at, buffer).bytes()).isEqualTo(EACH);
    }
  }

  private void differentArguments() {
    String name = folder.resolve("differ.h5").toString();
    try (MpiioConnector connector = MpiioConnector.over(world, MpiioOptions.DEFAULT);
        Session session = Hdf5.session(connector);
        H5File file = session.create(name, CreateOptions.DEFAULT)) {
      String path = world.rank() == last ? "pressure" : "density";
      assertThat(failureOf(() -> file.createGroup(path)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("density")
          .hasMessageContaining("rank " + last)
          .hasMessageContaining("pressure");
      long extent = world.rank() == last ? 11 : 10;
      assertThat(
              failureOf(() -> file.createDataset("d", Datatypes.F64LE, Dataspace.simple(extent))))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("10")
          .hasMessageContaining("rank " + last)
          .hasMessageContaining("11");
      file.createGroup("agreed").close();
      assertThat(file.exists("agreed")).isTrue();
      assertThat(file.exists("density")).isFalse();
    }
  }

  private void differentOrder() {
    String name = folder.resolve("order.h5").toString();
    try (MpiioConnector connector = MpiioConnector.over(world, MpiioOptions.DEFAULT);
        Session session = Hdf5.session(connector);
        H5File file = session.create(name, CreateOptions.DEFAULT)) {
      Dataspace space = Dataspace.simple((long) EACH * world.size());
      Dataset dataset = file.createDataset("d", Datatypes.I32LE, space);
      HyperslabException failure =
          failureOf(() -> {
            if (world.rank() == last) {
              file.createGroup("late");
            } else {
              write(dataset);
            }
          });
      assertThat(failure)
          .hasMessageContaining("rank " + last + ": create group \"late\"")
          .hasMessageContaining("write dataset");
      assertThat(failureOf(() -> file.createGroup("later")))
          .hasMessageContaining("made different calls earlier");
    }
  }
}
