package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.EventSet;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.GroupOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that new objects can be used before the server has replied, and that errors reach their
 * caller.
 */
@Timeout(300)
final class PipelineTest {

  private static final int DATASETS = 30;

  private final LatchConnector latch =
      new LatchConnector(operation -> operation instanceof GroupOperation.Create);
  private TemporaryFolder folder;
  private StageServer server;
  private Session session;
  private H5File file;

  @BeforeEach
  void start() {
    folder = TemporaryFolder.create("pipeline");
    server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root")),
            latch);
    session = Hdf5.session("forwarding servers=" + server.address());
    file = session.create("pipeline.h5", CreateOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    latch.open();
    file.close();
    session.close();
    server.close();
    folder.close();
  }

  @Test
  void wholeCheckpointIsSentWithoutARoundTrip() throws InterruptedException {
    List<CompletableFuture<?>> calls = new ArrayList<>();
    // The server is blocked: a call that waited for a reply would wait forever.
    Group step = file.root().createGroupAsync("step");
    calls.add(step.opened());
    for (int i = 0; i < DATASETS; i++) {
      Dataset dataset =
          step.datasetBuilder("d" + i).type(Datatypes.I32LE).shape(1000).createAsync();
      int[] values = new int[1000];
      Arrays.setAll(values, k -> k);
      values[0] = i;
      calls.add(dataset.writeAsync(values));
      calls.add(dataset.createAttributeAsync("units", "g/cm^3"));
      calls.add(dataset.closeAsync());
    }
    CompletableFuture<Void> flushed = file.flushAsync();
    latch.awaitHeld();
    assertThat(calls).noneMatch(CompletableFuture::isDone);
    assertThat(flushed).isNotDone();
    latch.open();
    flushed.join();
    calls.forEach(CompletableFuture::join);
    for (int i = 0; i < DATASETS; i++) {
      try (Dataset dataset = file.dataset("step/d" + i)) {
        assertThat(dataset.read(int[].class)).startsWith(i, 1, 2).hasSize(1000);
        assertThat(dataset.attribute("units").readString()).isEqualTo("g/cm^3");
      }
    }
  }

  @Test
  void errorFailsTheOperationAndAllThatDependOnIt() {
    latch.open();
    file.createGroup("taken");
    Dataset dataset =
        file.root().datasetBuilder("taken").type(Datatypes.I32LE).shape(4).createAsync();
    EventSet events = new EventSet();
    events.insert("create", dataset.opened());
    events.insert("write", dataset.writeAsync(new int[] {1, 2, 3, 4}));
    assertThat(events.await().failed()).isEqualTo(2);
    assertThat(events.takeFailures().stream().map(EventSet.Failure::label))
        .containsExactlyInAnyOrder("create", "write");
    file.flush(); // somebody has seen them
  }

  @Test
  void unobservedFailureFailsTheNextFlushOnce() {
    latch.open();
    file.createGroup("taken");
    file.root().datasetBuilder("taken").type(Datatypes.I32LE).shape(4).createAsync();
    assertThatThrownBy(file::flush)
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("taken");
    file.flush();
  }
}
