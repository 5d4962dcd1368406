package org.hyperslab.plugins.forwarding.server;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.forwarding.server.ArrivedRequests.ArrivedRequest;
import org.hyperslab.plugins.forwarding.server.KeptReplies.KeptReply;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Uninterrupted;

/**
 * The session of one client. Its requests run one after another in the order of their numbers,
 * provided that the connector completes them before it returns. Replies are kept until the client
 * has acknowledged them, so that a broken connection neither loses nor repeats one.
 *
 * <p>A session outlives its connection. The payloads of requests may take up to the window, and the
 * replies the same amount again. A client that exceeds the first bound violates the protocol; when
 * replies reach the second bound, the session waits for acknowledgements. {@link ArrivedRequests}
 * holds the requests, {@link KeptReplies} the replies, and {@link SessionOperations} the open
 * objects, and checks the session's rights.
 *
 * <p>Thread rule: any thread.
 */
final class ClientSession {

  /** The largest number of requests without an acknowledged reply. */
  static final int MAX_OUTSTANDING = 16_384;

  /** The number of requests after which other sessions may run. */
  private static final int TURN = 64;

  /**
   * The size, in bytes, of waiting requests' messages beyond which no further messages are read.
   */
  private static final long MAX_MESSAGE_BYTES = 4 << 20;

  private final SessionServices services;
  private final long id;
  private final int number;
  private final String client;
  private final long window;
  private final long reconnectSeconds;
  private final SessionOperations operations;
  private final RunningOperations started;
  private final SessionCounts counts = new SessionCounts();

  // Guarded by this.
  private final ArrivedRequests requests;
  private final KeptReplies replies = new KeptReplies();
  private Connection connection;
  private long awaySince;
  private boolean running;
  private boolean ended;
  private boolean readingHeld;

  /**
   * Creates a session without a connection.
   *
   * @param services the parts of the server that sessions use
   * @param id identifies the session for its client
   * @param number identifies the session for the compactor and in handles
   * @param hello holds the client's name, and how long the client tries to come back
   * @param window the session's window in bytes
   */
  ClientSession(SessionServices services, long id, int number, Hello hello, long window) {
    this.services = services;
    this.id = id;
    this.number = number;
    this.client = ClientName.printable(hello.client());
    this.reconnectSeconds = hello.reconnectSeconds();
    this.window = window;
    this.started = new RunningOperations(this.client, services.scheduling());
    this.awaySince = services.scheduling().nanoTime();
    this.requests = new ArrivedRequests(services.pool(), window);
    this.operations = new SessionOperations(services, number, window, this.client);
  }

  long id() {
    return id;
  }

  int number() {
    return number;
  }

  long window() {
    return window;
  }

  /** {@return the time for which the client may reconnect, in seconds; 0 if it was not} */
  long reconnectSeconds() {
    return reconnectSeconds;
  }

  /** {@return the client's name, in printable characters} */
  String client() {
    return client;
  }

  /** {@return the operations that have started and not ended} */
  RunningOperations started() {
    return started;
  }

  SessionCounts counts() {
    return counts;
  }

  synchronized long received() {
    return requests.received();
  }

  // --- connections ---

  /**
   * Continues over a connection: replies that the client has not acknowledged are sent again.
   * Frames that still arrive on the previous connection are refused.
   *
   * @param to the connection
   * @param welcome creates the welcome, which contains the number of the last request received
   * @param acknowledged the client has received all replies below this number
   */
  synchronized void attach(Connection to, Supplier<Frame> welcome, long acknowledged) {
    if (connection != null) {
      connection.close();
    }
    requests.replaced(connection);
    connection = to;
    to.send(welcome.get());
    acknowledge(acknowledged);
    readingHeld = false;
    replies.forEach(reply -> {
      replies.sending(reply);
      send(to, reply);
    });
  }

  private void send(Connection to, KeptReply reply) {
    to.send(reply.frame(), () -> sent(reply));
  }

  private void sent(KeptReply reply) {
    boolean waiting;
    synchronized (this) {
      replies.sent(reply);
      waiting = requests.waiting() > 0;
    }
    if (waiting) {
      schedule();
    }
  }

  /** Detaches a closed connection and returns whether it was the current one. */
  synchronized boolean detach(Connection from) {
    requests.closed(from, connection == from);
    if (connection != from) {
      return false;
    }
    connection = null;
    awaySince = services.scheduling().nanoTime();
    return true;
  }

  /** {@return the time since the client lost its connection, in milliseconds; 0 if it has one} */
  synchronized long awayMillis() {
    return connection != null
        ? 0
        : TimeUnit.NANOSECONDS.toMillis(services.scheduling().nanoTime() - awaySince);
  }

  synchronized boolean isAttached() {
    return connection != null;
  }

  private void requireCurrent(Connection from) {
    if (connection != from) {
      throw ProtocolViolation.of("message actual=over a connection that another has replaced");
    }
  }

