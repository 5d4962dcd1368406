package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.EventSet;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the guarantee on order, and asynchronous calls. */
abstract class OrderingContract extends ContractBase {

  OrderingContract() {}

  /** Submits a call without waiting for it: later calls on the same file wait for it. */
  private static void submitted(CompletableFuture<?> call) {
    assertThat(call).isNotNull();
  }

  @Test
  void readsSeeTheWritesSubmittedBefore() {
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, Dataspace.simple(100));
    List<CompletableFuture<int[]>> reads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int[] values = new int[100];
      Arrays.fill(values, i);
      submitted(dataset.writeAsync(values));
      reads.add(dataset.readAsync(int[].class));
    }
    for (int i = 0; i < 50; i++) {
      assertThat(reads.get(i).join()).containsOnly(i);
    }
  }

  @Test
  void lastOfManyWritesRemains() {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I32LE)
            .shape(64)
            .options(DatasetOptions.chunked(16).deflate(1).build())
            .create();
    for (int i = 0; i < 200; i++) {
      int[] value = {i};
      submitted(dataset.writeAsync(Selection.points(1, i % 64), value));
    }
    inBothLives(file ->
        assertThat(file.dataset("d").readInts())
            .isEqualTo(IntStream.range(0, 64).map(i -> i + (i < 8 ? 192 : 128)).toArray()));
  }

  @Test
  void objectsCanBeUsedBeforeTheirCreationHasCompleted() {
    Group group = file().root().createGroupAsync("a/b");
    Dataset dataset = group.datasetBuilder("d").type(Datatypes.F64LE).shape(3).createAsync();
    submitted(dataset.writeAsync(new double[] {1, 2, 3}));
    Group inner = group.createGroupAsync("inner");
    inner.createGroupAsync("deepest");
    dataset.flushAsync().join();
    inBothLives(file -> {
      assertThat(file.dataset("a/b/d").readDoubles()).containsExactly(1, 2, 3);
      assertThat(file.exists("a/b/inner/deepest")).isTrue();
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 300})
  void wholeCheckpointCanBeSentWithoutWaiting(int datasets) {
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (int i = 0; i < datasets; i++) {
      Dataset dataset =
          file().root().datasetBuilder("block" + i).type(Datatypes.I64LE).shape(20).createAsync();
      calls.add(dataset.opened());
      calls.add(dataset.writeAsync(IntStream.range(i, i + 20).toArray()));
    }
    calls.add(file().flushAsync());
    CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
    inBothLives(file -> {
      assertThat(file.root().size()).isEqualTo(datasets);
      assertThat(file.dataset("block" + (datasets - 1)).readInts())
          .isEqualTo(IntStream.range(datasets - 1, datasets + 19).toArray());
    });
  }

  @Test
  void extentsChangeInOrder() {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I32LE)
            .shape(0)
            .maxShape(Dataspace.UNLIMITED)
            .options(DatasetOptions.chunked(4).build())
            .create();
    for (int i = 0; i < 20; i++) {
      submitted(dataset.setExtentAsync(3L * (i + 1)));
      submitted(
          dataset.writeAsync(
              Selection.box(new long[] {3L * i}, new long[] {3}), new int[] {i, i, i}));
    }
    inBothLives(file -> {
      int[] values = file.dataset("d").readInts();
      assertThat(values).hasSize(60);
      assertThat(values[59]).isEqualTo(19);
      assertThat(values[0]).isZero();
      assertThat(values[30]).isEqualTo(10);
    });
  }

  @Test
  void closeWaitsForSubmittedOperations() {
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, Dataspace.simple(1000));
    for (int i = 0; i < 30; i++) {
      int[] values = new int[1000];
      Arrays.fill(values, i);
      submitted(dataset.writeAsync(values));
    }
    H5File file = reopen();
    assertThat(file.dataset("d").readInts()).containsOnly(29);
  }

  @Test
  void copiesToAnotherFileSeeBothSidesInOrder() {
    requires(Capability.COPY);
    String name = otherName("other.h5");
    H5File other = session().create(name, createOptions());
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, Dataspace.simple(10));
    submitted(dataset.writeAsync(IntStream.range(0, 10).toArray()));
    other.root().createGroupAsync("target");
    file().root().copy("d", other.root(), "target/d");
    submitted(dataset.writeAsync(new int[10]));
    other.closeAsync().join();
    try (H5File again = session().open(name, OpenOptions.READ)) {
      assertThat(again.dataset("target/d").readInts()).isEqualTo(IntStream.range(0, 10).toArray());
    }
  }

  @Test
  void reopeningByNameComesAfterTheClose() {
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, Dataspace.simple(10));
    submitted(dataset.writeAsync(IntStream.range(0, 10).toArray()));
    CompletableFuture<Void> closing = file().closeAsync();
    closing.join();
    try (H5File again = session().open(fileName(), OpenOptions.READ)) {
      assertThat(again.dataset("d").readInts()[9]).isEqualTo(9);
    }
  }

  // --- event sets ---

  @Test
  void eventSetWaitsForItsCalls() {
    EventSet events = new EventSet();
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, Dataspace.simple(100));
    for (int i = 0; i < 10; i++) {
      events.insert("write " + i, dataset.writeAsync(new int[100]));
    }
    EventSet.Status status = events.await(Duration.ofMinutes(5));
    assertThat(status.isDone()).isTrue();
    assertThat(status.failed()).isZero();
    assertThat(events.insertedCount()).isEqualTo(10);
  }

  @Test
  void eventSetKeepsFailures() {
    EventSet events = new EventSet();
    file().createGroup("taken");
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, Dataspace.simple(3));
    events.insert("good", dataset.writeAsync(new int[3]));
    events.insert("group", file().root().createGroupAsync("taken").opened());
    events.insert("points", dataset.writeAsync(Selection.points(1, 7), new int[1]));
    assertThat(events.await().failed()).isEqualTo(2);
    List<EventSet.Failure> failures = events.takeFailures();
    assertThat(failures)
        .extracting(EventSet.Failure::label)
        .containsExactlyInAnyOrder("group", "points");
    assertThat(failures)
        .extracting(failure -> failure.cause().getClass().getSimpleName())
        .containsExactlyInAnyOrder("AlreadyExistsException", "InvalidUseException");
    assertThat(events.status().failed()).isZero();
  }

  @Test
  void failuresOfCallsThatDoNotWaitAreInTheirFutures() {
    Dataset dataset = file().createDataset("d", Datatypes.I32LE, Dataspace.simple(3));
    CompletableFuture<Void> call = dataset.writeAsync(Selection.points(1, 3), new int[1]);
    Throwable failure = catchThrowable(call::join);
    assertThat(Connectors.causeOf(failure)).isInstanceOf(InvalidUseException.class);
    assertThat(dataset.readInts()).containsOnly(0);
  }
}
