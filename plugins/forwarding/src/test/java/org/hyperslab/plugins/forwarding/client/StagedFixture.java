package org.hyperslab.plugins.forwarding.client;

import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.plugins.forwarding.wire.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/** A server in this process, shared by tests, of which each has a folder below the server's. */
final class StagedFixture implements ConnectorFixture {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Shared shared;
  private final String folder = "test" + NUMBERS.incrementAndGet();

  /** A server with the folder of its files. */
  record Shared(TemporaryFolder folder, StageServer server) implements AutoCloseable {
    static Shared tcp() {
      TemporaryFolder folder = TemporaryFolder.create("staged");
      return new Shared(
          folder,
          StageServer.start(
              ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root"))
                  .withMemory(4L << 30, 64L << 20)));
    }

    static Shared unix() {
      TemporaryFolder folder = TemporaryFolder.create("staged");
      return new Shared(
          folder,
          StageServer.start(
              ServerOptions.of(
                  new Address.Unix(folder.file("socket").toString()),
                  folder.path().resolve("root"))));
    }

    @Override
    public void close() {
      server.close();
      folder.close();
    }
  }

  StagedFixture(Shared shared) {
    this.shared = shared;
  }

  @Override
  public Connector connect() {
    return Connectors.create("forwarding servers=" + shared.server().address());
  }

  @Override
  public String fileName(String base) {
    return folder + "/" + base;
  }

  @Override
  public void close() {}
}
