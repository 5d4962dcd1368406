package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what callbacks of results may do. */
@Timeout(300)
final class CallbacksTest {

  @Test
  void aCallbackMayCloseTheSession() throws Exception {
    try (StagedFixture.Shared servers = StagedFixture.Shared.unix()) {
      Session session = Hdf5.session(servers.configuration());
      H5File file = session.create("closed-in-a-callback.h5");
      Dataset dataset = file.createDataset("d", new int[1000]);
      CompletableFuture<Void> closed = dataset.writeAsync(7).thenRun(session::close);
      closed.get(2, TimeUnit.MINUTES);
      try (Session again = Hdf5.session(servers.configuration());
          H5File kept = again.open("closed-in-a-callback.h5")) {
        assertThat(kept.dataset("d").readInts()).hasSize(1000).containsOnly(7);
      }
    }
  }
}
