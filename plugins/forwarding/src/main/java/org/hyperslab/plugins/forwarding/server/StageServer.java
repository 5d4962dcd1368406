package org.hyperslab.plugins.forwarding.server;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.plugins.compacting.CompactingConnector;
import org.hyperslab.plugins.compacting.report.CompactorCounts;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.journal.JournalWatch;
import org.hyperslab.plugins.forwarding.journal.JournalingConnector;
import org.hyperslab.plugins.forwarding.region.RegionConnector;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameHandler;
import org.hyperslab.plugins.forwarding.wire.FrameText;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.plugins.forwarding.wire.ProcessLimits;
import org.hyperslab.plugins.forwarding.wire.Transport;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.plugins.forwarding.wire.WireLimits;
import org.hyperslab.plugins.forwarding.wire.WireNetwork;
import org.hyperslab.plugins.forwarding.wire.WireServer;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.base.Scheduling;

/**
 * A staging server: accepts clients and carries out their operations, through the compactor, on a
 * connector.
 *
 * <p>A message that is malformed, oversized, repeated or not authenticated ends its session, with a
 * reason, and affects no other session.
 *
 * <p>Thread rule: any thread.
 */
public final class StageServer implements AutoCloseable {

  /** The largest number of connections without a hello; each takes about 16 KiB. */
  private static final int MAX_UNKNOWN = 128;

  private static final int HELLO_SECONDS = 10;

  /** The time after which the status names an operation. */
  private static final long SLOW_MILLIS = 1000;

  /** The time after which an operation is reported as one that does not end. */
  private static final long STUCK_MILLIS = 60_000;

  /** The largest number of operations that a report names. */
  private static final int MOST_NAMED = 16;

  /** The attachment of a connection that only requests the status and has no session. */
  private static final Object OBSERVER = new Object();

  private final ServerOptions options;
  private final ConfinedNames names;
  private final BufferPool pool;
  private final CompactingConnector compacting;
  private final JournalingConnector journals;
  private final String recovered;
  private final String mark;
  private final Scheduling scheduling;
  private final Scheduling.Pool workers;
  private final ScheduledExecutorService clock;
  private final MemoryGrants grants;
  private final SessionTable sessions;
  private final StageLog log;
  private final StorageErrors errors;
  private final WithheldFiles withheld;
  private final LongAdder refused = new LongAdder();

  /** Connections without a hello, the oldest first; guarded by itself. */
  private final LinkedHashSet<Connection> unknown = new LinkedHashSet<>();

  private final long started;
  private final WireServer wire;

  private StageServer(
      ServerOptions options,
      Connector below,
      LongSupplier writeClock,
      Scheduling scheduling,
      WireNetwork network) {
    this.options = options;
    this.scheduling = scheduling;
    this.started = scheduling.nanoTime();
    this.names = new ConfinedNames(options.root());
    InlineWritePolicy inlineWrites = new InlineWritePolicy(options, writeClock);
    this.pool = new BufferPool(options.memoryBytes());
    this.grants = new MemoryGrants(options.memoryBytes(), scheduling);
    this.log = new StageLog(options.log());
    this.errors = new StorageErrors(log, scheduling::nanoTime);
    this.withheld = new WithheldFiles(log, scheduling::nanoTime);
    this.workers = scheduling.pool("hyperslab-stage", options.threads());
    this.mark = options.peers().isEmpty() ? "" : names.mark();
    Connector all = options.peers().isEmpty() ? inlineWrites.watching(below) : regions(below);
    this.compacting =
        new CompactingConnector(all, options.compactor(), options.threads(), scheduling);
    this.journals =
        new JournalingConnector(
            journalFolder(options, names),
            names.root(),
            names::confined,
            workers,
            scheduling,
            withheld);
    this.sessions =
        new SessionTable(
            options,
            new SessionServices(
                pool,
                names,
                journals,
                compacting,
                scheduling,
                workers,
                inlineWrites,
                grants,
                new OpenFileLimit(Math.max(8, ProcessLimits.openFiles() / 3)),
                errors,
                this::expel),
            log);
    compacting.onTrace(sessions::count);
    this.clock = scheduling.clock("hyperslab-stage-clock");
    this.wire = orGiveUp(() -> listen(network), () -> {});
    this.recovered = orGiveUp(() -> journals.recover(below), wire::close);
    clock.scheduleWithFixedDelay(this::watch, STUCK_MILLIS, STUCK_MILLIS, TimeUnit.MILLISECONDS);
    wire.accept();
    log.log(StageLog.USUAL, "ready", "address", wire.address(), "threads", options.threads());
  }

