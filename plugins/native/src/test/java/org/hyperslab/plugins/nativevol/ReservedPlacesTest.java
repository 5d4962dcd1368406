package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.Operation;
import org.junit.jupiter.api.Test;

/** Tests the reservation of blocks for datasets that ranks write themselves. */
class ReservedPlacesTest {

  private static final long BYTES = 4096;

  /** Notes what is reserved, or has no room. */
  private static final class Noting extends StoreDecorator {
    final List<List<Long>> reserved = new ArrayList<>();
    private final boolean full;

    Noting(ByteStore store, boolean full) {
      super(store);
      this.full = full;
    }

    @Override
    public void preallocate(long offset, long length) {
      if (full) {
        throw new StorageException("preallocate: actual=no space left, expected=room");
      }
      reserved.add(List.of(offset, length));
    }
  }

  private static <R> R run(NativeConnector engine, Operation<R> operation) {
    return engine.submit(operation).toCompletableFuture().join();
  }

  private static void withDataset(ByteStore store, AllocationTime time, Check check) {
    try (NativeConnector engine = (NativeConnector) ConnectorOver.store(store)) {
      Handle file = Handle.fresh();
      run(engine, new FileOperation.Create(file, "reserved", CreateOptions.DEFAULT));
      Handle dataset = Handle.fresh();
      DatasetOptions options = DatasetOptions.builder().allocationTime(time).build();
      run(
          engine,
          new DatasetOperation.Create(
              dataset,
              new Location(file, "d"),
              new DatasetOperation.Spec(
                  Datatypes.U8LE, Optional.empty(), Dataspace.simple(BYTES), options),
              LinkOptions.DEFAULT));
      RawStorage storage = engine.rawStorage(dataset);
      storage.settle();
      check.of(storage);
      run(engine, new FileOperation.Close(file));
    }
  }

  /** What is checked while the dataset is open. */
  @FunctionalInterface
  private interface Check {
    void of(RawStorage storage);
  }

  @Test
  void thePlaceOfADatasetIsReservedAndNothingBeforeIt() {
    Noting store = new Noting(new MemoryStore("reserved"), false);
    withDataset(
        store,
        AllocationTime.EARLY,
        storage -> {
          storage.reserve(BYTES, BYTES);
          assertThat(store.reserved).containsExactly(List.of(storage.contiguousOffset(), BYTES));
        });
  }

  @Test
  void smallAndLargeDatasetsAreNotReserved() {
    Noting store = new Noting(new MemoryStore("reserved"), false);
    withDataset(
        store,
        AllocationTime.EARLY,
        storage -> {
          storage.reserve(BYTES + 1, Long.MAX_VALUE);
          storage.reserve(0, BYTES - 1);
        });
    assertThat(store.reserved).isEmpty();
  }

  @Test
  void aDatasetWithoutPlaceIsNotReserved() {
    Noting store = new Noting(new MemoryStore("reserved"), false);
    withDataset(store, AllocationTime.LATE, storage -> storage.reserve(0, Long.MAX_VALUE));
    assertThat(store.reserved).isEmpty();
  }

  @Test
  void aFullFileSystemIsNoErrorBeforeElementsAreWritten() {
    Noting store = new Noting(new MemoryStore("reserved"), true);
    withDataset(
        store,
        AllocationTime.EARLY,
        storage -> {
          storage.reserve(0, Long.MAX_VALUE);
          assertThat(storage.contiguousOffset()).isPositive();
        });
  }
}
