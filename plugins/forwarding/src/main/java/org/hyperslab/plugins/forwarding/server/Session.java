package org.hyperslab.plugins.forwarding.server;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.codec.DecodeLimits;
import org.hyperslab.plugins.codec.Encoded;
import org.hyperslab.plugins.codec.EncodingCache;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.journal.JournalingConnector;
import org.hyperslab.plugins.forwarding.memory.BufferPool;
import org.hyperslab.plugins.forwarding.memory.Numbered;
import org.hyperslab.plugins.forwarding.memory.SideBySide;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.Uninterrupted;

/**
 * One client's session. Its requests run one after the other in the order of their numbers, as far
 * as the connector completes them before it returns; replies are kept until the client has
 * acknowledged them, so that a connection that breaks loses none and repeats none.
 *
 * <p>A session outlives its connection. Memory: payload of requests up to the window, of replies up
 * to as much again; beyond the first it is the client that breaks the rules, beyond the second the
 * session waits for acknowledgements before it goes on.
 *
 * <p>Thread rule: any thread.
 */
final class Session {

  /** Requests without an acknowledged reply, at most. */
  static final int OUTSTANDING = 16_384;

  private static final int TURN = 64;

  /** Bytes of each message that are not counted, for there are not more than these many. */
  private static final int FREE_BYTES = 256;

  /** Files that a session may have open at once. */
  static final int MOST_FILES = 256;

  /** Bytes of messages of requests that wait, after which no further ones are read. */
  private static final long MESSAGES_BYTES = 4 << 20;

  /** Characters of a client's name that are kept. */
  private static final int LONGEST_NAME = 24;

  private final StageServer server;
  private final long id;
  private final int number;
  private final String client;
  private final long window;
  private final Connector view;

  /** The same for the connection's thread. */
  private final Connector promptView;

  private final SessionCounts counts = new SessionCounts();
  private final EncodingCache recurring = new EncodingCache();
  private final Map<Handle, String> files = new ConcurrentHashMap<>();

  private final Deque<Request> lane = new ArrayDeque<>();
  private final Numbered<Kept> kept = new Numbered<>();
  private Connection connection;
  private long awaySince = System.nanoTime();
  private boolean running;
  private boolean ended;
  private long received;

  /** The client has said that it has all replies below this number. */
  private long releasedBelow;

  private long windowHeld;

  /** Bytes of messages of requests without a reply, and whether the next ones wait for that. */
  private long messagesHeld;

  private boolean messagesHold;
  private long repliesHeld;
  private int underWay;

  /** Where the payload of requests lies, from its arrival until the reply; guarded by this. */
  private final SideBySide payloads;

  private SideBySide.Part receiving;

  /** An operation that has arrived; its buffer is null if it has no payload. */
  private record Request(Frame frame, SideBySide.Part buffer) {
    long bytes() {
      return buffer == null ? 0 : buffer.bytes().byteSize();
    }
  }

  /**
   * A reply that the client may not have yet, with the memory that it lies in: that is given back
   * when the client has said that it has the reply, and no connection still sends it. Whoever says
   * so without having read it would otherwise be sent what others put there meanwhile.
   */
  private static final class Kept {
    private final Frame frame;
    private final List<BufferPool.Buffer> buffers;
    private int writing;
    private boolean done;

    Kept(Frame frame, List<BufferPool.Buffer> buffers) {
      this.frame = frame;
      this.buffers = buffers;
    }

    /** Bytes of the message itself, as far as they are worth counting. */
    long messageBytes() {
      return Math.max(0, frame.control().length - FREE_BYTES);
    }
  }

  /** An operation as it was asked for, as it is carried out, and the memory for its results. */
  private record Decoded(
      Operation<?> asked, Operation<?> operation, List<BufferPool.Buffer> taken) {}