  private void send(Frame frame) {
    Connection to;
    synchronized (this) {
      to = connection;
    }
    if (to != null) {
      to.send(frame);
    }
  }

  // --- receiving ---

  /** Allocates memory for the payload of a request. */
  synchronized MemorySegment memory(Connection from, long bytes) {
    requireCurrent(from);
    return requests.memory(bytes);
  }

  /** Accepts a request that has arrived. */
  void receive(Connection from, Frame frame) {
    boolean inline;
    synchronized (this) {
      requireCurrent(from);
      requests.requireNext(frame);
      replies.acknowledge(frame.acknowledged());
      if (requests.waiting() + replies.size() + requests.underWay() >= MAX_OUTSTANDING) {
        throw ProtocolViolation.of(
            "requests without acknowledged reply actual=more than " + MAX_OUTSTANDING);
      }
      requests.count(frame);
      holdReading(from);
      inline = requests.isIdle() && !running && !isStalled() && mayRunInline(frame);
      running |= inline;
      requests.add(frame);
    }
    counts.requests.increment();
    counts.bytesIn.add(frame.payloadBytes());
    if (refusedAtEnd(frame)) {
      return;
    }
    if (Acknowledge.of(frame.flags()) == Acknowledge.RECEIVED) {
      send(new Frame(FrameType.REPLY, Acknowledge.EARLY, frame.id(), 0, new byte[0], List.of()));
    }
    if (inline) {
      from.occupy(this::runInline);
    } else {
      schedule();
    }
  }

  /**
   * Returns whether the receiving thread may carry out a write, which requires that no other
   * session has memory granted.
   */
  private boolean mayRunInline(Frame frame) {
    return services.grants().granted() == MemoryGrants.sessionBytes(window)
        && services.inlineWrites().mayTake(frame);
  }

  private boolean isStalled() {
    return replies.heldBytes() >= window;
  }

  /** Refuses a request that arrives while the session ends and its files are being closed. */
  private boolean refusedAtEnd(Frame frame) {
    ArrivedRequest late;
    synchronized (this) {
      late = ended ? requests.remove(frame.id()) : null;
    }
    if (late != null) {
      fail(
          late,
          new RemoteException(
              "server: actual=closing, expected=running; this operation was not carried out, "
                  + "earlier ones were"));
    }
    return late != null;
  }

  /**
   * Stops reading when messages without a reply take too much memory. Reading continues if replies
   * must be acknowledged first, because the acknowledgement comes after them.
   */
  private void holdReading(Connection from) {
    if (requests.messageBytes() <= MAX_MESSAGE_BYTES) {
      return;
    }
    if (!isStalled()) {
      readingHeld = true;
      from.hold();
    } else if (requests.messageBytes()
        > 2 * MAX_MESSAGE_BYTES + SessionOperations.MAX_CONTROL_BYTES) {
      throw ProtocolViolation.of(
          "messages behind replies that are not acknowledged actual="
              + requests.messageBytes()
              + " bytes, expected=fewer");
    }
  }

  private void resumeReading() {
    if (readingHeld && (requests.messageBytes() <= MAX_MESSAGE_BYTES / 2 || isStalled())) {
      readingHeld = false;
      if (connection != null) {
        connection.resume();
      }
    }
  }

  /** Records that the client has received all replies below a number. */
  void acknowledge(long below) {
    boolean waiting;
    synchronized (this) {
      replies.acknowledge(below);
      waiting = requests.waiting() > 0;
    }
    if (waiting) {
      schedule();
    }
  }

  /** Cancels a request that has not started. */
  void cancel(long request) {
    ArrivedRequest found;
    synchronized (this) {
      found = requests.remove(request);
    }
    if (found != null) {
      fail(found, new RemoteException("operation: actual=cancelled, expected=carried out"));
    }
  }

  // --- carrying out ---

  private void schedule() {
    synchronized (this) {
      if (running || requests.waiting() == 0) {
        return;
      }
      running = true;
    }
    services.workers().execute(this::run);
  }

  /** Carries out waiting requests; after a number of them other sessions may run. */
  private void run() {
    for (int i = 0; i < TURN; i++) {
      ArrivedRequest next;
      synchronized (this) {
        resumeReading();
        next = isStalled() && !ended ? null : requests.start();
        if (next == null) {
          running = false;
          notifyAll();
          return;
        }
      }
      List<Lease> leases = new ArrayList<>();
      SessionOperations.Decoded decoded = decode(next, leases);
      if (decoded != null && waits(carryOut(next, decoded, leases, false))) {
        return;
      }
    }
    services.workers().execute(this::run);
  }

  /** Returns whether the next request has to wait; then it is run later, without this thread. */
  private boolean waits(CompletionStage<?> over) {
    if (over.toCompletableFuture().isDone()) {
      return false;
    }
    over.thenRun(() -> services.workers().execute(this::run));
    return true;
  }

