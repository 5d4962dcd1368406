package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.FaultStore.Fault;
import org.hyperslab.testkit.store.FaultStore.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests storage that fails in the middle of a flush or is full: the state of the previous flush
 * remains.
 */
final class FlushFailureTest {

  private static final int MAX_CALLS = 12;

  private final TransferResources resources = TransferResources.standard();
  private final FileLoader loader = new FileLoader(resources);

  @AfterEach
  void close() {
    resources.close();
  }

  private static void createGroups(FileObjects objects, int from, int to) {
    objects
        .file()
        .edit(() -> {
          for (int i = from; i < to; i++) {
            long group = objects.groups().create(GroupOptions.DEFAULT);
            objects.links().createFirst(objects.root(), "g" + i, TextEncoding.ASCII, group);
          }
          return null;
        });
  }

  private static List<String> names(FileObjects objects) {
    PageRequest all = new PageRequest(IterationIndex.NAME, false, 0, 1000);
    return objects.file().read(() -> objects.groups().list(objects.root(), all)).stream()
        .map(LinkMessage::name)
        .toList();
  }

  private List<String> reopened(byte[] left) {
    return names(loader.open(MemoryStore.copyOf("left", left), OpenOptions.EDIT));
  }

  @Test
  void storageFailureDuringAFlushLeavesOneOfTheTwoStates() {
    for (Operation operation : new Operation[] {Operation.WRITE, Operation.FORCE}) {
      for (int call = 1; call <= MAX_CALLS; call++) {
        MemoryStore memory = new MemoryStore("dying");
        FaultStore store = new FaultStore(memory);
        FileObjects objects = loader.create(store, CreateOptions.DEFAULT);
        createGroups(objects, 0, 20);
        objects.file().flush();
        List<String> before = names(objects);
        createGroups(objects, 20, 40);
        List<String> after = names(objects);
        store.arm(Fault.forGood(operation, call));
        Throwable failure = catchThrowable(() -> objects.file().flush());
        byte[] left = memory.toByteArray();
        objects.file().abandon();
        List<String> found = reopened(left);
        if (failure == null) {
          assertThat(found).isEqualTo(after);
        } else {
          assertThat(failure).isInstanceOf(StorageException.class);
          assertThat(found).as(operation + " " + call).isIn(before, after);
        }
      }
    }
  }

  @Test
  void fullDiskLosesNothingAndTheFlushCanBeRepeated() {
    MemoryStore memory = new MemoryStore("full");
    FaultStore store = new FaultStore(memory);
    FileObjects objects = loader.create(store, CreateOptions.DEFAULT);
    createGroups(objects, 0, 20);
    objects.file().flush();
    List<String> before = names(objects);
    createGroups(objects, 20, 400);
    List<String> after = names(objects);
    store.limitSpace(memory.size() + 100);
    assertThatThrownBy(() -> objects.file().flush()).isInstanceOf(StorageException.class);
    assertThat(reopened(memory.toByteArray())).isEqualTo(before);
    store.disarm();
    objects.file().flush();
    assertThat(names(objects)).isEqualTo(after);
    assertThat(reopened(memory.toByteArray())).isEqualTo(after);
  }

  @Test
  void elementsThatCouldNotBeForcedAreNotReportedAsStored() {
    FaultStore store = new FaultStore(new MemoryStore("forgetful"));
    try (Session session = Hdf5.session(ConnectorOver.store(store))) {
      H5File file = session.create("forgetful");
      Dataset dataset = file.createDataset("x", new int[1000]);
      file.flush();
      dataset.write(Selection.all(), new int[1000]);
      store.arm(Fault.once(Operation.FORCE, 1));
      assertThatThrownBy(file::flush).isInstanceOf(StorageException.class);
      assertThatThrownBy(file::flush).isInstanceOf(StorageException.class);
      assertThatThrownBy(file::close).isInstanceOf(StorageException.class);
    }
  }

  @Test
  void failedFileOnlyAcceptsClosing() {
    MemoryStore memory = new MemoryStore("broken");
    FaultStore store = new FaultStore(memory);
    FileObjects objects = loader.create(store, CreateOptions.DEFAULT);
    createGroups(objects, 0, 20);
    objects.file().flush();
    List<String> before = names(objects);
    assertThatThrownBy(() ->
            objects
                .file()
                .edit(() -> {
                  objects.links().delete(objects.root(), "g3");
                  throw new IllegalStateException("half-way");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> createGroups(objects, 50, 51))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("last flush");
    byte[] left = memory.toByteArray();
    objects.close();
    assertThat(reopened(left)).isEqualTo(before);
  }

  @Test
  void wrongUseLeavesTheFileUsable() {
    FileObjects objects = loader.create(new MemoryStore("use"), CreateOptions.DEFAULT);
    createGroups(objects, 0, 3);
    assertThatThrownBy(() -> createGroups(objects, 2, 3)).isInstanceOf(HyperslabException.class);
    createGroups(objects, 3, 4);
    objects.file().flush();
    assertThat(names(objects)).hasSize(4);
  }
}
