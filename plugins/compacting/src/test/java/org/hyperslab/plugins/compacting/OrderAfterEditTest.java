package org.hyperslab.plugins.compacting;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that operations of one thread take effect in order, also where edits wait for writes. */
final class OrderAfterEditTest {

  /** Keeps writes under way until a look at the link has come, or the program waits. */
  private static final class HeldWrites extends PassThroughConnector {
    private final CountDownLatch looked = new CountDownLatch(1);
    private final Thread program = Thread.currentThread();

    HeldWrites() {
      super("held", Connectors.create("native"));
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (operation instanceof LinkOperation.Exists) {
        looked.countDown();
      }
      if (!(operation instanceof DatasetOperation.Write)) {
        return below.submit(operation);
      }
      CompletableFuture<R> held = new CompletableFuture<>();
      Thread.ofPlatform()
          .start(() -> {
            while (looked.getCount() > 0 && program.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
            below.submit(operation).thenAccept(held::complete);
          });
      return held;
    }
  }

  @Test
  void linkIsMissingOnceItsDeletionIsSubmitted(@TempDir Path folder) {
    HeldWrites below = new HeldWrites();
    Handle file = Handle.fresh();
    Handle dataset = Handle.fresh();
    try (Connector connector = new CompactingConnector(below, CompactorOptions.DEFAULT, 2);
        Arena arena = Arena.ofShared()) {
      String name = folder.resolve("order.h5").toString();
      join(connector.submit(new FileOperation.Create(file, name, CreateOptions.DEFAULT)));
      DatasetOperation.Spec spec =
          new DatasetOperation.Spec(
              Datatypes.I32LE, Optional.empty(), Dataspace.simple(4), DatasetOptions.DEFAULT);
      Location at = new Location(file, "d");
      join(connector.submit(new DatasetOperation.Create(dataset, at, spec, LinkOptions.DEFAULT)));
      var transfer =
          new DatasetOperation.Transfer(
              Datatypes.I32LE,
              Dataspace.simple(4),
              Selection.all(),
              Selection.all(),
              TransferOptions.DEFAULT);
      var write =
          connector.submit(
              new DatasetOperation.Write(dataset, transfer, DataBuffer.of(arena.allocate(16))));
      var deleted = connector.submit(new LinkOperation.Delete(at));
      var exists = connector.submit(new LinkOperation.Exists(at));

      assertThat(join(exists)).isFalse();
      join(deleted);
      join(write);
    }
  }

  private static <R> R join(CompletionStage<R> stage) {
    return stage.toCompletableFuture().join();
  }
}
