package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.model.RawChunk;
import org.hyperslab.plugins.codec.Encoded;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.memory.BufferPool;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Address;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameHandler;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.plugins.forwarding.wire.Hello;
import org.hyperslab.plugins.forwarding.wire.Texts;
import org.hyperslab.plugins.forwarding.wire.Welcome;
import org.hyperslab.plugins.forwarding.wire.WireClient;
import org.hyperslab.plugins.forwarding.wire.WireLimits;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.Uninterrupted;
import org.hyperslab.vol.passthrough.TrackedFuture;

/**
 * The session with one server. Requests are numbered in the order in which they are submitted and
 * sent at once, as long as the server's window holds them; then submitting waits. A connection that
 * breaks is made anew, and what the server does not have is sent again in the same order; the
 * server keeps the replies that were lost on the way.
 *
 * <p>Results are decoded and futures completed in threads of their own, so that what depends on
 * them may block.
 *
 * <p>Thread rule: any thread.
 */
final class ServerLink implements FrameHandler {

  private static final long RETRY_MILLIS = 50;

  /** How long a server may take to answer, and to welcome, each. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private static final long FAREWELL_MILLIS = 5000;

  /** How long the network may go on with the buffers of a request that was given up. */
  private static final long LET_GO_MILLIS = 2000;

  private final Address address;
  private final ClientOptions options;
  private final WireClient wire;
  private final BufferPool pool;
  private final RequestEncoder encoder;
  private final Executor completer;
  private final Completions completions;
  private final LateFailures late;

  private final RequestWindow window = new RequestWindow();
  private Connection connection;
  private Welcome welcome;
  private CompletableFuture<Welcome> welcoming = new CompletableFuture<>();
  private CompletableFuture<String> status = new CompletableFuture<>();

  /** Whether any request so far had a deadline. */
  private boolean timed;

  private boolean closing;

  /** The connection over which goodbye was said, until it has closed. */
  private Connection leaving;

  private HyperslabException dead;

  ServerLink(
      Address address,
      ClientOptions options,
      WireClient wire,
      BufferPool pool,
      Executor completer,
      LateFailures late) {
    this.address = address;
    this.options = options;
    this.wire = wire;
    this.pool = pool;
    this.encoder = new RequestEncoder(pool);
    this.completer = completer;
    this.completions = new Completions(completer);
    this.late = late;
    connect(0, 0, ANSWER);
  }

  private int helloFlags() {
    return Hello.TAKES_RUNS | (options.observes() ? Hello.OBSERVES : 0);
  }

  /** Connects and says hello; returns when the server has welcomed, each in so much time. */
  private void connect(long session, long acknowledged, Duration longest) {
    CompletableFuture<Welcome> answer = new CompletableFuture<>();
    synchronized (this) {
      welcoming = answer;
    }
    Connection made = wire.connect(address, options.security(), WireLimits.DEFAULT, longest, this);
    Hello hello = new Hello(options.name(), session, options.token(), options.windowBytes());
    made.send(new Frame(FrameType.HELLO, helloFlags(), 0, acknowledged, hello.encode(), List.of()));
    Welcome granted;
    try {
      granted = answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      made.close();
      throw e.getCause() instanceof HyperslabException typed
          ? typed
          : new RemoteException("server: " + e.getCause() + ", at=" + address, e.getCause());
    } catch (TimeoutException e) {
      made.close();
      throw new RemoteException(
          "server: actual=no welcome in " + longest.toMillis() + " ms, at=" + address, e);
    } catch (InterruptedException e) {
      made.close();
      Thread.currentThread().interrupt();
      throw new RemoteException("server: actual=interrupted, at=" + address, e);
    }
    synchronized (this) {
      welcome = granted;
      window.granted(granted);
      connection = made;
      window.forEachBehind(granted.received(), this::transmit);
      if (!made.isOpen()) {
        connection = null;
        completer.execute(this::reconnect);
      }
      notifyAll();
    }
  }

  /** What the server's connector can do. */
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

  /** Whether the session is over, so that only a new one could go on. */
  synchronized boolean isDead() {
    return dead != null;
  }

  /** The mark of the server's folder. */
  synchronized String rootMark() {
    return welcome.rootMark();
  }

  /** Sends an operation; waits for room in the window first. */
  <R> CompletableFuture<R> submit(Operation<R> operation, Acknowledge level) {
    return submit(operation, level, null);
  }

  /**
   * As the other.
   *
   * @param owner where the caller sees a failure, if not in what this returns
   */
  <R> CompletableFuture<R> submit(
      Operation<R> operation, Acknowledge level, TrackedFuture<?> owner) {
    Pending<R> request;
    try {
      request = prepare(operation, level);
      request.owner = owner == null ? request.result : owner;
    } catch (HyperslabException wrong) {
      return CompletableFuture.failedFuture(wrong);
    } catch (ArithmeticException tooLarge) {
      return CompletableFuture.failedFuture(
          new InvalidUseException("transfer: actual=more than 2^63 bytes", tooLarge));
    }
    synchronized (this) {
      boolean room = awaitRoom(request);
      if (dead != null || !room) {
        encoder.release(request.copies);
        return CompletableFuture.failedFuture(dead != null ? dead : overdue(request));
      }
      window.enter(request);
      timed |= request.deadline != Long.MAX_VALUE;
      transmit(request);
    }
    return request.result;
  }

