package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameHandler;
import org.hyperslab.plugins.forwarding.wire.FrameText;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.plugins.forwarding.wire.Transport;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.plugins.forwarding.wire.WireClient;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;
import org.hyperslab.vol.base.Scheduling;

/**
 * The session with one server. Requests are numbered in the order in which they are submitted, and
 * sent at once while the server's window has room; otherwise submitting waits. A broken connection
 * is replaced, and requests that the server has not received are sent again in the same order; the
 * server keeps the replies that were lost.
 *
 * <p>Results are decoded and futures completed in separate threads, so that dependent actions may
 * block.
 *
 * <p>Thread rule: any thread.
 */
final class ServerLink implements FrameHandler {

  /**
   * The time limit for connecting to a server and for its welcome, unless the user's is shorter.
   */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private static final long FAREWELL_MILLIS = 5000;

  /** The time for which the network may still use the buffers of an abandoned request. */
  private static final long LET_GO_MILLIS = 2000;

  private final Address address;
  private final ClientOptions options;
  private final ServerHandshake handshake;
  private final BufferPool pool;
  private final RequestEncoder encoder;
  private final Executor completer;
  private final Scheduling scheduling;
  private final Completions completions;
  private final ReplyDelivery delivery;

  private final RequestWindow window = new RequestWindow();
  private Connection connection;
  private Welcome welcome;
  private final StatusQuestions questions;

  /** Whether any request so far had a deadline. */
  private boolean timed;

  private boolean closing;

  /** The connection over which a goodbye was sent, until it has closed. */
  private Connection leaving;

  private HyperslabException dead;

  /** The memory for replies that a closed connection may still be receiving. */
  private final List<Lease> abandoned = new ArrayList<>();

  ServerLink(
      Address address,
      ClientOptions options,
      WireClient wire,
      BufferPool pool,
      Executor completer,
      Scheduling scheduling,
      LateFailures late) {
    this.address = address;
    this.options = options;
    this.scheduling = scheduling;
    this.questions = new StatusQuestions(scheduling);
    this.handshake = new ServerHandshake(address, options, wire, scheduling);
    this.pool = pool;
    this.encoder = new RequestEncoder(pool);
    this.completer = completer;
    this.completions = new Completions(completer);
    this.delivery = new ReplyDelivery(completions, late);
    connect(0, 0, options.timeout().isZero() ? ANSWER : least(ANSWER, options.timeout()));
  }

  /** Connects, and sends the requests that the server has not received. */
  private void connect(long session, long acknowledged, Duration longest) {
    ServerHandshake.Welcomed made = handshake.connect(session, acknowledged, longest, this);
    synchronized (this) {
      welcome = made.welcome();
      window.granted(welcome);
      connection = made.connection();
      window.forEachBehind(welcome.received(), this::transmit);
      if (!connection.isOpen()) {
        connection = null;
        completer.execute(this::reconnect);
      }
      notifyAll();
    }
  }

