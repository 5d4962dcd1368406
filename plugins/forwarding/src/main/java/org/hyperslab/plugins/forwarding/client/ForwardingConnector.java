package org.hyperslab.plugins.forwarding.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.plugins.forwarding.wire.WireClient;
import org.hyperslab.plugins.forwarding.wire.WireNetwork;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.MultiTransfers;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;
import org.hyperslab.vol.base.Scheduling;

/**
 * Sends every operation to a staging server without waiting for its reply. The caller chooses the
 * handles, so operations on an object can be submitted before the object has been created; the
 * server carries operations out in the order of submission.
 *
 * <p>A name is a path below the server's folder, or {@code //host:port/path} to name the server
 * too. If several servers are configured, one of them is the home of a file, determined by the
 * file's name; raw data of contiguous datasets is divided among all of them ({@link StripedFile}).
 *
 * <p>An edit completes when the server has carried it out. If the configuration or the transfer
 * property {@value #ACKNOWLEDGE} is {@code received} or {@code durable}, it completes when the edit
 * is in the server's memory or in its journal. An operation without a reply within the time limit
 * (the option {@code timeout}, in seconds, or the transfer property {@code timeoutMillis}) fails,
 * and is cancelled at the server if it has not started; the same applies to an operation whose
 * future is cancelled.
 *
 * <p>Submitting waits while the server's window is full, which bounds the operations under way.
 *
 * <p>Thread rule: any thread.
 */
public final class ForwardingConnector implements Connector {

  /** The name of the connector in configurations. */
  public static final String NAME = "forwarding";

  /** The transfer property that determines when a write completes. */
  public static final String ACKNOWLEDGE = "acknowledge";

  /**
   * The largest number of parts that are sent in one message; more parts would make a message too
   * long even without elements.
   */
  private static final int MAX_PARTS = 4096;

  private static final long POOL_BYTES = 256L << 20;

  private final ClientOptions options;
  private final Scheduling scheduling;
  private final WireClient wire;
  private final BufferPool pool = new BufferPool(POOL_BYTES);

  /** Whether the current thread completes futures of this connector, and runs their callbacks. */
  private final ThreadLocal<Boolean> completing = ThreadLocal.withInitial(() -> false);

  private final ExecutorService completer;

  private final ScheduledExecutorService clock;
  private final LateFailures handles = new LateFailures();
  private final ServerLinks links = new ServerLinks(this::connect);
  private final Map<Handle, ServerLink> homes = new ConcurrentHashMap<>();
  private final Map<Handle, StripedFile> spread = new ConcurrentHashMap<>();
  private final OutOfLineReads outOfLineReads = new OutOfLineReads();
  private volatile boolean closed;

  ForwardingConnector(ClientOptions options) {
    this(options, Scheduling.ofJvm(), WireNetwork.ofSystem());
  }

  /** Creates a connector with given threads and a given network. */
  ForwardingConnector(ClientOptions options, Scheduling scheduling, WireNetwork network) {
    this.options = options;
    this.scheduling = scheduling;
    this.wire = new WireClient(network, 1);
    this.completer = scheduling.unbounded();
    this.clock = scheduling.clock("hyperslab-forwarding-clock");
    clock.scheduleAtFixedRate(
        () -> links.all().forEach(link -> link.expire(scheduling.nanoTime())),
        100,
        100,
        TimeUnit.MILLISECONDS);
  }

  /**
   * Connects a server to another server.
   *
   * @param server the address of the other server
   * @param name the name that the other server shows in its status
   * @param token the secret that servers require, if any
   * @param security the keys, if any
   * @return the connector
   */
  public static ForwardingConnector peer(
      Address server, String name, Optional<String> token, Optional<Security> security) {
    return new ForwardingConnector(ClientOptions.peer(server, name, token, security));
  }

  /** {@return the mark of the server's folder; servers with equal marks share the folder} */
  public String rootMark() {
    return links.with(options.servers().getFirst()).rootMark();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.of(Capability.ASYNCHRONOUS);
    if (options.servers().isEmpty() && links.all().isEmpty()) {
      all.addAll(EnumSet.complementOf(EnumSet.of(Capability.COLLECTIVE, Capability.SWMR)));
    } else {
      all.addAll(anyLink().capabilities());
    }
    return all;
  }

  private ServerLink anyLink() {
    return links.all().stream()
        .findFirst()
        .orElseGet(() -> links.with(options.servers().getFirst()));
  }

