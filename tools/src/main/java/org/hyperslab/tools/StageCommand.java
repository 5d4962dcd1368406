package org.hyperslab.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.plugins.forwarding.compact.CompactorOptions;
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
      "Runs a staging server: carries out operations that clients send with the connector",
      "\"forwarding servers=HOST:PORT\", on files below a folder. Prints one line when it is",
      "ready. SIGTERM lets it finish what it has received and close its files first."
    },
    mixinStandardHelpOptions = true)
final class StageCommand implements Callable<Integer> {

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

  @Override
  public Integer call() throws IOException, InterruptedException {
    return status ? printStatus() : serve();
  }

  private int printStatus() {
    StringBuilder configuration = new StringBuilder("forwarding name=status servers=" + listen);
    if (tokenFile != null) {
      configuration.append(" tokenFile=\"").append(tokenFile).append('"');
    }
    security()
        .ifPresent(keys ->
            configuration
                .append(" certificate=\"" + keys.certificate() + '"')
                .append(" key=\"" + keys.key() + '"')
                .append(" trust=\"" + keys.trusted() + '"'));
    try (Connector client = Connectors.create(configuration + " window=1M")) {
      System.out.print(Connectors.find(client, ForwardingConnector.class).orElseThrow().status());
    }
    return 0;
  }

  private int serve() throws IOException, InterruptedException {
    if (root == null) {
      throw new InvalidUseException("--root: actual=not given, expected=the folder of the files");
    }
    StageServer server = StageServer.start(options());
    System.err.print(server.recovered());
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  ended.countDown();
                },
                "hyperslab-stage-drain"));
    System.out.println("hyperslab stage: ready at " + server.address() + ", files below " + root);
    System.out.flush();
    ended.await();
    return 0;
  }

  private ServerOptions options() throws IOException {
    Optional<String> token =
        tokenFile == null ? Optional.empty() : Optional.of(Files.readString(tokenFile).strip());
    ServerOptions options =
        ServerOptions.of(Address.parse(listen), root)
            .withConnector(connector)
            .withMemory(memoryMebibytes << 20, windowMebibytes << 20)
            .withSecrets(token, security())
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
