package org.hyperslab.plugins.forwarding.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.differential.Differential;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random histories by turns with the HDF5 C library, through a staging server. */
final class StagedDifferentialTest {

  private static final int FEW = Effort.times(5, 30);
  private static final int MANY = 300;

  private final List<StageServer> servers = new ArrayList<>();

  @AfterEach
  void stopServers() {
    servers.forEach(StageServer::close);
  }

  @ParameterizedTest
  @EnumSource(Acknowledge.class)
  void fewHistoriesMatchTheModelThroughAServer(Acknowledge level) {
    try (Differential tester =
        Differential.below(
            root -> session(root, " acknowledge=" + level.name().toLowerCase(Locale.ROOT)))) {
      tester.run(Seeds.draw(), 0, FEW);
    }
  }

  @Campaign
  @Test
  void manyHistoriesMatchTheModelThroughAServer() {
    try (Differential tester = Differential.below(root -> session(root, ""))) {
      tester.run(Seeds.draw(), FEW, MANY);
    }
  }

  private Session session(Path root, String options) {
    StageServer server = StageServer.start(ServerOptions.of(new Address.Tcp("127.0.0.1", 0), root));
    servers.add(server);
    return Hdf5.session("forwarding servers=" + server.address() + options);
  }
}