  private void expel(long session, String why) {
    sessions.expel(session, why);
  }

  /** Binds the address before journals are replayed; clients wait until the replay is complete. */
  private WireServer listen(WireNetwork network) {
    return WireServer.bind(
        network,
        options.address(),
        options.security(),
        WireLimits.BEFORE_HELLO,
        Math.max(1, options.threads() / 2),
        new Frames());
  }

  /** Runs a step of starting; if it fails, everything acquired before is released. */
  private <T> T orGiveUp(Supplier<T> step, Runnable release) {
    try {
      return step.get();
    } catch (RuntimeException failed) {
      release.run();
      clock.shutdownNow();
      log.close();
      workers.shutdown();
      compacting.close();
      journals.close();
      pool.close();
      throw failed;
    }
  }

  /**
   * Starts a server.
   *
   * @param options the options
   * @return the server, which accepts clients
   * @throws StorageException if the address or the folder is not available
   * @throws InvalidUseException if the address needs keys, the peers do not include the address, or
   *     the connector's configuration is wrong
   */
  public static StageServer start(ServerOptions options) {
    StagePeers.requireOwn(options);
    return start(options, Connectors.create(options.connector()));
  }

  /**
   * Starts a server over a given connector, instead of the one that the options name.
   *
   * @param options the options
   * @param below the connector, which is closed with the server
   * @return the server, which accepts clients
   * @throws StorageException if the address or the folder is not available
   * @throws InvalidUseException if the address needs keys
   */
  public static StageServer start(ServerOptions options, Connector below) {
    return start(options, below, System::nanoTime);
  }

  /**
   * Starts a server with a given clock.
   *
   * @param options the options
   * @param below the connector, which is closed with the server
   * @param writeClock measures writes, in nanoseconds as System.nanoTime does
   * @return the server
   */
  static StageServer start(ServerOptions options, Connector below, LongSupplier writeClock) {
    return new StageServer(options, below, writeClock, Scheduling.ofJvm(), WireNetwork.ofSystem());
  }

  /**
   * Starts a server with given threads and a given network.
   *
   * @param options the options
   * @param below the connector, which is closed with the server
   * @param scheduling the threads and the clock
   * @param network the network at which it listens
   * @return the server
   */
  static StageServer start(
      ServerOptions options, Connector below, Scheduling scheduling, WireNetwork network) {
    return new StageServer(options, below, scheduling::nanoTime, scheduling, network);
  }

  /**
   * Replays what is intact of the damaged journal of one file, also behind damaged records. The
   * journal is kept under another name. If the journal is missing, the edits in it are given up, so
   * that the file is served again. No server may run on the root.
   *
   * @param options the options of the server
   * @param file the name of the file, relative to the root
   * @return a report
   * @throws StorageException if a server runs, or the file cannot be opened
   * @throws org.hyperslab.error.NotFoundException if there is neither a journal nor such a file
   * @throws InvalidUseException if the name leads out of the root
   */
  public static String recover(ServerOptions options, String file) {
    ConfinedNames names = new ConfinedNames(options.root());
    try (Connector below = Connectors.create(options.connector());
        JournalingConnector journals =
            new JournalingConnector(
                journalFolder(options, names),
                names.root(),
                names::confined,
                Runnable::run,
                Scheduling.ofJvm(),
                JournalWatch.NONE)) {
      return journals.salvage(names.relative(file), below);
    }
  }