  Session(StageServer server, long id, int number, String client, long window) {
    this.server = server;
    this.id = id;
    this.number = number;
    this.client = shown(client);
    this.window = window;
    this.payloads = new SideBySide(server.pool(), window);
    this.view = server.compacting().as(number);
    this.promptView = server.compacting().runningAs(number);
  }

  /** A name as it may be printed: short, on one line, without what moves a cursor. */
  private static String shown(String name) {
    StringBuilder shown = new StringBuilder();
    name.codePoints()
        .limit(LONGEST_NAME)
        .map(each -> isPrintable(each) ? each : '?')
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
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

  SessionCounts counts() {
    return counts;
  }

  synchronized long received() {
    return received;
  }

  /**
   * Goes on over a connection: what the client has not acknowledged is sent again. From here on
   * nothing counts that still comes over the one before.
   *
   * @param welcome made here, so that it tells of every request that has been received
   */
  synchronized void attach(Connection to, Supplier<Frame> welcome, long acknowledged) {
    if (connection != null) {
      connection.close();
    }
    if (receiving != null) {
      // The connection before may be writing into it at this moment: nobody gets this memory again.
      windowHeld -= receiving.bytes().byteSize();
      payloads.lose(receiving);
      receiving = null;
    }
    connection = to;
    to.send(welcome.get());
    acknowledge(acknowledged);
    messagesHold = false;
    kept.values().forEach(reply -> send(to, reply));
  }

  private void send(Connection to, Kept reply) {
    synchronized (this) {
      reply.writing++;
    }
    to.send(reply.frame, () -> sent(reply));
  }

  private void sent(Kept reply) {
    boolean waiting;
    synchronized (this) {
      reply.writing--;
      releaseIfDone(reply);
      waiting = !lane.isEmpty();
    }
    if (waiting) {
      schedule();
    }
  }

  /** Gives a reply's memory back when nobody needs it any more. */
  private void releaseIfDone(Kept reply) {
    if (reply.done && reply.writing == 0) {
      release(reply.buffers);
      repliesHeld -= reply.messageBytes();
    }
  }

  private void done(Kept reply) {
    reply.done = true;
    releaseIfDone(reply);
  }

  /** The connection is gone; returns whether it was this session's. */
  synchronized boolean detach(Connection from) {
    if (connection != from) {
      return false;
    }
    connection = null;
    awaySince = System.nanoTime();
    if (receiving != null) {
      windowHeld -= receiving.bytes().byteSize();
      payloads.give(receiving);
      receiving = null;
    }
    return true;
  }

  /** How long the client has been gone, in milliseconds; 0 if it is here. */
  synchronized long awayMillis() {
    return connection != null ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - awaySince);
  }

  synchronized boolean isAttached() {
    return connection != null;
  }

  /** Memory for the payload of a request. */
  synchronized MemorySegment memory(Connection from, long bytes) {
    checkCurrent(from);
    if (bytes > window - windowHeld) {
      throw protocol(
          "payload without reply actual=" + windowHeld + "+" + bytes + ", expected<=" + window);
    }
    windowHeld += bytes;
    receiving = payloads.take(bytes);
    return receiving.bytes();
  }

  private void checkCurrent(Connection from) {
    if (connection != from) {
      throw protocol("message actual=over a connection that another has replaced");
    }
  }

  /** A request has arrived. */
  void receive(Connection from, Frame frame) {
    boolean prompt;
    synchronized (this) {
      checkCurrent(from);
      if (frame.id() != received + 1) {
        throw protocol(
            "number of a request actual="
                + frame.id()
                + (frame.id() <= received ? " again" : "")
                + ", expected="
                + (received + 1));
      }
      releaseBelow(frame.acknowledged());
      if (lane.size() + kept.size() + underWay >= OUTSTANDING) {
        throw protocol("requests without acknowledged reply actual=more than " + OUTSTANDING);
      }
      received = frame.id();
      messagesHeld += frame.control().length;
      holdMessages(from);
      prompt = isIdle() && !running && repliesHeld < window && server.mayBePrompt(this, frame);
      running |= prompt;
      lane.add(new Request(frame, receiving));
      receiving = null;
    }
    counts.requests.increment();
    counts.bytesIn.add(frame.payloadBytes());
    if (refusesWhenEnding(frame)) {
      return;
    }
    if (Acknowledge.of(frame.flags()) == Acknowledge.RECEIVED) {
      send(new Frame(FrameType.REPLY, Acknowledge.EARLY, frame.id(), 0, new byte[0], List.of()));
    }
    if (prompt) {
      from.occupy(this::runPromptly);
    } else {
      schedule();
    }
  }