  /**
   * Asks the configured servers for their status.
   *
   * @return the status pages
   * @throws org.hyperslab.error.RemoteException if one does not answer
   */
  public String status() {
    return status(false);
  }

  /**
   * Asks the configured servers for their status.
   *
   * @return a JSON object for each, on a line of its own
   * @throws org.hyperslab.error.RemoteException if one does not answer
   */
  public String statusJson() {
    return status(true);
  }

  private String status(boolean asJson) {
    StringBuilder pages = new StringBuilder();
    options.servers().forEach(server -> pages.append(links.with(server).status(asJson)));
    return pages.toString();
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    if (closed) {
      return CompletableFuture.failedFuture(
          new InvalidUseException("connector: actual=closed, expected=open, at=forwarding"));
    }
    try {
      return outOfLineReads.count(operation, () -> route(operation));
    } catch (HyperslabException wrong) {
      return CompletableFuture.failedFuture(wrong);
    } catch (ArithmeticException tooLarge) {
      return CompletableFuture.failedFuture(
          new InvalidUseException("transfer: actual=2^63 bytes or more, expected=fewer", tooLarge));
    }
  }

  private <R> CompletionStage<R> route(Operation<R> operation) {
    if (operation instanceof DatasetOperation.SetAccess access) {
      throw access.elsewhere(); // a journal would not repeat it before the writes that depend on it
    }
    ServerLink link = home(operation);
    if (operation instanceof DatasetOperation.Multi multi && !isOneMessage(link, multi)) {
      return cast(MultiTransfers.checked(multi, this::submit, this::submit));
    }
    handles.submitted(operation);
    operation.opens().ifPresent(opened -> homes.put(opened, link));
    Operation<R> named = withoutServer(operation);
    Optional<BouncedRead<R>> shadow = BouncedRead.of(named);
    if (shadow.isPresent()) {
      return shadow.get().fill(ship(link, shadow.get().operation()));
    }
    CompletableFuture<R> result = ship(link, named);
    spread(operation, named, link, result);
    if (operation.closes()) {
      forgetAfter(operation, result);
    }
    return result;
  }

  @SuppressWarnings("unchecked") // reads and writes have no result: R is Void
  private static <R> CompletionStage<R> cast(CompletionStage<Void> stage) {
    return (CompletionStage<R>) stage;
  }

  /**
   * Returns whether transfers of several datasets can be sent in one message: they fit in the
   * window, the file is not divided among servers, and any thread may access the memory.
   */
  private boolean isOneMessage(ServerLink link, DatasetOperation.Multi multi) {
    return !spread.containsKey(handles.fileOf(multi.subject()))
        && multi.parts().size() <= MAX_PARTS
        && WindowPieces.bytes(multi) <= link.windowBytes()
        && multi.parts().stream().noneMatch(OutOfLineReads::isOne)
        && (multi.edits()
            || multi.parts().stream()
                .allMatch(part -> SharedMemory.isShared(MultiTransfers.buffer(part).elements())));
  }

  private <R> CompletableFuture<R> ship(ServerLink link, Operation<R> named) {
    StripedFile file = spread.get(handles.fileOf(named.subject()));
    if (file != null && named.opens().filter(spread::containsKey).isEmpty()) {
      return file.submit(allocated(named));
    }
    return ship(link, named, null);
  }

  @SuppressWarnings("unchecked") // the same kind of operation
  private <R> Operation<R> allocated(Operation<R> operation) {
    return operation instanceof DatasetOperation.Create create
        ? (Operation<R>) Striping.allocated(create, options.stripeBytes())
        : operation;
  }

  /** Divides the raw data of a file among all servers once they have opened it. */
  private void spread(
      Operation<?> operation, Operation<?> named, ServerLink link, CompletableFuture<?> result) {
    OpenOptions access;
    String path;
    String asked;
    switch (operation) {
      case FileOperation.Open o -> {
        access = o.options();
        asked = o.name();
        path = ((FileOperation.Open) named).name();
      }
      case FileOperation.Create o -> {
        access = o.options().access().withWritable(true);
        asked = o.name();
        path = ((FileOperation.Create) named).name();
      }
      default -> {
        return;
      }
    }
    if (options.servers().size() < 2
        || options.stripeBytes() == 0
        || options.acknowledge() == Acknowledge.DURABLE
        || asked.startsWith("//")
        || access.swmr()
        || access.properties().containsKey("driver")) {
      return;
    }
    List<ServerLink> all = new ArrayList<>();
    try {
      options.servers().forEach(server -> all.add(links.with(server)));
    } catch (HyperslabException oneIsGone) {
      return; // without this server: the home handles all data
    }
    Handle file = operation.subject();
    StripedFile made =
        new StripedFile(file, all, all.indexOf(link), options.stripeBytes(), new Sending());
    spread.put(file, made);
    result.exceptionally(failure -> {
      spread.remove(file);
      return null;
    });
    made.openEverywhere(result, path, access);
  }

