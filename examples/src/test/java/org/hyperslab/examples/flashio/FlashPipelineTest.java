package org.hyperslab.examples.flashio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the kernel submits a whole file before it waits for anything. */
@Timeout(300)
final class FlashPipelineTest {

  /**
   * Executes nothing between the creation of a file and its closing, so that a wait in between
   * would never end.
   */
  private static final class Withholding extends PassThroughConnector {
    private final Deque<Runnable> held = new ArrayDeque<>();
    private boolean withholds;
    private int most;

    Withholding() {
      super("withholding", Connectors.create("native"));
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (operation instanceof FileOperation.Close || operation instanceof FileOperation.Flush) {
        most = Math.max(most, held.size());
        withholds = false;
        while (!held.isEmpty()) {
          held.remove().run();
        }
      }
      if (!withholds) {
        withholds = operation instanceof FileOperation.Create;
        return below.submit(operation);
      }
      CompletableFuture<R> result = new CompletableFuture<>();
      held.add(() -> below.submit(operation).thenAccept(result::complete));
      return result;
    }
  }

  @Test
  void noCallWaitsForThePreviousOne() {
    // 34 datasets, the header's 4 writes, 30 writes of each rank.
    noCallWaits(false, 34 + 4 + 30 * 4);
  }

  @Test
  void callsThatWriteAllDatasetsDoNotWaitEither() {
    noCallWaits(true, 34 + 4 + 4);
  }

  private static void noCallWaits(boolean together, int calls) {
    Withholding connector = new Withholding();
    try (TemporaryFolder folder = TemporaryFolder.create("pipeline");
        Session session = Hdf5.session(connector)) {
      List<FlashIo.Result> results =
          new FlashIo(session, new FlashMesh(4), folder.path().toString(), FlashProgress.NONE)
              .withDatasetsTogether(together)
              .run();
      assertThat(results).hasSize(3);
      assertThat(connector.most).isEqualTo(calls);
    }
    connector.close();
  }
}
