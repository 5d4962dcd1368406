package org.hyperslab.plugins.forwarding.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/**
 * A server in this process, shared by tests; each test has a folder of its own below the server's.
 */
final class StagedFixture implements ConnectorFixture {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Shared shared;
  private final String folder = "test" + NUMBERS.incrementAndGet();

  /** Servers, the folder of their files, and the configuration of their clients. */
  record Shared(TemporaryFolder folder, List<StageServer> servers, String options)
      implements AutoCloseable {
    static Shared tcp() {
      TemporaryFolder folder = TemporaryFolder.create("staged");
      StageServer server =
          StageServer.start(
              ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
                  .withMemory(4L << 30, 64L << 20));
      return new Shared(folder, List.of(server), "");
    }

    static Shared unix() {
      return unix(1, "");
    }

    /** Starts a number of servers on one folder. */
    static Shared unix(int count, String options) {
      return unix(count, options, () -> Connectors.create("native"));
    }

    /** Creates the fixture over connectors that the caller provides. */
    static Shared unix(int count, String options, Supplier<Connector> below) {
      TemporaryFolder folder = TemporaryFolder.create("staged");
      List<Address> addresses = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        addresses.add(new Address.Unix(folder.file("socket" + i).toString()));
      }
      List<StageServer> servers = new ArrayList<>();
      for (Address address : addresses) {
        servers.add(
            StageServer.start(
                ServerOptions.of(address, folder.path().resolve("root"))
                    .withMemory(4L << 30, 64L << 20)
                    .withPeers(count == 1 ? List.of() : addresses),
                below.get()));
      }
      return new Shared(folder, servers, options);
    }

    String configuration() {
      String all =
          servers.stream()
              .map(server -> server.address().toString())
              .collect(Collectors.joining(","));
      return "forwarding servers=" + all + " " + options;
    }

    Path root() {
      return folder.path().resolve("root");
    }

    @Override
    public void close() {
      servers.forEach(StageServer::close);
      folder.close();
    }
  }

  StagedFixture(Shared shared) {
    this.shared = shared;
  }

  @Override
  public Connector connect() {
    return Connectors.create(shared.configuration());
  }

  @Override
  public String fileName(String base) {
    return folder + "/" + base;
  }

  @Override
  public Optional<Path> path(String name) {
    return Optional.of(shared.root().resolve(name));
  }

  @Override
  public void close() {}
}