  private final class Sending implements StripedFile.Pipeline {
    @Override
    public <R> CompletableFuture<R> send(
        ServerLink to, Operation<R> operation, Acknowledge level, TrackedFuture<?> owner) {
      return WindowPieces.bytes(operation) > to.windowBytes()
          ? inPieces(to, operation, owner)
          : sent(to, operation, level, owner);
    }

    @Override
    public Acknowledge level(Operation<?> operation) {
      return ForwardingConnector.this.level(operation);
    }

    @Override
    public void belongs(Handle handle, Handle file) {
      handles.belongs(handle, file);
    }
  }

  private <R> CompletableFuture<R> ship(
      ServerLink link, Operation<R> named, TrackedFuture<?> owner) {
    long window = link.windowBytes();
    long bytes = WindowPieces.bytes(named);
    return bytes > window ? inPieces(link, named, owner) : sent(link, named, level(named), owner);
  }

  /** Sends an operation that fits in the window, apart from out-of-line values that it reads. */
  @SuppressWarnings("unchecked") // reads have no result
  private <R> CompletableFuture<R> sent(
      ServerLink link, Operation<R> operation, Acknowledge level, TrackedFuture<?> owner) {
    if (!OutOfLineReads.isOne(operation)) {
      return link.submit(operation, level, owner);
    }
    OutOfLineReads.Server server =
        new OutOfLineReads.Server() {
          @Override
          public <T> CompletableFuture<T> submit(Operation<T> asked, TrackedFuture<?> call) {
            return link.submit(asked, Acknowledge.APPLIED, call);
          }
        };
    return (CompletableFuture<R>) outOfLineReads.submit((DatasetOperation.Read) operation, server);
  }

  private <R> void forgetAfter(Operation<R> operation, CompletableFuture<R> result) {
    result.whenComplete((value, failure) -> {
      handles.closed(operation);
      spread.remove(operation.subject());
      if (operation instanceof FileOperation.Close) {
        homes.keySet().removeIf(handle -> !handles.isOpen(handle));
      } else if (!handles.isOpen(operation.subject())) {
        homes.remove(operation.subject());
      }
    });
  }

  /** Divides a transfer that exceeds the window. */
  @SuppressWarnings("unchecked") // reads and writes have no result
  private <R> CompletableFuture<R> inPieces(
      ServerLink link, Operation<R> operation, TrackedFuture<?> owner) {
    DatasetInfo info;
    try {
      info =
          link.submit(new DatasetOperation.Describe(operation.subject()), Acknowledge.APPLIED)
              .join();
    } catch (CompletionException e) {
      return CompletableFuture.failedFuture(Connectors.causeOf(e));
    }
    List<CompletableFuture<?>> parts = new ArrayList<>();
    TrackedFuture<Void> whole = new TrackedFuture<>();
    switch (operation) {
      case DatasetOperation.Read o -> o.transfer().requireFits(info.space(), o.target());
      case DatasetOperation.Write o -> o.transfer().requireFits(info.space(), o.source());
      default -> {}
    }
    WindowPieces.of(operation, info.space(), link.windowBytes() / 4)
        .forEachOrdered(
            piece -> parts.add(sent(link, piece, level(piece), owner == null ? whole : owner)));
    WindowPieces.cancelWith(whole, parts);
    CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
        .whenComplete((done, failure) ->
            whole.follow(null, failure == null ? null : Connectors.causeOf(failure)));
    return (CompletableFuture<R>) whole;
  }

