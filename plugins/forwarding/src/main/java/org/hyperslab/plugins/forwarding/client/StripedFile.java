package org.hyperslab.plugins.forwarding.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.region.RegionConnector;
import org.hyperslab.plugins.forwarding.wire.Acknowledge;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;

/**
 * An open file whose raw data is divided among several servers. The home holds the metadata and
 * some of the stripes; the other servers hold the remaining stripes.
 *
 * <p>A stripe belongs to one server, and a session's requests are carried out in order, so
 * transfers need not wait for each other. Operations that could see or promise the effect of
 * transfers at other servers (flush, close, copies, durable writes, reading virtual datasets,
 * conversions) wait for the transfers before them, and later operations wait for them.
 *
 * <p>The submitting thread waits only if a server's window is full.
 *
 * <p>Thread rule: any thread.
 */
final class StripedFile {

  private final Handle file;
  private final List<ServerLink> servers;
  private final int home;
  private final long stripeBytes;
  private final Pipeline pipeline;
  private final OrderedGate way = new OrderedGate();
  private final Map<Handle, StripedDataset> datasets = new ConcurrentHashMap<>();

  /** The started transfers and openings at other servers that may not have ended. */
  private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

  private final List<Handle> handles = new ArrayList<>();

  /** Whether transfers may have been acknowledged before they were applied. */
  private volatile boolean answersEarly;

  /** Completes with whether the other servers have opened the file, too. */
  private volatile CompletableFuture<Boolean> ready = CompletableFuture.completedFuture(false);

  /** Sends operations to servers. */
  interface Pipeline {
    /** Sends an operation; its failure counts as seen once the failure of {@code owner} is seen. */
    <R> CompletableFuture<R> send(
        ServerLink to, Operation<R> operation, Acknowledge level, TrackedFuture<?> owner);

    /** {@return the level at which an operation is acknowledged} */
    Acknowledge level(Operation<?> operation);

    /** Records that a handle at another server belongs to a file. */
    void belongs(Handle handle, Handle file);
  }

  /**
   * Creates a file that is being opened at its home.
   *
   * @param file the handle of the file
   * @param servers all servers, in the order that all clients use
   * @param home the index of the file's home
   * @param stripeBytes the size of a stripe in bytes
   * @param pipeline sends operations
   */
  StripedFile(
      Handle file, List<ServerLink> servers, int home, long stripeBytes, Pipeline pipeline) {
    this.file = file;
    this.servers = List.copyOf(servers);
    this.home = home;
    this.stripeBytes = stripeBytes;
    this.pipeline = pipeline;
  }

  /** Opens the file at the other servers once the home has opened it. */
  void openEverywhere(CompletableFuture<?> opened, String path, OpenOptions options) {
    OpenOptions regions =
        (options.writable() ? OpenOptions.EDIT : OpenOptions.READ)
            .withDurability(options.durability())
            .withLocking(options.locking())
            .withProperty(RegionConnector.HOME, servers.get(home).address().toString());
    CompletableFuture<Boolean> all =
        opened
            .thenCompose(info -> {
              List<CompletableFuture<?>> openings = new ArrayList<>();
              for (int i = 0; i < servers.size(); i++) {
                Handle handle = i == home ? file : Handle.fresh();
                handles.add(handle);
                if (i != home) {
                  pipeline.belongs(handle, file);
                  openings.add(send(servers.get(i), new FileOperation.Open(handle, path, regions)));
                }
              }
              return all(openings);
            })
            .handle((done, failure) -> failure == null);
    ready = all;
    underWay.add(all);
    all.thenRun(() -> underWay.remove(all));
  }

