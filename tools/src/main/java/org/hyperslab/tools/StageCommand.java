package org.hyperslab.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.compacting.run.CompactorOptions;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.plugins.forwarding.wire.Address;
import org.hyperslab.plugins.forwarding.wire.Security;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a staging server until it is told to end, or asks one how it does. */
@Command(
    name = "stage",
    header = "runs a staging server",
    description = {
      "Runs a staging server: carries out operations that clients send with the connector"
          + " \"forwarding servers=HOST:PORT\", on files below a folder. Prints one line when it is"
          + " ready. SIGTERM lets it finish what it has received and close its files first."
    },
    mixinStandardHelpOptions = true)
final class StageCommand implements Callable<Integer> {

  private final Streams streams;

  /** Puts the next page where the last one was: ECMA-48's cursor to the top, and erase. */
  private static final String CLEAR = "\u001B[H\u001B[2J";

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1:7070",
      description = "HOST:PORT or unix:PATH (default: ${DEFAULT-VALUE})")
  private String listen;

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "folder below which all files are, made if missing")
  private Path root;

  @Option(
      names = "--connector",
      paramLabel = "CONFIG",
      defaultValue = "native",
      description = "what carries operations out (default: ${DEFAULT-VALUE})")
  private String connector;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      defaultValue = "1024",
      description = "memory of all sessions together (default: ${DEFAULT-VALUE})")
  private long memoryMebibytes;

  @Option(
      names = "--window",
      paramLabel = "MIB",
      defaultValue = "128",
      description = "the most of it for one session's requests (default: ${DEFAULT-VALUE})")
  private long windowMebibytes;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "operations at once (default: the processors, at least 2)")
  private Integer threads;

  @Option(
      names = "--no-compactor",
      description = "carry requests out as they come, without merging")
  private boolean withoutCompactor;

  @Option(
      names = "--peers",
      paramLabel = "ADDRESSES",
      split = ",",
      description = {
        "servers that see the same files under the same folder: clients of all of them send raw",
        "data here, and metadata to a file's home"
      })
  private List<String> peers = List.of();

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "how long a session waits for a client that is gone (default: ${DEFAULT-VALUE})")
  private long graceSeconds;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "a file with the secret that clients must know")
  private Path tokenFile;

  @Option(
      names = "--certificate",
      paramLabel = "PEM",
      description = "TLS: this server's certificate chain; needed unless --listen is local")
  private Path certificate;

  @Option(names = "--key", paramLabel = "PEM", description = "TLS: its private key, PKCS 8")
  private Path key;

  @Option(
      names = "--trust",
      paramLabel = "PEM",
      description = "TLS: the authorities from which clients' certificates must come")
  private Path trust;

  @Option(
      names = "--status",
      description = "print the status page of the server at --listen, and end")
  private boolean status;

  @Option(
      names = "--watch",
      paramLabel = "SECONDS",
      arity = "0..1",
      fallbackValue = "2",
      description = "with --status: again every so many seconds until stopped (default: 2)")
  private Long watchSeconds;

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  StageCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return status ? printStatus() : serve();
  }

  private int printStatus() throws InterruptedException {
    StringBuilder configuration = new StringBuilder("forwarding observe=true servers=" + listen);
    if (tokenFile != null) {
      configuration.append(" tokenFile=\"").append(tokenFile).append('"');
    }
    security()
        .ifPresent(keys ->
            configuration
                .append(" certificate=\"" + keys.certificate() + '"')
                .append(" key=\"" + keys.key() + '"')
                .append(" trust=\"" + keys.trusted() + '"'));
    try (Connector client = Connectors.create(configuration.toString())) {
      ForwardingConnector server = Connectors.find(client, ForwardingConnector.class).orElseThrow();
      streams.out().print(server.status());
      CountDownLatch never = new CountDownLatch(1);
      while (watchSeconds != null && !never.await(watchSeconds, TimeUnit.SECONDS)) {
        streams.out().print(CLEAR + server.status());
        streams.out().flush();
      }
    }
    return 0;
  }

  private int serve() throws IOException, InterruptedException {
    if (root == null) {
      throw new InvalidUseException("--root: actual=not given, expected=the folder of the files");
    }
    StageServer server = StageServer.start(options());
    streams.err().print(server.recovered());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(server), "hyperslab-stage-drain"));
    streams
        .out()
        .println("hyperslab stage: ready at " + server.address() + ", files below " + root);
    streams.out().flush();
    new CountDownLatch(1).await(); // a signal ends the process
    return 0;
  }

  /**
   * Ends the process: with 0 once all files are closed, for a JVM that a signal ends would report
   * the signal, as if it had been cut short.
   */
  private void drain(StageServer server) {
    int code = 1;
    try {
      server.close();
      code = 0;
    } catch (RuntimeException failed) {
      streams.err().println("hyperslab stage: " + failed.getMessage());
    } finally {
      streams.out().flush();
      streams.err().flush();
      Runtime.getRuntime().halt(code);
    }
  }

  private ServerOptions options() throws IOException {
    Optional<String> token =
        tokenFile == null ? Optional.empty() : Optional.of(Files.readString(tokenFile).strip());
    ServerOptions options =
        ServerOptions.of(Address.parse(listen), root)
            .withConnector(connector)
            .withMemory(memoryMebibytes << 20, windowMebibytes << 20)
            .withSecrets(token, security())
            .withPeers(peers.stream().map(Address::parse).toList())
            .withGrace(Duration.ofSeconds(graceSeconds))
            .withCompactor(withoutCompactor ? CompactorOptions.OFF : CompactorOptions.DEFAULT);
    return threads == null ? options : options.withThreads(threads);
  }

  private Optional<Security> security() {
    if (certificate == null && key == null && trust == null) {
      return Optional.empty();
    }
    if (certificate == null || key == null || trust == null) {
      throw new InvalidUseException(
          "keys: actual=some of them, expected=--certificate, --key and --trust together");
    }
    return Optional.of(new Security(certificate, key, trust));
  }
}
