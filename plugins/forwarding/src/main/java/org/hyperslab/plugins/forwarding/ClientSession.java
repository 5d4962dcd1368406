package org.hyperslab.plugins.forwarding;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.forwarding.KeptReplies.KeptReply;
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
 * replies reach the second bound, the session waits for acknowledgements. {@link SessionOperations}
 * holds the session's open objects and checks its rights, {@link KeptReplies} holds the replies.
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
  private final Deque<Request> queue = new ArrayDeque<>();
  private final KeptReplies replies = new KeptReplies();
  private Connection connection;
  private long awaySince = System.nanoTime();
  private boolean running;
  private boolean ended;
  private long received;
  private long windowHeld;
  private long messagesHeld;
  private boolean readingHeld;
  private int underWay;

  /** The payloads of requests, from their arrival until the reply. */
  private final PayloadSlab payloads;

  private PayloadSlab.Part receiving;

  /**
   * The payloads that replaced connections may still be receiving, until those connections have
   * closed.
   */
  private final Map<Connection, PayloadSlab.Part> abandoned = new HashMap<>();

  /** A request that has arrived; its payload is null if it has none. */
  private record Request(Frame frame, PayloadSlab.Part payload) {
    long bytes() {
      return payload == null ? 0 : payload.bytes().byteSize();
    }
  }

  /**
   * Creates a session without a connection.
   *
   * @param services the parts of the server that sessions use
   * @param id identifies the session for its client
   * @param number identifies the session for the compactor and in handles
   * @param hello tells the client's name, and how long the client tries to come back
   * @param window the session's window in bytes
   */
  ClientSession(SessionServices services, long id, int number, Hello hello, long window) {
    this.services = services;
    this.id = id;
    this.number = number;
    this.client = ClientName.printable(hello.client());
    this.reconnectSeconds = hello.reconnectSeconds();
    this.window = window;
    this.started = new RunningOperations(this.client);
    this.payloads = new PayloadSlab(services.pool(), window);
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

  /** {@return the time for which the client was told to reconnect, in seconds; 0 if it was not} */
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
    return received;
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
    if (receiving != null) {
      windowHeld -= receiving.bytes().byteSize();
      abandoned.put(connection, receiving);
      receiving = null;
    }
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
      waiting = !queue.isEmpty();
    }
    if (waiting) {
      schedule();
    }
  }

  /** Detaches a closed connection and returns whether it was the current one. */
  synchronized boolean detach(Connection from) {
    PayloadSlab.Part unused = abandoned.remove(from);
    if (unused != null) {
      payloads.release(unused);
    }
    if (connection != from) {
      return false;
    }
    connection = null;
    awaySince = System.nanoTime();
    if (receiving != null) {
      windowHeld -= receiving.bytes().byteSize();
      payloads.release(receiving);
      receiving = null;
    }
    return true;
  }

  /** {@return the time since the client lost its connection, in milliseconds; 0 if it has one} */
  synchronized long awayMillis() {
    return connection != null ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - awaySince);
  }

  synchronized boolean isAttached() {
    return connection != null;
  }

  private void requireCurrent(Connection from) {
    if (connection != from) {
      throw protocol("message actual=over a connection that another has replaced");
    }
  }

  private static CorruptFileException protocol(String problem) {
    return new CorruptFileException("wire", "session", CorruptFileException.NO_OFFSET, problem);
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
    if (bytes > window - windowHeld) {
      throw protocol(
          "payload without reply actual=" + windowHeld + "+" + bytes + ", expected<=" + window);
    }
    windowHeld += bytes;
    receiving = payloads.take(bytes);
    return receiving.bytes();
  }

  /** Accepts a request that has arrived. */
  void receive(Connection from, Frame frame) {
    boolean inline;
    synchronized (this) {
      requireCurrent(from);
      if (frame.id() != received + 1) {
        throw protocol(
            "number of a request actual="
                + frame.id()
                + (frame.id() <= received ? " again" : "")
                + ", expected="
                + (received + 1));
      }
      replies.acknowledge(frame.acknowledged());
      if (queue.size() + replies.size() + underWay >= MAX_OUTSTANDING) {
        throw protocol("requests without acknowledged reply actual=more than " + MAX_OUTSTANDING);
      }
      received = frame.id();
      messagesHeld += frame.control().length;
      holdReading(from);
      inline = isIdle() && !running && !isStalled() && mayRunInline(frame);
      running |= inline;
      queue.add(new Request(frame, receiving));
      receiving = null;
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
    Request late = null;
    synchronized (this) {
      if (ended && !queue.isEmpty() && queue.getLast().frame == frame) {
        late = queue.removeLast();
        underWay++;
      }
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
    if (messagesHeld <= MAX_MESSAGE_BYTES) {
      return;
    }
    if (!isStalled()) {
      readingHeld = true;
      from.hold();
    } else if (messagesHeld > 2 * MAX_MESSAGE_BYTES + SessionOperations.MAX_CONTROL_BYTES) {
      throw protocol(
          "messages behind replies that are not acknowledged actual="
              + messagesHeld
              + " bytes, expected=fewer");
    }
  }

  private void resumeReading() {
    if (readingHeld && (messagesHeld <= MAX_MESSAGE_BYTES / 2 || isStalled())) {
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
      waiting = !queue.isEmpty();
    }
    if (waiting) {
      schedule();
    }
  }

  /** Cancels a request that has not started. */
  void cancel(long request) {
    Request found = null;
    synchronized (this) {
      for (Request waiting : queue) {
        if (waiting.frame.id() == request) {
          found = waiting;
        }
      }
      queue.remove(found);
      underWay += found == null ? 0 : 1;
    }
    if (found != null) {
      fail(found, new RemoteException("operation: actual=cancelled, expected=carried out"));
    }
  }

  // --- carrying out ---

  private void schedule() {
    synchronized (this) {
      if (running || queue.isEmpty()) {
        return;
      }
      running = true;
    }
    services.workers().execute(this::run);
  }

  /** Carries out waiting requests; after a number of them other sessions may run. */
  private void run() {
    for (int i = 0; i < TURN; i++) {
      Request next;
      synchronized (this) {
        resumeReading();
        next = isStalled() && !ended ? null : queue.poll();
        if (next == null) {
          running = false;
          notifyAll();
          return;
        }
        underWay++;
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
    Request next;
    synchronized (this) {
      next = queue.poll();
      if (next == null) { // cancelled meanwhile, over a connection that has replaced this one
        running = false;
        notifyAll();
        return;
      }
      underWay++;
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
  private SessionOperations.Decoded decode(Request request, List<Lease> leases) {
    try {
      return operations.decode(request.frame, bytes -> take(bytes, leases));
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
      Request request, SessionOperations.Decoded decoded, List<Lease> leases, boolean inline) {
    started.started(request.frame.id(), decoded.asked());
    return operations.carryOut(
        decoded,
        request.frame,
        inline,
        (result, failure) -> {
          started.ended(request.frame.id());
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
      Request request, SessionOperations.Decoded decoded, Object result, List<Lease> leases) {
    EncodedMessage encoded;
    try {
      encoded = operations.encode(decoded, result);
    } catch (RuntimeException | Error notEncodable) {
      release(leases);
      fail(request, notEncodable);
      return;
    }
    Frame reply =
        new Frame(FrameType.REPLY, 0, request.frame.id(), 0, encoded.control(), encoded.payload());
    counts.bytesOut.add(reply.payloadBytes());
    finish(request, reply, leases);
  }

  private void fail(Request request, Throwable failure) {
    counts.failures.increment();
    services.errors().failed(failure, client);
    byte[] message = operations.encodeFailure(failure);
    finish(request, Frame.of(FrameType.FAILURE, request.frame.id(), message), List.of());
  }

  private void finish(Request request, Frame frame, List<Lease> leases) {
    counts.replies.increment();
    Connection to;
    KeptReply reply;
    synchronized (this) {
      windowHeld -= request.bytes();
      if (request.payload != null) {
        payloads.release(request.payload);
      }
      underWay--;
      to = connection;
      messagesHeld -= request.frame.control().length;
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
    return queue.isEmpty() && underWay == 0;
  }

  /** Refuses all further requests; the caller then calls {@link #end}. */
  synchronized void refuseLater() {
    ended = true;
  }

  /**
   * Carries out the requests that have arrived, then closes the files. Blocks.
   *
   * @param why the reason that the client is told; null to send none
   */
  void end(String why) {
    Connection to;
    synchronized (this) {
      ended = true;
      to = connection;
    }
    schedule();
    synchronized (this) {
      Uninterrupted.await(this, () -> !queue.isEmpty() || underWay > 0);
      replies.end();
      payloads.close();
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

  /** {@return the session's line on the status page} */
  synchronized String status() {
    return String.format(
        "%-24s %8d %8d %10d %10d %8d %10d %10d %14d %14d %6.0f%% %5d%s",
        client,
        queue.size(),
        underWay,
        counts.requests.sum(),
        counts.replies.sum(),
        counts.failures.sum(),
        counts.merged.sum(),
        counts.stolen.sum(),
        counts.bytesIn.sum(),
        counts.bytesOut.sum(),
        100.0 * windowHeld / window,
        operations.holdings().files(),
        connection == null ? " (away)" : "");
  }

  /** {@return the session's values, for programs} */
  synchronized ServerStatus.Client values() {
    return new ServerStatus.Client(
        number,
        client,
        queue.size(),
        underWay,
        operations.holdings().files(),
        connection == null,
        counts);
  }

  /** {@return the heading of the lines on the status page} */
  static String statusHeading() {
    return String.format(
        "%-24s %8s %8s %10s %10s %8s %10s %10s %14s %14s %7s %5s",
        "client",
        "queued",
        "running",
        "requests",
        "replies",
        "failed",
        "merged",
        "stolen",
        "bytes in",
        "bytes out",
        "window",
        "files");
  }
}
