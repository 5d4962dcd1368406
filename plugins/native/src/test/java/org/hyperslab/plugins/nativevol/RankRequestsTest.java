package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.testkit.store.CountingStore;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the requests that the engine makes to the store of a file whose datasets are written by
 * ranks: a checkpoint of 10 small and 24 large datasets, as of FLASH I/O.
 */
class RankRequestsTest {

  private static final long LARGE_BYTES = 323 * 4096;
  private static final long[] SMALL_BYTES = {40, 20, 40, 96, 1292, 1292, 19380, 7752, 7752, 15504};
  private static final int LARGE = 24;

  /** The most bytes of metadata, and of blocks set aside for it, at the end of the file. */
  private static final long SLACK = 64 << 10;

  private static <R> R run(NativeConnector engine, Operation<R> operation) {
    return engine.submit(operation).toCompletableFuture().join();
  }

  /** Creates a dataset as the ranks do, and returns where its bytes are. */
  private static long create(NativeConnector engine, Handle file, String name, long bytes) {
    Handle dataset = Handle.fresh();
    run(
        engine,
        new DatasetOperation.Create(
            dataset,
            new Location(file, name),
            new DatasetOperation.Spec(
                Datatypes.U8LE, Optional.empty(), Dataspace.simple(bytes), DatasetOptions.DEFAULT),
            LinkOptions.DEFAULT));
    RawStorage storage = engine.rawStorage(dataset);
    storage.settle();
    storage.allocate();
    return storage.contiguousOffset();
  }

  /** Creates all datasets; returns where each begins. */
  private static List<Long> createAll(NativeConnector engine, Handle file) {
    List<Long> places = new ArrayList<>();
    for (long bytes : SMALL_BYTES) {
      places.add(create(engine, file, "small " + places.size(), bytes));
    }
    for (int i = 0; i < LARGE; i++) {
      places.add(create(engine, file, "large " + i, LARGE_BYTES));
    }
    return places;
  }

  private static Handle create(NativeConnector engine) {
    Handle file = Handle.fresh();
    run(engine, new FileOperation.Create(file, "ranks", CreateOptions.DEFAULT));
    return file;
  }

  @Test
  void aCheckpointExtendsItsFileAFewTimesAndCutsItOnce(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("checkpoint.h5");
    CountingStore store = new CountingStore(FileStore.open(path, FileAccess.TRUNCATE));
    try (NativeConnector engine = (NativeConnector) ConnectorOver.store(store)) {
      Handle file = create(engine);
      createAll(engine, file);
      CountingStore.Counts created = store.counts();
      assertThat(created.truncates()).as("extensions").isEqualTo(5);
      assertThat(created.sizes()).as("questions for the length").isEqualTo(2);
      assertThat(created.writes()).as("zeros written to new space").isZero();
      run(engine, new FileOperation.Close(file));
      CountingStore.Counts closed = store.counts().since(created);
      assertThat(closed.truncates()).as("cuts").isEqualTo(1);
      assertThat(closed.sizes()).as("questions for the length").isEqualTo(2);
    }
    assertThat(Files.size(path)).isEqualTo(endOfFile(path));
  }

  @Test
  void aFlushCutsTheStoreToTheEndOfTheFile() {
    MemoryStore store = new MemoryStore("ranks");
    try (NativeConnector engine = (NativeConnector) ConnectorOver.store(store)) {
      Handle file = create(engine);
      for (int round = 0; round < 3; round++) {
        long place = create(engine, file, "d" + round, LARGE_BYTES);
        assertThat(store.size()).as("others may read there").isGreaterThan(place + LARGE_BYTES);
        run(engine, new FileOperation.Flush(file));
        long end = store.size();
        assertThat(end - place).as("round " + round).isBetween(LARGE_BYTES, LARGE_BYTES + SLACK);
      }
      run(engine, new FileOperation.Close(file));
    }
  }

  /** Returns the end of the file that its superblock states. */
  private static long endOfFile(Path path) throws Exception {
    try (FileStore store = FileStore.open(path, FileAccess.READ)) {
      MemorySegment end = MemorySegment.ofArray(new byte[8]);
      store.read(28, end);
      return end.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }
  }
}