  /** {@return the capabilities of the server's connector} */
  Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.noneOf(Capability.class);
    for (Capability capability : Capability.values()) {
      if (welcome.capabilities().contains(capability.name())) {
        all.add(capability);
      }
    }
    return all;
  }

  synchronized long windowBytes() {
    return welcome.windowBytes();
  }

  Address address() {
    return address;
  }

  /** {@return whether the session has ended, so that a new one is needed} */
  synchronized boolean isDead() {
    return dead != null;
  }

  /** {@return the mark of the server's folder} */
  synchronized String rootMark() {
    return welcome.rootMark();
  }

  /**
   * Sends an operation after waiting for room in the window.
   *
   * @param operation the operation
   * @param level when the future completes
   * @return a future that completes with the result or the failure
   */
  <R> CompletableFuture<R> submit(Operation<R> operation, Acknowledge level) {
    return submit(operation, level, null);
  }

  /**
   * Sends an operation after waiting for room in the window.
   *
   * @param operation the operation
   * @param level when the future completes
   * @param owner the future in which the caller sees a failure; null for the returned one
   * @return a future that completes with the result or the failure
   */
  <R> CompletableFuture<R> submit(
      Operation<R> operation, Acknowledge level, TrackedFuture<?> owner) {
    SentRequest<R> request;
    try {
      requireAlive();
      request = prepare(operation, level);
      request.owner = owner == null ? request.result : owner;
    } catch (HyperslabException wrong) {
      return CompletableFuture.failedFuture(wrong);
    } catch (IllegalStateException closedMeanwhile) {
      return CompletableFuture.failedFuture(
          new InvalidUseException("connector: actual=closed, expected=open", closedMeanwhile));
    } catch (ArithmeticException tooLarge) {
      return CompletableFuture.failedFuture(
          new InvalidUseException("transfer: actual=2^63 bytes or more, expected=fewer", tooLarge));
    }
    synchronized (this) {
      boolean room = awaitRoom(request);
      if (dead != null || !room) {
        RequestEncoder.release(request.copies);
        return CompletableFuture.failedFuture(dead != null ? dead : overdue(request));
      }
      window.enter(request);
      timed |= request.deadline != Long.MAX_VALUE;
      transmit(request);
    }
    return request.result;
  }

  private <R> SentRequest<R> prepare(Operation<R> operation, Acknowledge level) {
    RequestEncoder.Request request =
        encoder.encode(operation, welcome.controlBytes(), welcome.windowBytes());
    return new SentRequest<>(
        operation, request, level.number(), deadline(operation), this::abandon);
  }

  /** {@return the latest time for the reply, in terms of System.nanoTime} */
  private long deadline(Operation<?> operation) {
    Duration longest = options.timeout(operation);
    return longest.isZero() ? Long.MAX_VALUE : scheduling.nanoTime() + longest.toNanos();
  }

  /** Waits for room in the window; returns whether there is room before the deadline. */
  private boolean awaitRoom(SentRequest<?> request) {
    long bytes = request.bytes;
    if (window.isFull(bytes) && window.canAcknowledge()) {
      acknowledge();
    }
    long most =
        request.deadline == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : TimeUnit.NANOSECONDS.toMillis(request.deadline - scheduling.nanoTime()) + 1;
    scheduling.await(this, () -> dead == null && window.isFull(bytes), most);
    return !window.isFull(bytes);
  }

  private void transmit(SentRequest<?> request) {
    if (connection != null) {
      request.busy.incrementAndGet();
      connection.send(request.frame(window.acknowledge()), () -> unbusy(request));
    }
  }

  /**
   * Records that the network has stopped using the buffers of a request. Threads that wait for this
   * have marked the request as answered before.
   */
  private void unbusy(SentRequest<?> request) {
    if (request.busy.decrementAndGet() == 0 && request.answered) {
      synchronized (this) {
        if (request.finished) {
          RequestEncoder.release(request.copies);
        }
        notifyAll();
      }
    }
  }

  /** Releases the copies in a request that need not be sent again, unless they are in use. */
  private synchronized void finish(SentRequest<?> request) {
    request.answered = true;
    request.finished = true;
    if (!request.isBusy()) {
      RequestEncoder.release(request.copies);
    }
  }

  private synchronized void requireAlive() {
    if (dead != null) {
      throw dead;
    }
  }

  private void acknowledge() {
    if (connection != null) {
      connection.send(Frame.bare(FrameType.ACKNOWLEDGE, window.acknowledge()));
    }
  }

  /**
   * Abandons a request, and waits until the network does not use the caller's buffers any more. If
   * that takes long, the connection is closed and replaced without this request.
   */
  private void abandon(SentRequest<?> request) {
    synchronized (this) {
      request.answered = true;
      if (window.get(request.sequence) == null) {
        return;
      }
      if (connection != null) {
        connection.send(Frame.bare(FrameType.CANCEL, request.sequence));
      }
      request.dropBuffers();
      notifyAll();
      scheduling.await(this, request::isBusy, LET_GO_MILLIS);
      if (request.isBusy() && connection != null) {
        connection.close();
      }
      scheduling.await(this, request::isBusy, Long.MAX_VALUE);
    }
  }

  /** Fails the requests whose deadlines have passed. */
  void expire(long now) {
    completions.check();
    List<SentRequest<?>> late = new ArrayList<>();
    synchronized (this) {
      if (!timed) {
        return;
      }
      for (SentRequest<?> request : window.all()) {
        if (!request.answered && request.deadline != Long.MAX_VALUE && request.deadline < now) {
          late.add(request);
        }
      }
    }
    for (SentRequest<?> request : late) {
      completer.execute(() -> {
        abandon(request);
        request.result.completeExceptionally(overdue(request));
      });
    }
  }

  private RemoteException overdue(SentRequest<?> request) {
    return new RemoteException(
        "operation: actual=no reply in "
            + options.timeout(request.operation).toMillis()
            + " ms, expected=a reply, at="
            + address
            + "; whether it was carried out is unknown");
  }

  @Override
  public void opened(Connection from) {
    from.attach(this);
  }

  @Override
  public MemorySegment memory(Connection from, Frame head, long bytes) {
    synchronized (this) {
      SentRequest<?> request = window.get(head.id());
      if (request == null || head.type() != FrameType.REPLY) {
        throw new CorruptFileException(
            "wire", "session", -1, "payload actual=with " + head.type() + " " + head.id());
      }
      if (!request.answered) {
        Optional<MemorySegment> direct = OperationCodec.directTarget(request.operation, bytes);
        if (direct.isPresent() && SharedMemory.isShared(direct.get())) {
          if (!request.receivesInPlace) {
            request.receivesInPlace = true;
            request.busy.incrementAndGet();
          }
          return direct.get();
        }
      }
      if (request.reply != null && request.reply.segment().byteSize() != bytes) {
        request.reply.close(); // of a connection that has closed
        request.reply = null;
      }
      if (request.reply == null) {
        request.reply = pool.take(bytes);
      }
      return request.reply.segment();
    }
  }

  @Override
  public void frame(Connection from, Frame frame) {
    switch (frame.type()) {
      case WELCOME -> handshake.welcome(Welcome.decode(frame.control()));
      case REPLY, FAILURE -> reply(frame);
      case STATUS -> questions.answer(frame.id(), FrameText.decode(frame.control()));
      case GOODBYE -> {
        RemoteException reason =
            new RemoteException(
                "session: actual=ended by the server ("
                    + FrameText.decode(frame.control())
                    + "), expected=to continue, at="
                    + address);
        handshake.refused(reason);
        die(reason);
      }
      case PING -> from.send(Frame.bare(FrameType.PONG, frame.id()));
      case HELLO, REQUEST, ACKNOWLEDGE, CANCEL, PONG -> {
        // Servers do not send these.
      }
    }
  }

  /**
   * A request that a reply answers.
   *
   * @param request the request
   * @param before whether the caller was already answered
   */
  private record Answered(SentRequest<?> request, boolean before) {}

  private void reply(Frame frame) {
    boolean early = frame.type() == FrameType.REPLY && (frame.flags() & Acknowledge.EARLY) != 0;
    for (Answered each : answered(frame, early)) {
      SentRequest<?> request = each.request;
      if (early) {
        delivery.early(request, each.before);
      } else {
        finish(request);
        delivery.reply(request, frame, each.before);
      }
    }
  }

  /**
   * Returns the requests that a reply answers; unless it is early, removes them from the window.
   */
  private synchronized List<Answered> answered(Frame frame, boolean early) {
    long last = frame.lastAnswered();
    if (last > window.last()) {
      throw new CorruptFileException(
          "wire",
          "session",
          CorruptFileException.NO_OFFSET,
          "reply actual=to request " + last + ", expected=at most " + window.last());
    }
    long first = Math.max(frame.id(), window.arrivedBelow());
    List<Answered> all = new ArrayList<>();
    for (long number = first; number <= last; number++) {
      SentRequest<?> request = window.get(number);
      if (request != null) {
        all.add(new Answered(request, request.answered));
        request.answered = true;
        hasReceived(request);
        if (!early) {
          window.leave(request, frame.payloadBytes() + frame.control().length);
        }
      }
    }
    if (!early && !all.isEmpty()) {
      if (window.mustAcknowledge()) {
        acknowledge();
      }
      notifyAll();
    }
    return all;
  }

  private void hasReceived(SentRequest<?> request) {
    if (request.receivesInPlace) {
      request.receivesInPlace = false;
      unbusy(request);
    }
  }

  @Override
  public void closed(Connection from, Throwable reason) {
    handshake.closed(reason);
    synchronized (this) {
      releaseAbandoned();
      if (leaving == from) {
        leaving = null;
        notifyAll();
      }
      window.all().forEach(this::hasReceived);
      if (connection != from || closing || dead != null) {
        return;
      }
      connection = null;
    }
    completer.execute(this::reconnect);
  }

  private void reconnect() {
    long end = scheduling.nanoTime() + options.reconnect().toNanos();
    String last = "no attempt";
    ReconnectPauses pauses = new ReconnectPauses(scheduling.nanoTime());
    for (long left = end - scheduling.nanoTime(); left > 0; left = end - scheduling.nanoTime()) {
      long session;
      long acknowledged;
      synchronized (this) {
        if (closing || dead != null) {
          return;
        }
        session = welcome.session();
        acknowledged = window.arrivedBelow();
      }
      try {
        connect(session, acknowledged, least(ANSWER, Duration.ofNanos(left)));
        return;
      } catch (HyperslabException failed) {
        last = Transport.reason(failed.getCause() == null ? failed : failed.getCause());
      }
      pause(pauses.nextMillis(), end);
    }
    // Without a cause: many operations fail with this, whose traces may stand in one another's.
    die(
        new RemoteException(
            "server: actual=unreachable for "
                + options.reconnect().toSeconds()
                + " s ("
                + last
                + "), expected=reachable, at="
                + address
                + "; operations that it has not acknowledged may be lost"));
  }

  /** {@return the shorter duration, but at least a millisecond, because zero means no limit} */
  private static Duration least(Duration a, Duration b) {
    Duration shorter = a.compareTo(b) < 0 ? a : b;
    return shorter.toMillis() > 0 ? shorter : Duration.ofMillis(1);
  }

  /** Waits for some time, but not beyond the end of all attempts. */
  private synchronized void pause(long milliseconds, long end) {
    long left = TimeUnit.NANOSECONDS.toMillis(end - scheduling.nanoTime());
    scheduling.await(
        this, () -> !closing && dead == null, Math.max(1, Math.min(milliseconds, left)));
  }

  /** Ends the session: all requests without a reply fail with the reason. */
  private void die(HyperslabException reason) {
    List<SentRequest<?>> lost;
    Connection from;
    synchronized (this) {
      if (dead != null) {
        return;
      }
      dead = reason;
      List<SentRequest<?>> all = window.leaveAll();
      lost = all.stream().filter(request -> !request.answered).toList();
      all.forEach(this::abandonBuffers);
      from = connection;
      connection = null;
      notifyAll();
    }
    if (from != null) {
      from.close();
    } else {
      releaseAbandoned();
    }
    questions.fail(reason);
    for (SentRequest<?> request : lost) {
      delivery.lost(request, reason);
    }
  }

  /** Releases the memory of a request that gets no reply, after the connection has closed. */
  private void abandonBuffers(SentRequest<?> request) {
    finish(request);
    if (request.reply != null) {
      abandoned.add(request.reply);
    }
  }

  private synchronized void releaseAbandoned() {
    abandoned.forEach(Lease::close);
    abandoned.clear();
  }

  /** Requests the server's status page. */
  String status(boolean asJson) {
    try {
      return questions.ask(number -> sendQuestion(number, asJson), ANSWER);
    } catch (CompletionException e) {
      String why =
          e.getCause() instanceof HyperslabException known
              ? known.getMessage()
              : "actual=no answer in " + ANSWER.toSeconds() + " s, expected=one";
      throw new RemoteException("status: " + why + ", at=" + address, e);
    }
  }

  private synchronized void sendQuestion(long number, boolean asJson) {
    if (connection == null) {
      throw new RemoteException("server: actual=not connected, at=" + address);
    }
    connection.send(
        new Frame(
            FrameType.STATUS, asJson ? Hello.WANTS_JSON : 0, number, 0, new byte[0], List.of()));
  }

  /** Returns whether no request is waiting any more; a server may never answer abandoned ones. */
  private synchronized boolean awaitAnswers() {
    long most = options.timeout().isZero() ? Long.MAX_VALUE : options.timeout().toMillis();
    scheduling.await(this, () -> dead == null && window.isWaiting(), most);
    return dead != null || !window.isWaiting();
  }

  /**
   * Waits until all requests have been answered or abandoned, but at most for the client's time
   * limit, and ends the session.
   */
  void close() {
    if (!awaitAnswers()) {
      die(
          new RemoteException(
              "session: actual=closed, requests without a reply in "
                  + options.timeout().toMillis()
                  + " ms, expected=replies, at="
                  + address
                  + "; whether they were carried out is unknown"));
    }
    Connection from;
    synchronized (this) {
      closing = true;
      from = connection;
      leaving = from;
      connection = null;
      dead =
          dead == null ? new InvalidUseException("connector: actual=closed, expected=open") : dead;
      notifyAll();
    }
    if (from != null) {
      from.goodbye("client: closing");
      synchronized (this) {
        scheduling.await(this, () -> leaving != null, FAREWELL_MILLIS);
      }
    }
  }
}
