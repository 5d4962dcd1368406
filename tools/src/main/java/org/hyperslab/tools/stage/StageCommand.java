package org.hyperslab.tools.stage;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;
import org.hyperslab.plugins.forwarding.client.ForwardingConnector;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.command.TokenFile;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a staging server until it is interrupted, or prints the status of one. */
@Command(
    name = "stage",
    header = "runs a staging server, which reads and writes files for clients",
    description = {
      "Runs a staging server: reads and writes files below a folder on behalf of clients, which"
          + " use the connector \"forwarding servers=HOST:PORT\". Prints one line when it is ready."
          + " On SIGTERM it finishes what it has received, closes its files and ends with exit code"
          + " 0.",
      "",
      "  hyperslab stage 127.0.0.1:7070 --root /data     runs a server",
      "  hyperslab stage 127.0.0.1:7070 --status         prints the status of that server"
    },
    mixinStandardHelpOptions = true)
public final class StageCommand implements Callable<Integer> {

  private final Streams streams;

  /** Clears the terminal, with ECMA-48's cursor position and erase sequences. */
  private static final String CLEAR = "\u001B[H\u001B[2J";

  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  /** The seconds between two prints of the status. */
  private static final String DEFAULT_WATCH = "2";

  /** What to do, which only a command line says. */
  private static final Set<String> NOT_IN_A_FILE =
      Set.of("--config", "--status", "--json", "--watch", "--recover", "--help", "--version");

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1:7070",
      description = "HOST:PORT or unix:PATH (default: ${DEFAULT-VALUE})")
  private String listen;

  @Parameters(
      arity = "0..1",
      paramLabel = "ADDRESS",
      description = "address of the server, instead of --listen")
  private String address;

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "folder that contains the files, created if missing")
  private Path root;

  @Option(
      names = "--connector",
      paramLabel = "CONFIG",
      defaultValue = "native",
      description = "connector that carries out the operations (default: ${DEFAULT-VALUE})")
  private String connector;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      defaultValue = "1024",
      description = "memory for all sessions together (default: ${DEFAULT-VALUE})")
  private long memoryMebibytes;

  @Option(
      names = "--window",
      paramLabel = "MIB",
      defaultValue = "128",
      description = "maximum memory for the requests of one session (default: ${DEFAULT-VALUE})")
  private long windowMebibytes;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "operations carried out at once (default: number of processors, at least 2)")
  private Integer threads;

  @Option(
      names = "--no-compactor",
      description = "carries out requests as they arrive, without merging them")
  private boolean withoutCompactor;

  @Option(
      names = "--peers",
      paramLabel = "ADDRESSES",
      split = ",",
      description = {
        "all servers that share the folder, including this one; the clients divide raw data",
        "among them"
      })
  private List<String> peers = List.of();

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = {
        "how long a session waits for a client that lost its connection (default:"
            + " ${DEFAULT-VALUE}); for a client of this machine at most 3, or as long as its"
            + " reconnect=SECONDS says"
      })
  private long graceSeconds;

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "how long SIGTERM waits for operations to end; then the exit code is 1 (default:"
              + " ${DEFAULT-VALUE})")
  private long drainSeconds;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "file with the secret that clients must present")
  private Path tokenFile;

  @Option(
      names = "--certificate",
      paramLabel = "PEM",
      description =
          "TLS: certificate chain of this server; required unless --listen is a local address")
  private Path certificate;

  @Option(
      names = "--key",
      paramLabel = "PEM",
      description = "TLS: private key of this server, PKCS 8")
  private Path key;

  @Option(
      names = "--trust",
      paramLabel = "PEM",
      description = "TLS: authorities that must have signed the clients' certificates")
  private Path trust;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "file with lines NAME = VALUE, the options without --; the command line wins")
  private Path config;

  @Option(
      names = "--metrics",
      paramLabel = "[HOST:]PORT",
      description =
          "answers GET /metrics (Prometheus), /health and /status (JSON) by HTTP, without a token")
  private String metrics;

  @Option(
      names = "--log",
      paramLabel = "LEVEL",
      defaultValue = "INFO",
      description = "lines on standard error: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private StageLogLines.Detail log;

  @Option(
      names = "--status",
      description = "prints the status of the server at the address instead of running one")
  private boolean status;

  @Option(names = "--json", description = "with --status: as JSON, a line for each server")
  private boolean json;

  @Spec private CommandSpec spec;

  @Option(
      names = "--recover",
      paramLabel = "FILE",
      description = {
        "replays what is intact of the damaged journal of a file below --root, and keeps the",
        "journal under another name; if the journal is missing, gives up the edits in it; no",
        "server may run"
      })
  private String damagedFile;

  @Option(
      names = "--watch",
      paramLabel = "SECONDS",
      arity = "0..1",
      description =
          "with --status: prints the status every SECONDS seconds until interrupted (default: 2)",
      preprocessor = StatedSeconds.class)
  private Long watchSeconds;

  /** Takes the word after the option for its value only if it is a number; another is ADDRESS. */
  static final class StatedSeconds implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> words, CommandSpec all, ArgSpec option, Map<String, Object> found) {
      boolean isAttached = "=".equals(found.get("separator"));
      boolean isValue = !words.isEmpty() && words.peek().matches("\\d+");
      if (!isAttached && !isValue) {
        words.push(DEFAULT_WATCH);
      }
      return false;
    }
  }

  /**
   * Creates the command.
   *
   * @param streams where results and errors go
   */
  public StageCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (config != null) {
      OptionsFile.apply(config, spec.commandLine(), new StageCommand(streams), NOT_IN_A_FILE);
    }
    if (address != null) {
      listen = address;
    }
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
      streams.out().print(json ? server.statusJson() : server.status());
      CountDownLatch never = new CountDownLatch(1);
      while (watchSeconds != null && !never.await(watchSeconds, TimeUnit.SECONDS)) {
        streams.out().print(json ? server.statusJson() : CLEAR + server.status());
        streams.out().flush();
      }
    }
    return 0;
  }

  private int serve() throws IOException, InterruptedException {
    if (root == null) {
      throw new InvalidUseException("--root: actual=not given, expected=the folder of the files");
    }
    if (damagedFile != null) {
      streams.out().println(StageServer.recover(options(), damagedFile));
      return 0;
    }
    AtomicReference<StageServer> running = new AtomicReference<>();
    // Before the server is ready, because an address that is not free has to prevent the start.
    Optional<StageMetrics> monitors =
        Optional.ofNullable(metrics).map(at -> new StageMetrics(at, running::get));
    // Before the server starts, so that a signal meanwhile ends it in the same way.
    Thread drain = new Thread(() -> drain(running.get()), "hyperslab-stage-drain");
    Runtime.getRuntime().addShutdownHook(drain);
    StageServer server;
    try {
      server = StageServer.start(options());
    } catch (IOException | RuntimeException failed) {
      Runtime.getRuntime().removeShutdownHook(drain);
      monitors.ifPresent(StageMetrics::close);
      throw failed;
    }
    running.set(server);
    if (log == StageLogLines.Detail.OFF) {
      streams.err().print(server.recovered());
    }
    monitors.ifPresent(this::tell);
    streams
        .out()
        .println("hyperslab stage: ready at " + server.address() + ", files below " + root);
    streams.out().flush();
    new CountDownLatch(1).await(); // a signal ends the process
    return 0;
  }

  private void tell(StageMetrics monitors) {
    InetSocketAddress at = monitors.at();
    streams
        .out()
        .println(
            "hyperslab stage: metrics at " + at.getAddress().getHostAddress() + ":" + at.getPort());
  }

  /**
   * Closes the server and ends the process, with exit code 0 if all files could be closed. A JVM
   * ended by a signal would otherwise report the signal as its exit status.
   *
   * @param server the server, or null if it has not started yet
   */
  private void drain(StageServer server) {
    int code = 1;
    String last = "";
    try {
      if (server != null) {
        server.close();
      }
      code = 0;
    } catch (RuntimeException failed) {
      last = "hyperslab stage: " + failed.getMessage() + System.lineSeparator();
    } finally {
      sayLast(last);
      Runtime.getRuntime().halt(code);
    }
  }

  /** Writes a text and waits for a short time only, as nobody may read standard error. */
  private void sayLast(String text) {
    Thread saying =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              streams.err().print(text);
              streams.err().flush();
            });
    try {
      saying.join(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ServerOptions options() throws IOException {
    Optional<String> token =
        tokenFile == null ? Optional.empty() : Optional.of(TokenFile.read(tokenFile, streams));
    if (key != null) {
      TokenFile.warn(key, streams);
    }
    ServerOptions options =
        ServerOptions.of(Address.parse(listen), root)
            .withConnector(connector)
            .withMemory(bytes("--memory", memoryMebibytes), bytes("--window", windowMebibytes))
            .withSecrets(token, security())
            .withPeers(peers.stream().map(Address::parse).toList())
            .withGrace(Duration.ofSeconds(graceSeconds))
            .withDrain(Duration.ofSeconds(drainSeconds))
            .withLog(new StageLogLines(streams.err(), log))
            .withCompactor(withoutCompactor ? CompactorOptions.OFF : CompactorOptions.DEFAULT);
    return threads == null ? options : options.withThreads(threads);
  }

  private static long bytes(String option, long mebibytes) {
    if (mebibytes > Long.MAX_VALUE >> 20) {
      throw new InvalidUseException(
          option + ": actual=" + mebibytes + ", expected=a number of MiB that this machine has");
    }
    return mebibytes << 20;
  }

  private Optional<Security> security() {
    if (certificate == null && key == null && trust == null) {
      return Optional.empty();
    }
    if (certificate == null || key == null || trust == null) {
      throw new InvalidUseException(
          "TLS files: actual=only some given, expected=--certificate, --key and --trust together");
    }
    return Optional.of(new Security(certificate, key, trust));
  }
}
