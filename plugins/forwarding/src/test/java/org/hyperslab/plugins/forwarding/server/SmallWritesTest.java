package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.DatasetOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that small writes that wait together become one write of the right bytes, which h5py reads.
 */
@Timeout(300)
final class SmallWritesTest {

  private static final int ROWS = 9;

  private static final String JUDGE =
      """
      import sys, h5py, numpy
      with h5py.File(sys.argv[1], "r") as f:
          rows, columns = f["d"].shape
          for row in range(rows):
              expected = (numpy.arange(columns) * 31 + row).astype(numpy.int8)
              assert numpy.array_equal(f["d"][row], expected), row
      """;

  private final AtomicBoolean first = new AtomicBoolean(true);
  private final LatchConnector latch =
      new LatchConnector(
          operation -> operation instanceof DatasetOperation.Write && first.getAndSet(false));
  private TemporaryFolder folder;

  @BeforeEach
  void makeFolder() {
    folder = TemporaryFolder.create("small");
  }

  @AfterEach
  void removeFolder() {
    folder.close();
  }

  private static byte[] row(int row, int columns) {
    byte[] values = new byte[columns];
    for (int i = 0; i < columns; i++) {
      values[i] = (byte) (i * 31 + row);
    }
    return values;
  }

  /** Rows in an order of which the first is carried out while the others come; their writes. */
  private List<MemorySegment> written(int columns, int... order) throws InterruptedException {
    ServerOptions options =
        ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"));
    try (StageServer server = StageServer.start(options, latch);
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("small.h5", CreateOptions.DEFAULT)) {
      Dataset dataset =
          file.createDataset("d", Datatypes.I8LE, Dataspace.simple(order.length, columns));
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int row : order) {
        Selection place = Selection.box(new long[] {row, 0}, new long[] {1, columns});
        calls.add(dataset.writeAsync(place, row(row, columns)));
        latch.awaitHeld(); // the first goes alone, however late its thread comes
      }
      awaitQueued(server, order.length - 1);
      latch.open();
      calls.forEach(CompletableFuture::join);
    }
    Oracle.h5py().run(JUDGE, folder.path().resolve("root/small.h5").toString()).orFail();
    return latch.carriedOut().stream()
        .filter(DatasetOperation.Write.class::isInstance)
        .map(write -> ((DatasetOperation.Write) write).source().elements())
        .toList();
  }

  /** Waits until a number of requests are in the compactor, besides the one that is held. */
  private static void awaitQueued(StageServer server, int requests) {
    Polling.until(() -> server.compacting().counts().queuedRequests() > requests);
  }

  @Test
  void consecutiveRowsAreWrittenFromTheirReceiveBuffer() throws InterruptedException {
    List<MemorySegment> writes = written(4096, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(writes).hasSize(2);
    assertThat(writes.getLast().byteSize()).isEqualTo(4096L * (ROWS - 1));
    assertThat(writes.getLast().address()).isEqualTo(writes.getFirst().address() + 4096);
  }

  @Test
  void rowsInAnotherOrderAreGathered() throws InterruptedException {
    List<MemorySegment> writes = written(4096, 0, 8, 7, 6, 5, 4, 3, 2, 1);
    assertThat(writes).hasSize(2);
    assertThat(writes.getLast().byteSize()).isEqualTo(4096L * (ROWS - 1));
    assertThat(writes.getLast().scope()).isNotEqualTo(writes.getFirst().scope());
  }

  @Test
  void rowsWithGapsBetweenThemInMemoryAreGathered() throws InterruptedException {
    List<MemorySegment> writes = written(1000, 0, 1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(writes).hasSize(2);
    assertThat(writes.getLast().byteSize()).isEqualTo(1000L * (ROWS - 1));
    assertThat(writes.getLast().scope()).isNotEqualTo(writes.getFirst().scope());
  }
}