  private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> calls) {
    return CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0]));
  }

  private <R> CompletableFuture<R> send(ServerLink to, Operation<R> operation) {
    return pipeline.send(to, operation, Acknowledge.APPLIED, new TrackedFuture<>());
  }

  /** Carries out an operation on the file. */
  <R> CompletableFuture<R> submit(Operation<R> operation) {
    TrackedFuture<R> result = new TrackedFuture<>();
    switch (operation) {
      case DatasetOperation.Read o -> raw(o, cast(result));
      case DatasetOperation.Write o -> raw(o, cast(result));
      case FileOperation.Flush _,
          FileOperation.Close _,
          DatasetOperation.Question<?> _,
          ObjectOperation.Flush _,
          ObjectOperation.Copy _ ->
          way.go(() -> afterAllTransfers(operation, result));
      case ObjectOperation.Close close when datasets.containsKey(close.object()) -> {
        way.go(() -> closeDataset(close, operation, result));
      }
      default ->
          way.go(() -> {
            open(operation, atHome(operation, result));
            return null;
          });
    }
    return result;
  }

  @SuppressWarnings("unchecked") // reads and writes have no result: R is Void
  private static <R> TrackedFuture<Void> cast(TrackedFuture<R> result) {
    return (TrackedFuture<Void>) result;
  }

  /** Sends an operation to the home and completes the result with its outcome. */
  private <R> CompletableFuture<R> atHome(Operation<R> operation, TrackedFuture<R> result) {
    CompletableFuture<R> sent = sendHome(operation, result);
    WindowPieces.cancelWith(result, List.of(sent));
    return sent.whenComplete((value, failure) ->
        result.follow(value, failure == null ? null : Connectors.causeOf(failure)));
  }

  /** Sends an operation to the home; its failure counts as seen once it is seen in the result. */
  private <R> CompletableFuture<R> sendHome(Operation<R> operation, TrackedFuture<R> result) {
    try {
      return pipeline.send(servers.get(home), operation, pipeline.level(operation), result);
    } catch (HyperslabException | ArithmeticException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  // --- operations that wait for all transfers before them ---

  /**
   * Waits for all transfers, makes the other servers flush, and sends the operation to the home.
   */
  private <R> CompletableFuture<?> afterAllTransfers(
      Operation<R> operation, TrackedFuture<R> result) {
    return behind(underWay, operation, result);
  }

  private <R> CompletableFuture<?> behind(
      Set<CompletableFuture<?>> before, Operation<R> operation, TrackedFuture<R> result) {
    CompletableFuture<Throwable> flushed =
        all(List.copyOf(before))
            .handle((done, failure) -> null)
            .thenCompose(done -> settle(operation))
            .handle((done, failure) -> failure == null ? null : Connectors.causeOf(failure));
    return flushed.thenCompose(trouble ->
        sendHome(operation, result)
            .handle((value, failure) -> {
              result.follow(value, failure == null ? trouble : Connectors.causeOf(failure));
              return value;
            }));
  }

  /** Makes the other servers flush or close the file. */
  private CompletableFuture<Void> settle(Operation<?> operation) {
    boolean promises = !(operation instanceof DatasetOperation<?>) || answersEarly;
    if (!promises || !ready.join()) {
      return CompletableFuture.completedFuture(null);
    }
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      if (i != home) {
        Handle there = handles.get(i);
        calls.add(
            send(
                servers.get(i),
                operation instanceof FileOperation.Close
                    ? new FileOperation.Close(there)
                    : new FileOperation.Flush(there)));
      }
    }
    return all(calls);
  }

  // --- datasets ---

  private void open(Operation<?> operation, CompletableFuture<?> sent) {
    boolean mayBeDataset =
        switch (operation) {
          case DatasetOperation.Create create -> Striping.maySpread(create.spec(), stripeBytes);
          case ObjectOperation.Open _, ObjectOperation.OpenToken _ -> true;
          default -> false;
        };
    if (mayBeDataset) {
      Handle handle = operation.opens().orElseThrow();
      boolean mayBeVirtual =
          !(operation instanceof DatasetOperation.Create create)
              || create.spec().options().layout() instanceof Layout.Virtual;
      datasets.put(
          handle, new StripedDataset(sent.thenCompose(info -> divide(handle, info)), mayBeVirtual));
    }
  }

  /** Determines the division of a dataset, and opens it at the other servers if it is divided. */
  private CompletableFuture<Optional<StripedDataset.Division>> divide(Handle handle, Object info) {
    if (!(info instanceof ObjectInfo object) || object.kind() != ObjectKind.DATASET) {
      datasets.remove(handle);
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return send(servers.get(home), new DatasetOperation.Describe(handle))
        .thenCombine(ready, (known, everywhere) -> division(handle, known, object, everywhere))
        .thenCompose(
            division -> division.isSpread() ? openParts(division, object) : only(division));
  }

  private static CompletableFuture<Optional<StripedDataset.Division>> only(
      StripedDataset.Division division) {
    return CompletableFuture.completedFuture(
        division.isVirtual() ? Optional.of(division) : Optional.empty());
  }

  private StripedDataset.Division division(
      Handle handle, DatasetInfo info, ObjectInfo object, boolean everywhere) {
    boolean plain =
        everywhere
            && info.storage().offset() >= 0
            && info.storage().allocatedBytes() > 0
            && !info.type().hasOutOfLineParts();
    List<Handle> there = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      there.add(i == home ? handle : Handle.fresh());
    }
    StripePartition partition =
        plain
            ? StripePartition.of(
                info.space().dims(),
                info.type().size(),
                stripeBytes,
                servers.size(),
                object.token().address())
            : new StripePartition(List.of(), 0, 1, 1, 0);
    return new StripedDataset.Division(info, partition, there);
  }

  private CompletableFuture<Optional<StripedDataset.Division>> openParts(
      StripedDataset.Division division, ObjectInfo object) {
    List<CompletableFuture<?>> openings = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      if (i != home) {
        Handle there = division.handles().get(i);
        pipeline.belongs(there, file);
        openings.add(
            send(
                servers.get(i),
                new ObjectOperation.OpenToken(there, handles.get(i), object.token())));
      }
    }
    return all(openings)
        .handle((done, failure) -> failure == null ? Optional.of(division) : Optional.empty());
  }

  private <R> CompletableFuture<?> closeDataset(
      ObjectOperation.Close close, Operation<R> operation, TrackedFuture<R> result) {
    StripedDataset dataset = datasets.remove(close.object());
    if (dataset == null) {
      atHome(operation, result);
      return null;
    }
    dataset.way.go(() -> {
      dataset
          .known()
          .filter(StripedDataset.Division::isSpread)
          .ifPresent(division -> {
            for (int i = 0; i < servers.size(); i++) {
              if (i != home) {
                send(servers.get(i), new ObjectOperation.Close(division.handles().get(i)));
              }
            }
          });
      atHome(operation, result);
      return null;
    });
    return null;
  }

  // --- raw data ---

  private void raw(DatasetOperation<Void> operation, TrackedFuture<Void> result) {
    DatasetOperation<Void> movable = Striping.movable(operation);
    way.go(() -> rawInTurn(movable, result));
  }

  /**
   * Waits for earlier operations if necessary; done before later ones may wait for this transfer.
   */
  private CompletableFuture<?> rawInTurn(
      DatasetOperation<Void> operation, TrackedFuture<Void> result) {
    StripedDataset dataset = datasets.get(operation.subject());
    if (dataset == null) {
      atHome(operation, result);
      return null;
    }
    if (dataset.mayBeVirtual && !dataset.division.isDone()) {
      return dataset
          .division
          .handle((known, failure) -> known)
          .thenCompose(known -> {
            CompletableFuture<?> more = rawInTurn(operation, result);
            return more == null ? CompletableFuture.completedFuture(null) : more;
          });
    }
    boolean virtual =
        dataset.mayBeVirtual
            && dataset.known().filter(StripedDataset.Division::isVirtual).isPresent();
    if (virtual || pipeline.level(operation) == Acknowledge.DURABLE) {
      return afterAllTransfers(operation, result);
    }
    underWay.add(result);
    TrackedFuture.watch(result, (done, failure) -> underWay.remove(result));
    dataset.way.go(() -> transfer(dataset, operation, result));
    return null;
  }

  /** Starts a transfer in its turn among the dataset's transfers. */
  private CompletableFuture<?> transfer(
      StripedDataset dataset, DatasetOperation<Void> operation, TrackedFuture<Void> result) {
    if (result.isCancelled()) {
      return null; // before it was sent
    }
    Optional<StripedDataset.Division> division = dataset.known();
    if (division.isEmpty()) {
      atHome(operation, result);
      return null;
    }
    List<DatasetOperation<Void>> parts;
    try {
      if (!Striping.fits(operation, division.get().info())) {
        atHome(operation, result); // which reports the error
        return null;
      }
      parts = division.get().parts(operation);
    } catch (HyperslabException | ArithmeticException tooInvolved) {
      parts = List.of();
    }
    if (parts.isEmpty()) {
      return behind(dataset.underWay, operation, result);
    }
    dataset.underWay.add(result);
    TrackedFuture.watch(result, (done, failure) -> dataset.underWay.remove(result));
    send(parts, division.get().info(), pipeline.level(operation), result);
    return null;
  }

  private void send(
      List<DatasetOperation<Void>> parts,
      DatasetInfo info,
      Acknowledge level,
      TrackedFuture<Void> result) {
    if (level == Acknowledge.RECEIVED) {
      answersEarly = true;
    }
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) != null) {
        ServerLink to = servers.get(i);
        long window = to.windowBytes();
        Stream<? extends Operation<Void>> pieces =
            WindowPieces.bytes(parts.get(i)) <= window
                ? Stream.of(parts.get(i))
                : WindowPieces.of(parts.get(i), info.space(), window / 4);
        pieces.forEachOrdered(
            piece -> calls.add(guarded(() -> pipeline.send(to, piece, level, result))));
      }
    }
    WindowPieces.cancelWith(result, calls);
    all(calls)
        .whenComplete((done, failure) ->
            result.follow(null, failure == null ? null : Connectors.causeOf(failure)));
  }

  private static CompletableFuture<Void> guarded(Supplier<CompletableFuture<Void>> call) {
    try {
      return call.get();
    } catch (HyperslabException | ArithmeticException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }
}
