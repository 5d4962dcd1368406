package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.DatasetOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a client's transfer properties reach the compactor of the server. */
@Timeout(300)
final class ClientGatherTest {

  private static final int ROWS = 6;
  private static final int COLUMNS = 500;

  @Test
  void serverCollectsTheRequestedNumberOfRequests() {
    LatchConnector watched = new LatchConnector(operation -> false);
    try (TemporaryFolder folder = TemporaryFolder.create("gather")) {
      ServerOptions options =
          ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"));
      TransferOptions six =
          TransferOptions.builder()
              .properties(Map.of("gather", "6", "gather-micros", "10000000"))
              .build();
      try (StageServer server = StageServer.start(options, watched);
          Session session = Hdf5.session("forwarding servers=" + server.address());
          H5File file = session.create("gather.h5", CreateOptions.DEFAULT)) {
        Dataset dataset = file.createDataset("d", Datatypes.I8LE, Dataspace.simple(ROWS, COLUMNS));
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
          Selection place = Selection.box(new long[] {row, 0}, new long[] {1, COLUMNS});
          calls.add(dataset.writeAsync(place, new byte[COLUMNS], six));
        }
        calls.forEach(CompletableFuture::join);
      }
      assertThat(watched.carriedOut())
          .filteredOn(DatasetOperation.Write.class::isInstance)
          .hasSize(1);
    }
  }
}