  private Acknowledge level(Operation<?> operation) {
    boolean mayAnswerEarly =
        switch (operation) {
          case DatasetOperation.Write o -> true;
          case DatasetOperation.WriteMulti o -> true;
          case DatasetOperation.WriteChunk o -> true;
          case AttributeOperation.Write o -> true;
          default -> false;
        };
    Acknowledge wished = options.acknowledge();
    String own =
        switch (operation) {
          case DatasetOperation.Write o -> o.transfer().options().properties().get(ACKNOWLEDGE);
          case DatasetOperation.WriteMulti o -> o.options().properties().get(ACKNOWLEDGE);
          default -> null;
        };
    if (own != null) {
      wished = Acknowledge.parse(own);
    }
    if (wished == Acknowledge.DURABLE) {
      return operation.edits() || operation.flushes() ? wished : Acknowledge.APPLIED;
    }
    return mayAnswerEarly ? wished : Acknowledge.APPLIED;
  }

  /** {@return the server that carries out an operation} */
  private ServerLink home(Operation<?> operation) {
    switch (operation) {
      case FileOperation.Open o -> {
        return linkOfName(o.name());
      }
      case FileOperation.Create o -> {
        return linkOfName(o.name());
      }
      case FileOperation.Exists o -> {
        return linkOfName(o.name());
      }
      case FileOperation.Delete o -> {
        return linkOfName(o.name());
      }
      default -> {}
    }
    ServerLink home = homes.get(operation.subject());
    for (Handle used : operation.uses()) {
      ServerLink other = homes.get(used);
      if (home != null && other != null && other != home) {
        throw new UnsupportedFeatureException(
            "operation on files of two servers: actual="
                + operation.getClass().getSimpleName()
                + ", expected=both files at one server");
      }
    }
    return home != null ? home : anyKnown(operation);
  }

  /** {@return a server for an operation on a handle that is not open, which then fails there} */
  private ServerLink anyKnown(Operation<?> operation) {
    if (options.servers().isEmpty() && links.all().isEmpty()) {
      throw new InvalidUseException(
          "handle: actual=" + operation.subject() + " is not open, expected=open");
    }
    return anyLink();
  }

  private ServerLink linkOfName(String name) {
    if (name.startsWith("//")) {
      int slash = name.indexOf('/', 2);
      return links.with(Address.parse(name.substring(2, slash < 0 ? name.length() : slash)));
    }
    if (options.servers().isEmpty()) {
      throw new InvalidUseException(
          "server: actual=none, expected=servers=HOST:PORT in the configuration, or a name such as"
              + " hyperslab://HOST:PORT/path, at="
              + name);
    }
    int home = Math.floorMod(name.hashCode(), options.servers().size());
    return links.with(options.servers().get(home));
  }

  private ServerLink connect(Address address) {
    return new ServerLink(address, options, wire, pool, this::complete, scheduling, handles);
  }

  /** Removes the server from the name of an operation. */
  @SuppressWarnings("unchecked") // the same kind of operation
  private static <R> Operation<R> withoutServer(Operation<R> operation) {
    return (Operation<R>)
        switch (operation) {
          case FileOperation.Open o ->
              new FileOperation.Open(o.file(), path(o.name()), o.options());
          case FileOperation.Create o ->
              new FileOperation.Create(o.file(), path(o.name()), o.options());
          case FileOperation.Exists o -> new FileOperation.Exists(o.none(), path(o.name()));
          case FileOperation.Delete o -> new FileOperation.Delete(o.none(), path(o.name()));
          default -> operation;
        };
  }

  private static String path(String name) {
    if (!name.startsWith("//")) {
      return name;
    }
    int slash = name.indexOf('/', 2);
    return slash < 0 ? "" : name.substring(slash + 1);
  }

  private void complete(Runnable task) {
    completer.execute(() -> {
      completing.set(true);
      task.run();
    });
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    List<CompletionStage<?>> closing = new ArrayList<>();
    for (Handle file : files()) {
      closing.add(submit(new FileOperation.Close(file)));
    }
    closing.forEach(stage -> stage.toCompletableFuture().exceptionally(e -> null).join());
    closed = true;
    clock.shutdownNow();
    links.all().forEach(ServerLink::close);
    if (completing.get()) {
      completer.shutdown(); // a callback closes the connector, and would wait for itself
    } else {
      completer.close();
    }
    wire.close();
    pool.close();
  }

  private Collection<Handle> files() {
    return homes.keySet().stream()
        .filter(handle -> handles.isOpen(handle) && handles.fileOf(handle).equals(handle))
        .toList();
  }
}
