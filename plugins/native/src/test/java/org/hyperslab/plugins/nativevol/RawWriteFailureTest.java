package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.FaultStore.Fault;
import org.hyperslab.testkit.store.FaultStore.Operation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that elements which storage refuses cost no other edit of the file. */
final class RawWriteFailureTest {

  private static final int SIZE = 5000;
  private static final int[] NUMBERS = IntStream.range(0, SIZE).map(i -> i * 7919).toArray();

  private final MemoryStore memory = new MemoryStore("refusing");
  private final FaultStore store = new FaultStore(memory);

  private static List<DatasetOptions> layouts() {
    return List.of(
        DatasetOptions.DEFAULT,
        DatasetOptions.chunked(SIZE).build(),
        DatasetOptions.chunked(999).build(),
        DatasetOptions.chunked(SIZE).deflate(1).build(),
        DatasetOptions.chunked(999).deflate(1).build());
  }

  private H5File created() {
    try (Session session = Hdf5.session(ConnectorOver.store(store))) {
      return session.create("refusing");
    }
  }

  private static Dataset unwritten(H5File file, DatasetOptions layout) {
    return file.datasetBuilder("refused").type(int.class).shape(SIZE).options(layout).create();
  }

  /** Closes a file and requires what it then has. */
  private void closeAndRequire(H5File file, int[] refused) {
    file.createDataset("after", NUMBERS);
    file.flush();
    byte[] bytes = memory.toByteArray();
    file.close();
    MemoryStore left = MemoryStore.copyOf("left", bytes);
    try (Session session = Hdf5.session(ConnectorOver.store(left));
        H5File again = session.open("left")) {
      assertThat(again.dataset("before").readInts()).isEqualTo(NUMBERS);
      assertThat(again.dataset("refused").readInts()).isEqualTo(refused);
      assertThat(again.dataset("after").readInts()).isEqualTo(NUMBERS);
    }
  }

  /**
   * Returns the elements of a dataset whose first write was refused: each is the fill or written.
   */
  private static int[] oldOrNew(Dataset refused) {
    int[] kept = refused.readInts();
    for (int i = 0; i < SIZE; i++) {
      assertThat(kept[i]).as("element " + i).isIn(0, NUMBERS[i]);
    }
    return kept;
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void firstWriteThatIsRefusedLeavesTheFileUsable(DatasetOptions layout) {
    H5File file = created();
    file.createDataset("before", NUMBERS);
    Dataset refused = unwritten(file, layout);
    store.arm(Fault.once(Operation.WRITE, 1));
    assertThatThrownBy(() -> refused.write(NUMBERS)).isInstanceOf(StorageException.class);
    closeAndRequire(file, oldOrNew(refused));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void refusedWriteCanBeRepeated(DatasetOptions layout) {
    H5File file = created();
    file.createDataset("before", NUMBERS);
    Dataset refused = unwritten(file, layout);
    store.arm(Fault.once(Operation.WRITE, 1));
    assertThatThrownBy(() -> refused.write(NUMBERS)).isInstanceOf(StorageException.class);
    refused.write(NUMBERS);
    closeAndRequire(file, NUMBERS);
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void fullDiskCostsOnlyWhatIsRefused(DatasetOptions layout) {
    H5File file = created();
    file.createDataset("before", NUMBERS);
    Dataset refused = unwritten(file, layout);
    file.flush();
    store.limitSpace(memory.size());
    assertThatThrownBy(() -> refused.write(NUMBERS)).isInstanceOf(StorageException.class);
    store.disarm();
    closeAndRequire(file, oldOrNew(refused));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void replacedElementsAreOldOrNew(DatasetOptions layout) {
    H5File file = created();
    file.createDataset("before", NUMBERS);
    Dataset refused = unwritten(file, layout);
    refused.write(new int[SIZE]);
    file.flush();
    int[] ones = new int[SIZE];
    Arrays.fill(ones, 1);
    store.arm(Fault.once(Operation.WRITE, 1));
    assertThatThrownBy(() -> refused.write(Selection.all(), ones))
        .isInstanceOf(StorageException.class);
    int[] kept = refused.readInts();
    assertThat(Arrays.stream(kept).boxed().distinct().toList()).isSubsetOf(0, 1);
    closeAndRequire(file, kept);
  }
}