  /** What comes after the end has begun is told so; files that were open are being closed. */
  private boolean refusesWhenEnding(Frame frame) {
    Request late = null;
    synchronized (this) {
      if (ended && !lane.isEmpty() && lane.getLast().frame == frame) {
        late = lane.removeLast();
        underWay++;
      }
    }
    if (late != null) {
      fail(
          late,
          new RemoteException(
              "server: actual=closing, expected=running; the operation was not carried out, those"
                  + " before it were"));
    }
    return late != null;
  }

  /**
   * Reads no further where messages without a reply are many; but on where replies have to be
   * acknowledged first, which the client says further behind.
   */
  private void holdMessages(Connection from) {
    if (messagesHeld <= MESSAGES_BYTES) {
      return;
    }
    if (repliesHeld < window) {
      messagesHold = true;
      from.hold();
    } else if (messagesHeld > 2 * MESSAGES_BYTES + StageServer.CONTROL_BYTES) {
      throw protocol(
          "messages behind replies that are not acknowledged actual="
              + messagesHeld
              + " bytes, expected=fewer");
    }
  }

  private void letMessagesIn() {
    if (messagesHold && (messagesHeld <= MESSAGES_BYTES / 2 || repliesHeld >= window)) {
      messagesHold = false;
      if (connection != null) {
        connection.resume();
      }
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

  /** The client has all replies below a number. */
  void acknowledge(long below) {
    boolean waiting;
    synchronized (this) {
      releaseBelow(below);
      waiting = !lane.isEmpty();
    }
    if (waiting) {
      schedule();
    }
  }

  private void releaseBelow(long below) {
    if (below <= releasedBelow) {
      return; // said before, as most requests do
    }
    while (!kept.isEmpty() && kept.first() < below) {
      done(kept.remove(kept.first()));
    }
    releasedBelow = below;
  }

  private void release(List<BufferPool.Buffer> buffers) {
    for (BufferPool.Buffer buffer : buffers) {
      repliesHeld -= buffer.bytes().byteSize();
      server.pool().give(buffer);
    }
  }

  /** Gives up a request that has not begun. */
  void cancel(long request) {
    Request found = null;
    synchronized (this) {
      for (Request waiting : lane) {
        if (waiting.frame.id() == request) {
          found = waiting;
        }
      }
      lane.remove(found);
      underWay += found == null ? 0 : 1;
    }
    if (found != null) {
      fail(found, new RemoteException("operation: actual=cancelled, expected=carried out"));
    }
  }

  private void schedule() {
    synchronized (this) {
      if (running || lane.isEmpty()) {
        return;
      }
      running = true;
    }
    server.workers().execute(this::run);
  }

  /** Carries out what waits, a number of requests at a time so that others get their turn. */
  private void run() {
    for (int i = 0; i < TURN; i++) {
      Request next;
      synchronized (this) {
        boolean stalled = repliesHeld >= window && !ended;
        letMessagesIn();
        next = stalled ? null : lane.poll();
        if (next == null) {
          running = false;
          notifyAll();
          return;
        }
        underWay++;
      }
      execute(next);
    }
    server.workers().execute(this::run);
  }

  /** Carries out what has just come, if it is a write, here in the connection's thread. */
  private void runPromptly() {
    Request next;
    synchronized (this) {
      next = lane.poll();
      underWay++;
    }
    Decoded decoded = decode(next);
    if (decoded != null && !(decoded.operation instanceof DatasetOperation.Write)) {
      server
          .workers()
          .execute(() -> {
            carryOut(next, decoded, view);
            run();
          });
      return;
    }
    if (decoded != null) {
      carryOut(next, decoded, promptView);
    }
    synchronized (this) {
      running = false;
      notifyAll();
    }
    schedule();
  }

  private void execute(Request request) {
    Decoded decoded = decode(request);
    if (decoded != null) {
      carryOut(request, decoded, view);
    }
  }

  /** What is asked for; null if that is nothing to be done, and has been answered. */
  private Decoded decode(Request request) {
    List<BufferPool.Buffer> taken = new ArrayList<>();
    try {
      DecodeLimits limits =
          new DecodeLimits(Integer.MAX_VALUE, Long.MAX_VALUE, window, bytes -> take(bytes, taken));
      Encoded encoded = new Encoded(request.frame.control(), request.frame.payload());
      Operation<?> asked = OperationCodec.decode(encoded, limits, this::handle, recurring);
      checkHandles(asked);
      return new Decoded(asked, server.names().confined(asked), taken);
    } catch (CorruptFileException malformed) {
      giveBack(taken);
      fail(request, malformed);
      server.expel(this, malformed.getMessage());
      return null;
    } catch (RuntimeException | Error refused) {
      giveBack(taken);
      fail(request, refused);
      return null;
    }
  }

  private void checkHandles(Operation<?> asked) {
    if ((asked instanceof FileOperation.Open || asked instanceof FileOperation.Create)
        && files.size() >= MOST_FILES) {
      throw new InvalidUseException(
          "open files: actual="
              + files.size()
              + ", expected=at most "
              + MOST_FILES
              + " of a session; close some first");
    }
  }

  private void carryOut(Request request, Decoded decoded, Connector by) {
    submit(decoded.operation, request.frame, by)
        .whenComplete((result, failure) -> {
          if (failure != null) {
            giveBack(decoded.taken);
            fail(request, Connectors.causeOf(failure));
          } else {
            succeed(request, decoded.asked, result, decoded.taken);
          }
        });
  }

  /** A stage in any case: whatever a connector throws, the request gets its reply. */
  private CompletionStage<?> submit(Operation<?> operation, Frame frame, Connector by) {
    boolean durable = Acknowledge.of(frame.flags()) == Acknowledge.DURABLE;
    Encoded message = new Encoded(frame.control(), frame.payload());
    try {
      if (operation instanceof FileOperation.Exists exists) {
        return exists(exists, by);
      }
      return server
          .journals()
          .submit(operation, new JournalingConnector.Request(by, number, message, durable));
    } catch (RuntimeException | Error failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  /** Looks by opening, which, unlike the question, can be confined to the server's folder. */
  private CompletionStage<Boolean> exists(FileOperation.Exists asked, Connector by) {
    Handle handle = Handle.fresh();
    FileOperation.Open open =
        server.names().opening(new FileOperation.Open(handle, asked.name(), OpenOptions.READ));
    return by.submit(open)
        .thenCompose(opened -> by.submit(new FileOperation.Close(handle)))
        .handle((closed, failure) -> failure == null);
  }

  private MemorySegment take(long bytes, List<BufferPool.Buffer> taken) {
    BufferPool.Buffer buffer = server.pool().take(bytes);
    synchronized (this) {
      repliesHeld += bytes;
    }
    taken.add(buffer);
    return buffer.bytes();
  }

  private synchronized void giveBack(List<BufferPool.Buffer> taken) {
    release(taken);
    taken.clear();
  }

  private long handle(long clients) {
    return JournalingConnector.handle(number, clients);
  }

  /** Keeps books of open files, and shows files by the client's names. */
  private Object told(Operation<?> operation, Object result) {
    switch (operation) {
      case FileOperation.Open o -> files.put(o.file(), o.name());
      case FileOperation.Create o -> files.put(o.file(), o.name());
      case FileOperation.Close o -> files.remove(o.file());
      default -> {}
    }
    return result instanceof FileInfo info
        ? Names.told(info, files.getOrDefault(operation.subject(), ""))
        : result;
  }

  private void succeed(
      Request request, Operation<?> operation, Object result, List<BufferPool.Buffer> taken) {
    Encoded encoded;
    try {
      encoded = OperationCodec.encodeResult(operation, told(operation, result));
    } catch (RuntimeException | Error unsayable) {
      giveBack(taken);
      fail(request, unsayable);
      return;
    }
    if (encoded.control().length > StageServer.CONTROL_BYTES) {
      giveBack(taken);
      fail(
          request,
          new UnsupportedFeatureException(
              "reply: actual="
                  + encoded.control().length
                  + " bytes beside the elements, expected="
                  + "at most "
                  + StageServer.CONTROL_BYTES
                  + "; ask for it in parts"));
      return;
    }
    Frame reply =
        new Frame(FrameType.REPLY, 0, request.frame.id(), 0, encoded.control(), encoded.payload());
    counts.bytesOut.add(reply.payloadBytes());
    finish(request, reply, taken);
  }

  private void fail(Request request, Throwable failure) {
    counts.failures.increment();
    byte[] error = OperationCodec.encodeError(failure, server.names()::told);
    finish(request, Frame.of(FrameType.FAILURE, request.frame.id(), error), List.of());
  }

  private void finish(Request request, Frame reply, List<BufferPool.Buffer> taken) {
    counts.replies.increment();
    Connection to;
    Kept answer;
    synchronized (this) {
      windowHeld -= request.bytes();
      if (request.buffer != null) {
        payloads.give(request.buffer);
      }
      underWay--;
      to = connection;
      messagesHeld -= request.frame.control().length;
      letMessagesIn();
      answer = new Kept(reply, List.copyOf(taken));
      repliesHeld += answer.messageBytes();
      answer.writing = to == null ? 0 : 1;
      if (ended) {
        done(answer);
      } else {
        kept.put(reply.id(), answer);
      }
      notifyAll();
    }
    if (to != null) {
      to.send(reply, () -> sent(answer));
    }
  }

  /** Whether nothing waits or runs. */
  synchronized boolean isIdle() {
    return lane.isEmpty() && underWay == 0;
  }

  /** Lets what has arrived be carried out, then closes the files. Blocks. */
  void end(String why) {
    Connection to;
    synchronized (this) {
      ended = true;
      to = connection;
    }
    schedule();
    synchronized (this) {
      Uninterrupted.await(this, () -> !lane.isEmpty() || underWay > 0);
      kept.values().forEach(this::done);
      kept.clear();
      payloads.close();
    }
    try {
      files.keySet().forEach(this::closeFile);
      files.clear();
    } finally {
      if (to != null && why != null) {
        to.goodbye(why);
      }
    }
  }

  private void closeFile(Handle file) {
    Frame none = Frame.bare(FrameType.REQUEST, 0);
    submit(new FileOperation.Close(file), none, view)
        .toCompletableFuture()
        .exceptionally(failure -> null)
        .join();
  }

  /** Says goodbye, if a connection stands. */
  void goodbye(String why) {
    Connection to;
    synchronized (this) {
      to = connection;
    }
    if (to != null) {
      to.goodbye(why);
    }
  }

  /** A line of the status page. */
  synchronized String status() {
    return String.format(
        "%-24s %8d %8d %10d %10d %8d %10d %10d %14d %14d %6.0f%% %5d%s",
        client,
        lane.size(),
        underWay,
        counts.requests.sum(),
        counts.replies.sum(),
        counts.failures.sum(),
        counts.merged.sum(),
        counts.stolen.sum(),
        counts.bytesIn.sum(),
        counts.bytesOut.sum(),
        100.0 * windowHeld / window,
        files.size(),
        connection == null ? " (away)" : "");
  }

  /** The heading of those lines. */
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
