package org.hyperslab.plugins.forwarding.server;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.compacting.CompactingConnector;
import org.hyperslab.plugins.compacting.plan.Trace;
import org.hyperslab.plugins.compacting.run.CompactorCounts;
import org.hyperslab.plugins.forwarding.journal.JournalingConnector;
import org.hyperslab.plugins.forwarding.memory.BufferPool;
import org.hyperslab.plugins.forwarding.region.RegionConnector;
import org.hyperslab.plugins.forwarding.wire.Address;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameHandler;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.plugins.forwarding.wire.Texts;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.plugins.forwarding.wire.WireLimits;
import org.hyperslab.plugins.forwarding.wire.WireServer;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/**
 * A staging server: accepts clients, and carries out their operations through the compactor on the
 * connector that it was given.
 *
 * <p>A message that is malformed, oversized, repeated or not authenticated ends the session that it
 * belongs to, with a reason, and touches nothing else.
 *
 * <p>Thread rule: any thread.
 */
public final class StageServer implements AutoCloseable {

  static final int CONTROL_BYTES = 16 << 20;
  private static final int MOST_SESSIONS = 1 << 20;

  /** Connections that have not said hello, at most: some 16 KiB each. */
  private static final int MOST_UNKNOWN = 128;

  /**
   * How long a session is kept for a client of this machine: nothing but its own end breaks such a
   * connection for longer. And how long one is kept in any case when others want its memory.
   */
  private static final long LEAST_GRACE_MILLIS = 3000;

  /** What is attached to a connection that only asks how the server does: it has no memory. */
  private static final Object OBSERVER = new Object();

  private final ServerOptions options;
  private final Names names;
  private final BufferPool pool;
  private final CompactingConnector compacting;
  private final JournalingConnector journals;
  private final String recovered;
  private final String mark;
  private final PromptWrites promptWrites;
  private final ThreadPoolExecutor workers;
  private final ScheduledExecutorService clock;
  private final Map<Long, Session> sessions = new ConcurrentHashMap<>();

  /** By the number that the compactor knows a session by. */
  private final Map<Long, SessionCounts> counts = new ConcurrentHashMap<>();

  /** Connections that have not said hello, the oldest first; guarded by itself. */
  private final LinkedHashSet<Connection> unknown = new LinkedHashSet<>();

  private final AtomicInteger numbers = new AtomicInteger();
  private final SecureRandom random = new SecureRandom();
  private final long started = System.nanoTime();
  private final WireServer wire;

  private final Grants grants;
  private boolean closing;