  private Connector regions(Connector below) {
    return new RegionConnector(below, new StagePeers(options, mark, workers), names.folder());
  }

  /**
   * Returns the folder of the journals. Servers that share a folder each have their own journals,
   * and replay only these.
   */
  private static Path journalFolder(ServerOptions options, ConfinedNames names) {
    Path folder = names.root().resolve(ConfinedNames.PRIVATE);
    return options.peers().isEmpty()
        ? folder
        : folder.resolve(options.address().toString().replaceAll("[^A-Za-z0-9.]", "_"));
  }

  /** {@return the address, with the port that the system has chosen if none was given} */
  public Address address() {
    return wire.address();
  }

  /** {@return the connector that merges transfers} */
  CompactingConnector compacting() {
    return compacting;
  }

  /**
   * {@return the report on the journals replayed at the start, a line for each file; often empty}
   */
  public String recovered() {
    return recovered;
  }

  private final class Frames implements FrameHandler {
    @Override
    public void opened(Connection connection) {
      await(connection);
      clock.schedule(
          () -> {
            if (connection.attachment() == null && connection.isOpen()) {
              String why = "hello: actual=none within " + HELLO_SECONDS + " s, expected=one";
              logRefused(connection, why);
              connection.goodbye(why);
            }
          },
          HELLO_SECONDS,
          TimeUnit.SECONDS);
    }

    @Override
    public MemorySegment memory(Connection connection, Frame head, long bytes) {
      if (head.type() != FrameType.REQUEST) {
        throw ProtocolViolation.of(
            "payload actual=with " + head.type() + ", expected=with a request");
      }
      return session(connection).memory(connection, bytes);
    }

    @Override
    public void frame(Connection connection, Frame frame) {
      switch (frame.type()) {
        case HELLO -> hello(connection, frame);
        case REQUEST -> session(connection).receive(connection, frame);
        case ACKNOWLEDGE -> session(connection).acknowledge(frame.id());
        case CANCEL -> session(connection).cancel(frame.id());
        case STATUS -> {
          requireHello(connection);
          String text = (frame.flags() & Hello.WANTS_JSON) != 0 ? statusJson() : status();
          connection.send(Frame.of(FrameType.STATUS, frame.id(), FrameText.encode(text)));
        }
        case PING -> {
          session(connection);
          connection.send(Frame.bare(FrameType.PONG, frame.id()));
        }
        case GOODBYE -> {
          requireHello(connection);
          connection.close();
          if (connection.attachment() instanceof ClientSession leaving) {
            sessions.retire(leaving, null);
          }
        }
        case WELCOME, REPLY, FAILURE, PONG ->
            throw ProtocolViolation.of(
                "message actual=" + frame.type() + ", expected=what clients send");
      }
    }

    @Override
    public void closed(Connection connection, Throwable reason) {
      forget(connection);
      if (connection.attachment() == null && reason != null) {
        logRefused(connection, Transport.reason(reason));
      }
      if (!(connection.attachment() instanceof ClientSession session)
          || !session.detach(connection)) {
        return;
      }
      if (sessions.holds(session)) {
        String why = reason == null ? "closed" : Transport.reason(reason);
        log.of(StageLog.USUAL, "disconnected", session.client(), session.number(), "reason", why);
      }
      if (reason instanceof CorruptFileException) {
        sessions.retire(session, null);
      } else {
        retireLater(session, connection.isLocal());
      }
    }