  private <R> Pending<R> prepare(Operation<R> operation, Acknowledge level) {
    RequestEncoder.Request request = encoder.encode(operation, welcome.controlBytes());
    return new Pending<>(operation, request, level.ordinal(), deadline(operation), this::abandon);
  }

  /** Until when it may take, in the sense of System.nanoTime. */
  private long deadline(Operation<?> operation) {
    Duration longest = options.timeout(operation);
    return longest.isZero() ? Long.MAX_VALUE : System.nanoTime() + longest.toNanos();
  }

  /** Whether there is room before its time is over. */
  private boolean awaitRoom(Pending<?> request) {
    long bytes = request.bytes;
    if (window.isFull(bytes) && window.hasUntold()) {
      acknowledge();
    }
    long most =
        request.deadline == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : TimeUnit.NANOSECONDS.toMillis(request.deadline - System.nanoTime()) + 1;
    Uninterrupted.await(this, () -> dead == null && window.isFull(bytes), most);
    return !window.isFull(bytes);
  }

  private void transmit(Pending<?> request) {
    if (connection != null) {
      request.busy.incrementAndGet();
      connection.send(request.frame(window.tell()), () -> unbusy(request));
    }
  }

  /** Whoever waits for it has said that the caller has its answer before. */
  private void unbusy(Pending<?> request) {
    if (request.busy.decrementAndGet() == 0 && request.answered) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  private void acknowledge() {
    if (connection != null) {
      connection.send(Frame.bare(FrameType.ACKNOWLEDGE, window.tell()));
    }
  }

  /**
   * Gives a request up, and waits until the network has let go of the caller's buffers. If that
   * takes long, the connection is broken, and made anew without this request.
   */
  private void abandon(Pending<?> request) {
    synchronized (this) {
      request.answered = true;
      if (window.get(request.sequence) == null) {
        return;
      }
      if (connection != null) {
        connection.send(Frame.bare(FrameType.CANCEL, request.sequence));
      }
      request.letGo();
      Uninterrupted.await(this, request::isBusy, LET_GO_MILLIS);
      if (request.isBusy() && connection != null) {
        connection.close();
      }
      Uninterrupted.await(this, request::isBusy);
    }
  }

  /** Fails what has taken longer than it may. */
  void expire(long now) {
    completions.check();
    List<Pending<?>> late = new ArrayList<>();
    synchronized (this) {
      if (!timed) {
        return;
      }
      for (Pending<?> request : window.all()) {
        if (!request.answered && request.deadline != Long.MAX_VALUE && request.deadline < now) {
          late.add(request);
        }
      }
    }
    for (Pending<?> request : late) {
      completer.execute(() -> {
        abandon(request);
        request.result.completeExceptionally(overdue(request));
      });
    }
  }

  private RemoteException overdue(Pending<?> request) {
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
      Pending<?> request = window.get(head.id());
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
      if (request.reply == null) {
        request.reply = pool.take(bytes);
      }
      return request.reply.bytes().asSlice(0, bytes);
    }
  }

  @Override
  public void frame(Connection from, Frame frame) {
    switch (frame.type()) {
      case WELCOME -> welcoming.complete(Welcome.decode(frame.control()));
      case REPLY, FAILURE -> reply(frame);
      case STATUS -> status.complete(Texts.decode(frame.control()));
      case GOODBYE -> {
        RemoteException reason =
            new RemoteException(
                "session: actual=ended by the server ("
                    + Texts.decode(frame.control())
                    + "), expected=to go on, at="
                    + address);
        welcoming.completeExceptionally(reason);
        die(reason);
      }
      case PING -> from.send(Frame.bare(FrameType.PONG, frame.id()));
      case HELLO, REQUEST, ACKNOWLEDGE, CANCEL, PONG -> {
        // Nothing that a server of a known version sends.
      }
    }
  }

  /**
   * A request that a reply answers.
   *
   * @param before whether the caller had its answer before
   */
  private record Answered(Pending<?> request, boolean before) {}

  private void reply(Frame frame) {
    boolean early = frame.type() == FrameType.REPLY && (frame.flags() & Acknowledge.EARLY) != 0;
    for (Answered each : answered(frame, early)) {
      Pending<?> request = each.request;
      if (early) {
        if (!each.before) {
          completions.add(request.result, () -> request.result.complete(null));
        }
        continue;
      }
      encoder.release(request.copies);
      if (frame.type() == FrameType.FAILURE) {
        fail(request, OperationCodec.decodeError(frame.control()), each.before);
      } else {
        completions.add(request.result, () -> complete(request, frame, each.before));
      }
    }
  }