  private StageServer(ServerOptions options, Connector below, LongSupplier writeClock) {
    this.options = options;
    this.names = new Names(options.root());
    this.promptWrites = new PromptWrites(options, writeClock);
    this.pool = new BufferPool(options.memoryBytes());
    this.grants = new Grants(options.memoryBytes());
    AtomicInteger thread = new AtomicInteger();
    this.workers =
        new ThreadPoolExecutor(
            options.threads(),
            options.threads(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> daemon(task, "hyperslab-stage-" + thread.incrementAndGet()));
    this.mark = options.peers().isEmpty() ? "" : names.mark();
    Connector all = options.peers().isEmpty() ? promptWrites.watching(below) : regions(below);
    this.compacting = new CompactingConnector(all, options.compactor(), options.threads());
    compacting.onTrace(this::count);
    this.journals = new JournalingConnector(journalFolder(), names.root(), names::confined);
    this.clock =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "hyperslab-stage-clock"));
    this.wire = orGiveUp(this::listen, () -> {});
    this.recovered = orGiveUp(() -> journals.recover(below), wire::close);
    wire.accept();
  }

  /** The address is taken before anything is replayed; clients wait until all is. */
  private WireServer listen() {
    return WireServer.bind(
        options.address(),
        options.security(),
        WireLimits.BEFORE_HELLO,
        Math.max(1, options.threads() / 2),
        new Frames());
  }

  /** What a step of starting gives; if it fails, what was taken before is given back. */
  private <T> T orGiveUp(Supplier<T> step, Runnable giveBack) {
    try {
      return step.get();
    } catch (RuntimeException failed) {
      giveBack.run();
      clock.shutdownNow();
      workers.shutdown();
      compacting.close();
      journals.close();
      throw failed;
    }
  }

  /**
   * Starts a server.
   *
   * @throws StorageException if the address or the folder cannot be had
   * @throws InvalidUseException if the address needs keys, or the connector's configuration is
   *     wrong
   */
  public static StageServer start(ServerOptions options) {
    return start(options, Connectors.create(options.connector()));
  }

  /**
   * As the other, over a connector of the caller's instead of the one that the options name; the
   * server closes it.
   */
  public static StageServer start(ServerOptions options, Connector below) {
    return start(options, below, System::nanoTime);
  }

  /**
   * As the others, with a clock of the caller's.
   *
   * @param writeClock tells how long writes take, in nanoseconds as System.nanoTime counts
   */
  static StageServer start(ServerOptions options, Connector below, LongSupplier writeClock) {
    return new StageServer(options, below, writeClock);
  }

  private Connector regions(Connector below) {
    return new RegionConnector(below, new StagePeers(options, mark, workers), names.folder());
  }

  /** Servers that share a folder have journals of their own: each replays what it has promised. */
  private Path journalFolder() {
    Path folder = names.root().resolve(Names.PRIVATE);
    return options.peers().isEmpty()
        ? folder
        : folder.resolve(options.address().toString().replaceAll("[^A-Za-z0-9.]", "_"));
  }

  private static Thread daemon(Runnable task, String name) {
    return Thread.ofPlatform().daemon().name(name).unstarted(task);
  }

  /** Where it listens, with the port that it was given. */
  public Address address() {
    return wire.address();
  }

  Names names() {
    return names;
  }

  BufferPool pool() {
    return pool;
  }

  Executor workers() {
    return workers;
  }

  CompactingConnector compacting() {
    return compacting;
  }

  /**
   * Whether the thread that receives a request of an idle session may carry it out, if it is a
   * write: nobody but this session has, or has had and not yet given back, a share of the memory.
   */
  boolean mayBePrompt(Session session, Frame request) {
    return grants.granted() == 2 * session.window() && promptWrites.mayTake(request);
  }

  JournalingConnector journals() {
    return journals;
  }

  /** What was replayed from journals when it started, a line for each file; often empty. */
  public String recovered() {
    return recovered;
  }

  private final class Frames implements FrameHandler {
    @Override
    public void opened(Connection connection) {
      await(connection);
      clock.schedule(
          () -> {
            if (connection.attachment() == null) {
              connection.goodbye("hello: actual=none within 10 s, expected=one");
            }
          },
          10,
          TimeUnit.SECONDS);
    }

    @Override
    public MemorySegment memory(Connection connection, Frame head, long bytes) {
      if (head.type() != FrameType.REQUEST) {
        throw protocol("payload actual=with " + head.type() + ", expected=with a request");
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
          connection.send(Frame.of(FrameType.STATUS, frame.id(), Texts.encode(status())));
        }
        case PING -> {
          session(connection);
          connection.send(Frame.bare(FrameType.PONG, frame.id()));
        }
        case GOODBYE -> {
          requireHello(connection);
          connection.close();
          if (connection.attachment() instanceof Session leaving) {
            retire(leaving, null);
          }
        }
        case WELCOME, REPLY, FAILURE, PONG ->
            throw protocol("message actual=" + frame.type() + ", expected=what clients send");
      }
    }

    @Override
    public void closed(Connection connection, Throwable reason) {
      forget(connection);
      if (!(connection.attachment() instanceof Session session) || !session.detach(connection)) {
        return;
      }
      if (reason instanceof CorruptFileException) {
        retire(session, null);
      } else {
        clock.schedule(
            () -> {
              if (!session.isAttached()) {
                retire(session, null);
              }
            },
            Math.min(
                options.grace().toMillis(),
                connection.isLocal() ? LEAST_GRACE_MILLIS : Long.MAX_VALUE),
            TimeUnit.MILLISECONDS);
      }
    }
  }

  /** The longest wait for a hello gives up its place when there are too many. */
  private void await(Connection connection) {
    Connection tooMany = null;
    synchronized (unknown) {
      unknown.add(connection);
      if (unknown.size() > MOST_UNKNOWN) {
        tooMany = unknown.removeFirst();
      }
    }
    if (tooMany != null) {
      tooMany.close();
    }
  }

  private void forget(Connection connection) {
    synchronized (unknown) {
      unknown.remove(connection);
    }
  }

  private static CorruptFileException protocol(String problem) {
    return new CorruptFileException("wire", "session", CorruptFileException.NO_OFFSET, problem);
  }

  private static Session session(Connection connection) {
    requireHello(connection);
    if (connection.attachment() instanceof Session session) {
      return session;
    }
    throw protocol("message actual=an operation of an observer, expected=questions for the status");
  }

  private static void requireHello(Connection connection) {
    if (connection.attachment() == null) {
      throw protocol("message actual=before hello, expected=hello first");
    }
  }

  private void hello(Connection connection, Frame frame) {
    if (connection.attachment() != null) {
      throw protocol("hello actual=twice, expected=once");
    }
    Hello hello = Hello.decode(frame.control());
    authenticate(hello);
    forget(connection);
    if ((frame.flags() & Hello.OBSERVES) != 0) {
      connection.attach(OBSERVER);
      connection.send(Frame.of(FrameType.WELCOME, 0, welcome(0, 0, 0).encode()));
      return;
    }
    Session session = hello.session() == 0 ? begin(hello) : sessions.get(hello.session());
    if (session == null) {
      throw new InvalidUseException(
          "session: actual=unknown here, expected=one that this server began; it has ended, or the"
              + " server was started anew");
    }
    connection.attach(session);
    connection.accept(new WireLimits(CONTROL_BYTES, options.windowBytes()));
    if ((frame.flags() & Hello.TAKES_RUNS) != 0) {
      connection.sendRuns();
    }
    session.attach(connection, () -> welcome(session), frame.acknowledged());
  }

  private void authenticate(Hello hello) {
    if (options.token().isPresent()) {
      byte[] expected = options.token().get().getBytes(StandardCharsets.UTF_8);
      byte[] actual = hello.token().getBytes(StandardCharsets.UTF_8);
      if (!MessageDigest.isEqual(expected, actual)) {
        throw new InvalidUseException(
            "token: actual=" + (actual.length == 0 ? "none" : "wrong") + ", expected=the server's");
      }
    }
  }

  /** A new session with its share of the memory. */
  private synchronized Session begin(Hello hello) {
    long wished = hello.windowBytes() <= 0 ? options.windowBytes() : hello.windowBytes();
    long window = grants.window(Math.min(wished, options.windowBytes()));
    if (window < ServerOptions.LEAST_WINDOW_BYTES) {
      endLongestAway();
    }
    if (closing || window < ServerOptions.LEAST_WINDOW_BYTES) {
      throw new StorageException(
          "session: actual="
              + (closing ? "server is closing" : "memory of the server is all granted")
              + ", expected=room; try again later");
    }
    grants.grant(2 * window);
    int number = freeNumber();
    long id = random.nextLong() >>> 1 | 1;
    Session session = new Session(this, id, number, hello.client(), window);
    sessions.put(id, session);
    counts.put((long) number, session.counts());
    return session;
  }

  /** Makes room for somebody else: who has been gone for long will hardly come back. */
  private void endLongestAway() {
    sessions.values().stream()
        .filter(session -> session.awayMillis() > LEAST_GRACE_MILLIS)
        .max(Comparator.comparingLong(Session::awayMillis))
        .ifPresent(away -> retire(away, null));
  }

  private int freeNumber() {
    while (true) {
      int number = 1 + Math.floorMod(numbers.getAndIncrement(), MOST_SESSIONS);
      if (sessions.values().stream().noneMatch(other -> other.number() == number)) {
        return number;
      }
    }
  }

  private Frame welcome(Session session) {
    return Frame.of(
        FrameType.WELCOME, 0, welcome(session.id(), session.window(), session.received()).encode());
  }

  private Welcome welcome(long session, long window, long received) {
    return new Welcome(
        session,
        window,
        window,
        Session.OUTSTANDING,
        received,
        compacting.capabilities().stream().map(Capability::name).toList(),
        CONTROL_BYTES,
        mark);
  }

  private void count(Trace trace) {
    SessionCounts session = counts.get(trace.origin().client());
    if (session != null) {
      session.count(trace.treatment());
    }
  }

  /** Ends a session because of what its client sent. */
  void expel(Session session, String why) {
    session.goodbye(why);
    retire(session, null);
  }

  private void retire(Session session, String why) {
    if (sessions.remove(session.id()) == null) {
      return;
    }
    counts.remove((long) session.number());
    grants.giveBackAfter(() -> session.end(why), 2 * session.window());
  }

  /** What a person wants to see: how the server does, and each client. */
  public String status() {
    StringBuilder page = new StringBuilder(1024);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
    page.append(
        String.format(
            "hyperslab stage %s  up %d s  sessions %d  memory granted %d of %d%n",
            address() instanceof Address.Unix unix ? "unix" : address(),
            seconds,
            sessions.size(),
            grants.granted(),
            options.memoryBytes()));
    CompactorCounts all = compacting.counts();
    if (all != null) {
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
              all.treatments().entrySet().stream()
                  .map(each -> each.getKey() + " " + each.getValue())
                  .sorted()
                  .collect(Collectors.joining(", ")))
          .append('\n');
    }
    page.append(Session.statusHeading()).append('\n');
    sessions.values().forEach(session -> page.append(session.status()).append('\n'));
    return page.toString();
  }

  /**
   * Accepts nobody else, carries out what has arrived, closes all files, and tells the clients.
   * Idempotent.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closing) {
        return;
      }
      closing = true;
    }
    wire.stopAccepting();
    List.copyOf(sessions.values()).forEach(session -> retire(session, "server: closing"));
    grants.awaitNone();
    workers.shutdown();
    clock.shutdownNow();
    compacting.close();
    wire.close();
    journals.close();
  }
}