  /** Carries out a write that has just arrived, in the connection's thread. */
  private void runInline() {
    ArrivedRequest next;
    synchronized (this) {
      next = requests.start();
      if (next == null) { // cancelled meanwhile, over a connection that has replaced this one
        running = false;
        notifyAll();
        return;
      }
    }
    List<Lease> leases = new ArrayList<>();
    SessionOperations.Decoded decoded = decode(next, leases);
    if (decoded != null && !(decoded.operation() instanceof DatasetOperation.Write)) {
      services
          .workers()
          .execute(() -> {
            if (!waits(carryOut(next, decoded, leases, false))) {
              run();
            }
          });
      return;
    }
    if (decoded != null && waits(carryOut(next, decoded, leases, true))) {
      return;
    }
    synchronized (this) {
      running = false;
      notifyAll();
    }
    schedule();
  }

  /** Decodes a request; returns null if it was refused and answered. */
  private SessionOperations.Decoded decode(ArrivedRequest request, List<Lease> leases) {
    try {
      return operations.decode(request.frame(), bytes -> take(bytes, leases));
    } catch (CorruptFileException malformed) {
      release(leases);
      fail(request, malformed);
      services.expel().accept(id, malformed.getMessage());
      return null;
    } catch (RuntimeException | Error refused) {
      release(leases);
      fail(request, refused);
      return null;
    }
  }

  private CompletionStage<?> carryOut(
      ArrivedRequest request,
      SessionOperations.Decoded decoded,
      List<Lease> leases,
      boolean inline) {
    started.started(request.frame().id(), decoded.asked());
    return operations.carryOut(
        decoded,
        request.frame(),
        inline,
        (result, failure) -> {
          started.ended(request.frame().id());
          if (failure != null) {
            release(leases);
            fail(request, Connectors.causeOf(failure));
          } else {
            succeed(request, decoded, result, leases);
          }
        });
  }

  private MemorySegment take(long bytes, List<Lease> leases) {
    Lease lease = services.pool().take(bytes);
    synchronized (this) {
      replies.hold(bytes);
    }
    leases.add(lease);
    return lease.segment();
  }

  private synchronized void release(List<Lease> leases) {
    replies.release(leases);
    leases.clear();
  }

  // --- replying ---

  private void succeed(
      ArrivedRequest request,
      SessionOperations.Decoded decoded,
      Object result,
      List<Lease> leases) {
    EncodedMessage encoded;
    try {
      encoded = operations.encode(decoded, result);
    } catch (RuntimeException | Error notEncodable) {
      release(leases);
      fail(request, notEncodable);
      return;
    }
    Frame reply =
        new Frame(
            FrameType.REPLY, 0, request.frame().id(), 0, encoded.control(), encoded.payload());
    counts.bytesOut.add(reply.payloadBytes());
    finish(request, reply, leases);
  }

  private void fail(ArrivedRequest request, Throwable failure) {
    counts.failures.increment();
    services.errors().failed(failure, client);
    byte[] message = operations.encodeFailure(failure);
    finish(request, Frame.of(FrameType.FAILURE, request.frame().id(), message), List.of());
  }

  private void finish(ArrivedRequest request, Frame frame, List<Lease> leases) {
    counts.replies.increment();
    Connection to;
    KeptReply reply;
    synchronized (this) {
      requests.ended(request);
      to = connection;
      resumeReading();
      reply = replies.keep(frame, List.copyOf(leases), to != null);
      if (ended) {
        replies.end(reply);
      }
      notifyAll();
    }
    if (to != null) {
      send(to, reply);
    }
  }

  // --- ending ---

  /** {@return whether no request waits or runs} */
  synchronized boolean isIdle() {
    return requests.isIdle();
  }

  /** Refuses all further requests; the caller then calls {@link #end}. */
  synchronized void refuseLater() {
    ended = true;
  }

  /**
   * Carries out the requests that have arrived, then closes the files. Blocks.
   *
   * @param why the reason that is sent to the client; null to send none
   */
  void end(String why) {
    Connection to;
    synchronized (this) {
      ended = true;
      to = connection;
    }
    schedule();
    synchronized (this) {
      Uninterrupted.await(this, () -> !requests.isIdle());
      replies.end();
      requests.close();
    }
    try {
      operations.closeAll();
    } finally {
      if (to != null && why != null) {
        to.goodbye(why);
      }
    }
  }

  /** Tells a connected client that the session ends. */
  void goodbye(String why) {
    Connection to;
    synchronized (this) {
      to = connection;
    }
    if (to != null) {
      to.goodbye(why);
    }
  }

  /** {@return the session's values} */
  synchronized ServerStatus.Client values() {
    return new ServerStatus.Client(
        number,
        client,
        requests.waiting(),
        requests.underWay(),
        operations.holdings().files(),
        connection == null,
        requests.windowUsed(),
        counts);
  }
}
