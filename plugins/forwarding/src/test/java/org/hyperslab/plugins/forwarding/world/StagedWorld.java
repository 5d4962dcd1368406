package org.hyperslab.plugins.forwarding.world;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.client.WorldClients;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.plugins.forwarding.server.WorldServers;
import org.hyperslab.plugins.forwarding.wire.WorldWires;
import org.hyperslab.plugins.nativevol.WorldFilesAccess;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldDisk;
import org.hyperslab.testkit.world.WorldProcess;
import org.hyperslab.vol.Connector;

/** A world with a staging server, its machine's disk, and clients. */
final class StagedWorld implements AutoCloseable {

  private static final int PORT = 7070;

  private final World world;
  private final WorldDisk disk;
  private final WorldWires wires;
  private final List<WorldProcess> processes = new ArrayList<>();
  private final int threads;
  private WorldProcess machine;
  private StageServer server;

  StagedWorld(long seed) {
    this.world = new World(seed);
    this.disk = new WorldDisk(world);
    this.wires = new WorldWires(world);
    this.threads = 1 + world.random().nextInt(4);
  }

  World world() {
    return world;
  }

  WorldDisk disk() {
    return disk;
  }

  WorldWires wires() {
    return wires;
  }

  StageServer server() {
    return server;
  }

  WorldProcess process(String name) {
    WorldProcess made = world.process(name);
    processes.add(made);
    return made;
  }

  /** Runs a program, and ends everything afterwards. */
  void run(Runnable program) {
    try {
      world.run(process("driver"), program);
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    processes.forEach(WorldProcess::kill);
    disk.close();
  }

  /** Starts the server, in a process of its own; called in the world. */
  void start() {
    machine = process("server");
    CompletableFuture<StageServer> started = new CompletableFuture<>();
    ServerOptions options =
        ServerOptions.of(new Address.Tcp("127.0.0.1", PORT), disk.root().resolve("root"))
            .withThreads(threads)
            .withMemory(64L << 20, 4L << 20)
            .withLog(new Silent());
    WorldProcess its = machine;
    its.start(
        "start",
        () -> {
          try {
            Connector below = WorldFilesAccess.create();
            started.complete(WorldServers.start(options, below, its, wires.of(its)));
          } catch (RuntimeException failed) {
            started.completeExceptionally(failed);
          }
        });
    server = started.join();
  }

  /** Kills the server's process. */
  void kill() {
    machine.kill();
  }

  /** Lets the power of the server's machine fail. */
  void powerCut() {
    machine.kill();
    disk.powerCut();
  }

  /** Stops the server as SIGTERM does; called in the world. */
  void stop() {
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    machine.start(
        "stop",
        () -> {
          try {
            server.close();
            stopped.complete(null);
          } catch (StorageException unfinished) {
            stopped.completeExceptionally(unfinished);
          }
        });
    stopped.join();
  }

  /** Runs a program of a client to its end, in a process of its own; called in the world. */
  void inClient(String name, String options, Consumer<Session> program) {
    WorldProcess client = process(name);
    CompletableFuture<Void> done = new CompletableFuture<>();
    client.start(
        "program",
        () -> {
          program.accept(Hdf5.session(connect(client, options)));
          done.complete(null);
        });
    done.join();
  }

  /** {@return a client's connector, in its process; called in a thread of it} */
  Connector connect(WorldProcess client, String options) {
    String all = "servers=127.0.0.1:" + PORT + " name=" + client + " " + options;
    return client.mortal(WorldClients.create(all, client, wires.of(client)));
  }

  /** A log that nobody reads. */
  private static final class Silent implements System.Logger {
    @Override
    public String getName() {
      return "silent";
    }

    @Override
    public boolean isLoggable(Level level) {
      return false;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {}

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {}
  }
}