  /** The requests that a reply answers; unless it is early, they leave the window. */
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
      Pending<?> request = window.get(number);
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
      if (window.mustTell()) {
        acknowledge();
      }
      notifyAll();
    }
    return all;
  }

  private void hasReceived(Pending<?> request) {
    if (request.receivesInPlace) {
      request.receivesInPlace = false;
      unbusy(request);
    }
  }

  /**
   * Remembers the failure here and now, before a flush behind it can ask. Whoever had an answer
   * before has had it: that answer may still be on its way to the future, which must not be told
   * otherwise before.
   */
  private void fail(Pending<?> request, HyperslabException failure, boolean answered) {
    if (!request.givenUp) {
      late.failed(request.operation, failure, answered ? null : request.owner);
    }
    BufferPool.Buffer reply = request.reply;
    completions.add(
        request.result,
        () -> {
          if (!answered) {
            request.result.completeExceptionally(failure);
          }
          if (reply != null) {
            pool.give(reply);
          }
        });
  }

  private <R> void complete(Pending<R> request, Frame frame, boolean answered) {
    try {
      if (answered) {
        return;
      }
      Encoded encoded = new Encoded(frame.control(), frame.payload());
      R value = OperationCodec.decodeResult(request.operation, encoded);
      Optional<HyperslabException> unseen = late.takeFor(request.operation);
      if (unseen.isPresent()) {
        request.result.completeExceptionally(unseen.get());
      } else {
        request.result.complete(detached(value));
      }
    } catch (RuntimeException e) {
      request.result.completeExceptionally(e);
    } finally {
      if (request.reply != null) {
        pool.give(request.reply);
      }
    }
  }

  /** A chunk's bytes lie in memory that will be used again: the caller gets a copy. */
  @SuppressWarnings("unchecked") // the same type comes back
  private static <R> R detached(R value) {
    if (value instanceof RawChunk chunk) {
      byte[] bytes = chunk.bytes().toArray(ValueLayout.JAVA_BYTE);
      return (R) new RawChunk(MemorySegment.ofArray(bytes), chunk.filterMask());
    }
    return value;
  }

  @Override
  public void closed(Connection from, Throwable reason) {
    welcoming.completeExceptionally(unwelcome(reason));
    synchronized (this) {
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

  /** Why there was no welcome, as far as it is known. */
  private RemoteException unwelcome(Throwable reason) {
    for (Throwable cause = reason; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return new RemoteException(
            "TLS: actual="
                + cause.getMessage()
                + ", expected=a server and a client that trust each other's certificates, at="
                + address
                + "; look at certificate, key and trust on both sides, and whether both have them",
            reason);
      }
    }
    return new RemoteException(
        "server: actual=connection closed before it welcomed, expected=a welcome, at="
            + address
            + (options.security().isEmpty()
                ? "; a server with keys (TLS) does so to clients without: give certificate, key and"
                    + " trust"
                : "; a server that does not trust this client's certificate, or has no keys, does"
                    + " so"),
        reason);
  }

  private void reconnect() {
    long end = System.nanoTime() + options.reconnect().toNanos();
    HyperslabException last = null;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
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
        last = failed;
      }
      pause();
    }
    die(
        new RemoteException(
            "server: actual=gone for "
                + options.reconnect().toSeconds()
                + " s, expected=back, at="
                + address
                + "; what it has not acknowledged may be lost",
            last));
  }

  /** The shorter one; a millisecond at least, for no time is any time to some. */
  private static Duration least(Duration a, Duration b) {
    Duration shorter = a.compareTo(b) < 0 ? a : b;
    return shorter.toMillis() > 0 ? shorter : Duration.ofMillis(1);
  }

  private synchronized void pause() {
    Uninterrupted.await(this, () -> !closing && dead == null, RETRY_MILLIS);
  }

  /** Nothing more will come: all that waits fails with the reason. */
  private void die(HyperslabException reason) {
    List<Pending<?>> lost;
    Connection from;
    synchronized (this) {
      if (dead != null) {
        return;
      }
      dead = reason;
      lost = new ArrayList<>(window.leaveAll());
      lost.removeIf(request -> request.answered);
      from = connection;
      connection = null;
      notifyAll();
    }
    if (from != null) {
      from.close();
    }
    status.completeExceptionally(reason);
    for (Pending<?> request : lost) {
      completions.add(request.result, () -> request.result.completeExceptionally(reason));
    }
  }

  /** The server's status page. */
  String status() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    synchronized (this) {
      status = answer;
      if (connection == null) {
        throw new RemoteException("server: actual=not connected, at=" + address);
      }
      connection.send(Frame.bare(FrameType.STATUS, 0));
    }
    try {
      return answer.orTimeout(10, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw new RemoteException("status: " + e.getCause() + ", at=" + address, e);
    }
  }

  /** Waits until everything has its reply, and leaves. */
  void close() {
    Connection from;
    synchronized (this) {
      Uninterrupted.await(this, () -> !window.isEmpty() && dead == null);
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
        Uninterrupted.await(this, () -> leaving != null, FAREWELL_MILLIS);
      }
    }
  }
}