    /** Ends a session after a grace period. */
    private void retireLater(ClientSession session, boolean local) {
      clock.schedule(
          () -> {
            if (!session.isAttached()) {
              sessions.retire(session, null);
            }
          },
          SessionTable.graceMillis(options.grace(), local, session.reconnectSeconds()),
          TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Closes the connection that has waited longest for its hello if there are too many such
   * connections.
   */
  private void await(Connection connection) {
    Connection tooMany = null;
    synchronized (unknown) {
      unknown.add(connection);
      if (unknown.size() > MAX_UNKNOWN) {
        tooMany = unknown.removeFirst();
      }
    }
    if (tooMany != null) {
      logRefused(tooMany, "hello: actual=" + MAX_UNKNOWN + " connections wait for one");
      tooMany.close();
    }
  }

  private void logRefused(Connection connection, String why) {
    refused.increment();
    log.log(Level.WARNING, "refused", "peer", connection.peer(), "reason", why);
  }

  private void forget(Connection connection) {
    synchronized (unknown) {
      unknown.remove(connection);
    }
  }

  private static ClientSession session(Connection connection) {
    requireHello(connection);
    if (connection.attachment() instanceof ClientSession session) {
      return session;
    }
    throw ProtocolViolation.of(
        "message actual=an operation of an observer, expected=questions for the status");
  }

  private static void requireHello(Connection connection) {
    if (connection.attachment() == null) {
      throw ProtocolViolation.of("message actual=before hello, expected=hello first");
    }
  }

  private void hello(Connection connection, Frame frame) {
    if (connection.attachment() != null) {
      throw ProtocolViolation.of("hello actual=twice, expected=once");
    }
    Hello hello = Hello.decode(frame.control());
    authenticate(hello);
    forget(connection);
    if ((frame.flags() & Hello.OBSERVES) != 0) {
      connection.attach(OBSERVER);
      connection.send(Frame.of(FrameType.WELCOME, 0, welcome(0, 0, 0).encode()));
      return;
    }
    ClientSession session = sessions.of(hello);
    connection.attach(session);
    connection.accept(new WireLimits(SessionOperations.MAX_CONTROL_BYTES, options.windowBytes()));
    if ((frame.flags() & Hello.TAKES_RUNS) != 0) {
      connection.sendRuns();
    }
    session.attach(connection, () -> welcome(session), frame.acknowledged());
    log.of(
        StageLog.USUAL,
        hello.session() == 0 ? "connected" : "reconnected",
        session.client(),
        session.number(),
        "peer",
        connection.peer(),
        "window",
        session.window());
  }

  private void authenticate(Hello hello) {
    if (options.token().isPresent()) {
      byte[] expected = options.token().get().getBytes(StandardCharsets.UTF_8);
      byte[] actual = hello.token().getBytes(StandardCharsets.UTF_8);
      if (!MessageDigest.isEqual(expected, actual)) {
        throw new InvalidUseException(
            "token: actual="
                + (actual.length == 0 ? "none" : "wrong")
                + ", expected=the server's; give tokenFile=FILE with the content of the server's"
                + " --token-file");
      }
    }
  }

  private Frame welcome(ClientSession session) {
    return Frame.of(
        FrameType.WELCOME, 0, welcome(session.id(), session.window(), session.received()).encode());
  }

  private Welcome welcome(long session, long window, long received) {
    return new Welcome(
        session,
        window,
        window,
        ClientSession.MAX_OUTSTANDING,
        received,
        compacting.capabilities().stream().map(Capability::name).toList(),
        SessionOperations.MAX_CONTROL_BYTES,
        mark);
  }

  /** {@return a readable report: totals of the server, and a line for each client} */
  public String status() {
    StringBuilder page = new StringBuilder(1024);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(scheduling.nanoTime() - started);
    page.append(
        String.format(
            "hyperslab stage %s  up %d s  sessions %d  memory granted %d of %d%n",
            address() instanceof Address.Unix unix ? "unix" : address(),
            seconds,
            sessions.all().size(),
            grants.granted(),
            options.memoryBytes()));
    CompactorCounts all = compacting.counts();
    page.append(
        String.format(
            "queued %d requests, %d bytes; issued %d writes, %d reads, %d bytes; stolen %d bytes,"
                + " saved %d bytes%n",
            all.queuedRequests(),
            all.queuedBytes(),
            all.issuedWrites(),
            all.issuedReads(),
            all.issuedBytes(),
            all.stolenBytes(),
            all.savedBytes()));
    page.append(
            all.outcomes().entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .sorted()
                .collect(Collectors.joining(", ")))
        .append('\n');
    if (errors.count() > 0) {
      page.append("storage errors ").append(errors.count()).append('\n');
    }
    if (withheld.count() > 0) {
      page.append("warning: files not served because of their journals, which the log names: ")
          .append(withheld.count())
          .append('\n');
    }
    page.append(ServerStatus.Client.heading()).append('\n');
    sessions.all().forEach(session -> page.append(session.values().line()).append('\n'));
    unfinished(sessions.all(), SLOW_MILLIS)
        .forEach(slow -> page.append("slow: ").append(slow).append('\n'));
    return page.toString();
  }

  /** {@return the status as one JSON object on one line} */
  public String statusJson() {
    return values().json();
  }

  /** {@return the status in Prometheus's text format, version 0.0.4} */
  public String metrics() {
    return values().prometheus();
  }

  /**
   * {@return the operations that have not ended in a minute, as texts; empty if the server is well}
   */
  public List<String> stuck() {
    return unfinished(sessions.all(), STUCK_MILLIS);
  }

  private ServerStatus values() {
    List<ClientSession> all = sessions.all();
    return new ServerStatus(
        address() instanceof Address.Unix ? "unix" : address().toString(),
        TimeUnit.NANOSECONDS.toSeconds(scheduling.nanoTime() - started),
        grants.granted(),
        options.memoryBytes(),
        refused.sum(),
        errors.count(),
        withheld.count(),
        log.dropped(),
        compacting.counts(),
        all.stream().map(ClientSession::values).toList(),
        unfinished(all, SLOW_MILLIS));
  }

  /** Writes a warning about operations that do not end. */
  private void watch() {
    stuck().forEach(each -> log.log(Level.WARNING, "stuck", "operation", each));
  }

  private static List<String> unfinished(List<ClientSession> of, long millis) {
    return of.stream()
        .flatMap(session -> session.started().longerThan(millis, MOST_NAMED).stream())
        .limit(MOST_NAMED)
        .toList();
  }

  /**
   * Stops accepting clients, carries out the requests that have arrived, closes all files and
   * notifies the clients. A second call has no effect.
   *
   * @throws StorageException if operations do not end within the time that the options allow. The
   *     files then stay open, and the lock on the folder is held, until the process ends; edits
   *     acknowledged as durable are in the journals
   */
  @Override
  public void close() {
    if (!sessions.close()) {
      return;
    }
    List<ClientSession> all = sessions.all();
    log.log(StageLog.USUAL, "closing", "sessions", all.size());
    all.forEach(ClientSession::refuseLater);
    wire.stopAccepting();
    all.forEach(session -> sessions.retire(session, "server: closing"));
    boolean drained = grants.awaitNone(options.drain());
    clock.shutdownNow();
    if (!drained) {
      log.log(Level.ERROR, "unfinished", "operations", unfinished(all, 0));
      log.close();
      all.forEach(session -> session.goodbye("server: closing, with operations unfinished"));
      wire.close();
      throw new StorageException(
          "closing: actual=operations that have not ended after "
              + options.drain().toSeconds()
              + " s: "
              + unfinished(all, 0)
              + ", expected=none; edits acknowledged as durable are in the journals");
    }
    workers.shutdown();
    compacting.close();
    wire.close();
    journals.close();
    pool.close();
    log.log(StageLog.USUAL, "closed");
    log.close();
  }
}
