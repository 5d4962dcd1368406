package org.hyperslab.plugins.compacting;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ReadRequest;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.plugins.compacting.plan.WriteRequest;
import org.hyperslab.plugins.compacting.queue.Compactor;
import org.hyperslab.plugins.compacting.queue.OrderScope;
import org.hyperslab.plugins.compacting.queue.OrderedRequest;
import org.hyperslab.plugins.compacting.queue.Reply;
import org.hyperslab.plugins.compacting.report.CompactorCounts;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.Trace;
import org.hyperslab.plugins.compacting.storage.MergedTransfers;
import org.hyperslab.plugins.compacting.storage.PackedBuffer;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.MultiTransfers;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.base.OpenTable;
import org.hyperslab.vol.base.Scheduling;

/**
 * Passes operations to another connector, and merges transfers of raw data. Reads and writes of
 * elements without out-of-line parts are merged; operations that could see their effects keep their
 * order relative to them; all other operations are passed on at once.
 *
 * <p>{@link #as} returns the view of one client. Overlapping writes of one client may be folded
 * into one; requests of different clients keep the order of their arrival. Without a view, every
 * thread is a client, unless the property {@value #CLIENT} of a transfer gives a client number. All
 * views share their handles.
 *
 * <p>Submitting waits for information that the next operation depends on: the type, extent and
 * layout of a dataset that is being opened, and the end of a change of extent.
 *
 * <p>Thread rule: any thread, except that the threads in which stages of this connector complete
 * must not wait for other stages of it.
 */
public final class CompactingConnector extends PassThroughConnector {

  /** The transfer property that holds the client number. */
  public static final String CLIENT = "client";

  private final Compactor compactor;
  private final VolStorage layer;
  private final ExecutorService threads;
  private final AtomicLong sequence = new AtomicLong();
  private final OpenTable<OpenObject> objects = new OpenTable<>();
  private final Map<DataKey, OpenDataset> datasets = new ConcurrentHashMap<>();

  /**
   * An open handle.
   *
   * @param file the handle of the file through which it was opened
   * @param fileNumber the number of the file that contains the object
   * @param writable whether the file was opened for editing
   * @param dataset the dataset, or null for another object
   */
  private record OpenObject(Handle file, long fileNumber, boolean writable, OpenDataset dataset) {}

  /**
   * Creates a connector over another one, which is closed with it.
   *
   * @param below the connector that carries operations out
   * @param options the options of the compactor
   * @param threads the number of requests that may be under way below at a time, at least 1
   */
  public CompactingConnector(Connector below, CompactorOptions options, int threads) {
    this(below, options, threads, Scheduling.ofJvm());
  }

  /**
   * Creates a connector over another one, which is closed with it.
   *
   * @param below the connector that carries operations out
   * @param options the options of the compactor
   * @param threads the number of requests that may be under way below at a time, at least 1
   * @param scheduling gives the threads
   */
  public CompactingConnector(
      Connector below, CompactorOptions options, int threads, Scheduling scheduling) {
    super("compacting", below, Capability.ASYNCHRONOUS);
    this.threads = scheduling.pool("hyperslab-compactor", threads);
    this.layer =
        new VolStorage(
            new MergedTransfers(
                below,
                (key, writes) -> known(key).handle(writes),
                Math.multiplyExact(options.maxMergedBytes(), threads + 1L)));
    this.compactor =
        new Compactor(
            layer,
            options,
            this.threads,
            (nanoseconds, action) -> scheduling.later(nanoseconds, this.threads, action));
  }

  private OpenDataset known(DataKey key) {
    OpenDataset dataset = datasets.get(key);
    if (dataset == null) {
      throw new InvalidUseException("dataset: actual=closed, expected=open, at=" + key);
    }
    return dataset;
  }

  /**
   * Returns the view of one client. Closing the view has no effect.
   *
   * @param client the number of the client
   * @return the view
   */
  public Connector as(long client) {
    return new View(this, client, false);
  }

  /**
   * Returns the view of one client for a thread that would otherwise only wait. That thread itself
   * carries out writes of contiguous data that need no conversion and need not wait for other
   * requests.
   *
   * @param client the number of the client
   * @return the view
   */
  public Connector runningAs(long client) {
    return new View(this, client, true);
  }

  /** The view of one client. */
  private static final class View extends PassThroughConnector {
    private final CompactingConnector all;
    private final long client;
    private final boolean runs;

    View(CompactingConnector all, long client, boolean runs) {
      super(all.name(), all);
      this.all = all;
      this.client = client;
      this.runs = runs;
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      return all.submit(operation, client, runs);
    }

    @Override
    public void close() {}
  }

  /**
   * Sets a listener that receives a trace of every completed request, before its reply.
   *
   * @param listener called by any thread
   */
  public void onTrace(Consumer<Trace> listener) {
    compactor.onTrace(listener);
  }

  /** {@return the counters of the compactor} */
  public CompactorCounts counts() {
    return compactor.counts();
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    return submit(operation, Thread.currentThread().threadId(), false);
  }

  private <R> CompletionStage<R> submit(Operation<R> operation, long client, boolean runs) {
    try {
      return switch (operation) {
        case DatasetOperation.Read read -> cast(read(read, client));
        case DatasetOperation.Write write -> cast(write(write, client, runs));
        case DatasetOperation.Multi multi -> cast(all(multi, client, runs));
        case DatasetOperation.SetExtent o -> settled(onDataset(operation, o.dataset(), client));
        case DatasetOperation.Extend o -> settled(onDataset(operation, o.dataset(), client));
        case DatasetOperation.Create create -> opening(operation, create.dataset());
        case DatasetOperation<?> other -> onDataset(operation, other.subject(), client);
        case FileOperation.Open open -> openingFile(operation, open.options().writable());
        case FileOperation.Create create -> openingFile(operation, true);
        case FileOperation.Close close -> closeFile(operation, close.file(), client);
        case FileOperation.Flush flush -> onFile(operation, flush.file(), client);
        case FileOperation.Describe describe -> onFile(operation, describe.file(), client);
        // Operations that follow at once, such as testing whether the link exists, do not queue
        // behind it.
        case LinkOperation.Delete delete -> settled(onFile(operation, delete.subject(), client));
        case ObjectOperation.Copy copy ->
            settled(ordered(new OrderScope.Everything(), client, () -> below.submit(operation)));
        case ObjectOperation.CountReference count ->
            settled(onFile(operation, count.subject(), client));
        case ObjectOperation.Close close -> closeObject(operation, close.object(), client);
        case ObjectOperation.Flush flush -> onFile(operation, flush.object(), client);
        case ObjectOperation.Refresh refresh ->
            settled(onDataset(operation, refresh.object(), client));
        default ->
            operation.opens().isPresent()
                ? opening(operation, operation.opens().get())
                : below.submit(operation);
      };
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  @SuppressWarnings("unchecked") // an operation on raw data has no result: R is Void
  private static <R> CompletionStage<R> cast(CompletionStage<Void> stage) {
    return (CompletionStage<R>) stage;
  }

  // --- open handles ---

  private <R> CompletionStage<R> openingFile(Operation<R> operation, boolean writable) {
    CompletionStage<R> stage = settled(below.submit(operation));
    Handle file = operation.subject();
    if (!stage.toCompletableFuture().isCompletedExceptionally()) {
      ObjectInfo root =
          below
              .submit(new ObjectOperation.Describe(Location.of(file)))
              .toCompletableFuture()
              .join();
      objects.bind(file, new OpenObject(file, root.fileNumber(), writable, null));
    }
    return stage;
  }

  private <R> CompletionStage<R> opening(Operation<R> operation, Handle opened) {
    CompletionStage<R> stage = settled(below.submit(operation));
    CompletableFuture<R> result = stage.toCompletableFuture();
    OpenObject base = known(operation.subject());
    if (base != null
        && !result.isCompletedExceptionally()
        && result.join() instanceof ObjectInfo info) {
      boolean isDataset = info.kind() == ObjectKind.DATASET;
      boolean created = operation instanceof DatasetOperation.Create;
      OpenDataset dataset = isDataset ? learn(opened, info, base.writable, created) : null;
      objects.bind(opened, new OpenObject(base.file, info.fileNumber(), base.writable, dataset));
    }
    return stage;
  }

  private OpenDataset learn(Handle handle, ObjectInfo object, boolean writable, boolean created) {
    DataKey key = new DataKey(object.fileNumber(), object.token().address());
    DatasetInfo info =
        below.submit(new DatasetOperation.Describe(handle)).toCompletableFuture().join();
    if (created) {
      datasets.remove(key); // it belonged to a deleted object
    }
    OpenDataset dataset = datasets.computeIfAbsent(key, absent -> new OpenDataset(absent, info));
    dataset.opened(handle, writable);
    return dataset;
  }

  /** Waits until a stage has completed, normally or exceptionally. */
  private static <R> CompletionStage<R> settled(CompletionStage<R> stage) {
    stage.toCompletableFuture().exceptionally(failure -> null).join();
    return stage;
  }

  /** Returns the open object that a handle names, or null. */
  private OpenObject known(Handle handle) {
    return objects.find(handle).orElse(null);
  }

  private void forget(Handle handle) {
    Optional<OpenObject> object = objects.remove(handle);
    if (object.isPresent() && object.get().dataset != null) {
      object.get().dataset.closed(handle);
    }
  }

  // --- ordered operations ---

  @SuppressWarnings("unchecked") // the reply carries what the operation's stage completed with
  private <R> CompletionStage<R> ordered(
      OrderScope scope, long client, Supplier<CompletionStage<R>> action) {
    RequestOrigin origin = new RequestOrigin(client, sequence.getAndIncrement());
    return compactor
        .submit(new OrderedRequest(origin, scope, action::get))
        .thenApply(reply -> (R) reply.result());
  }

  private <R> CompletionStage<R> onFile(Operation<R> operation, Handle subject, long client) {
    OpenObject object = known(subject);
    return object == null
        ? below.submit(operation)
        : ordered(new OrderScope.File(object.fileNumber), client, () -> below.submit(operation));
  }

  private <R> CompletionStage<R> onDataset(Operation<R> operation, Handle handle, long client) {
    OpenObject object = known(handle);
    if (object == null || object.dataset == null) {
      return below.submit(operation);
    }
    OpenDataset dataset = object.dataset;
    boolean changes =
        operation instanceof DatasetOperation.SetExtent
            || operation instanceof ObjectOperation.Refresh;
    return ordered(
        scopeOf(dataset),
        client,
        () -> {
          CompletionStage<R> stage = below.submit(operation);
          return changes ? stage.thenCompose(done -> learnAgain(dataset, handle, done)) : stage;
        });
  }

  private <R> CompletionStage<R> learnAgain(OpenDataset dataset, Handle handle, R result) {
    return below
        .submit(new DatasetOperation.Describe(handle))
        .thenApply(info -> {
          dataset.learn(info);
          return result;
        });
  }

  private static OrderScope scopeOf(OpenDataset dataset) {
    return dataset.way() == OpenDataset.Way.SHARED
        ? new OrderScope.Everything()
        : new OrderScope.Dataset(dataset.key());
  }

  private <R> CompletionStage<R> closeObject(Operation<R> operation, Handle handle, long client) {
    OpenObject object = known(handle);
    if (object == null || object.dataset == null) {
      forget(handle);
      return below.submit(operation);
    }
    return ordered(
        scopeOf(object.dataset),
        client,
        () -> {
          forget(handle);
          return below.submit(operation);
        });
  }

  private <R> CompletionStage<R> closeFile(Operation<R> operation, Handle file, long client) {
    OpenObject open = known(file);
    if (open == null) {
      return below.submit(operation);
    }
    // Objects opened through external links are closed too.
    boolean others =
        objects.values().stream()
            .anyMatch(each -> each.file.equals(file) && each.fileNumber != open.fileNumber);
    OrderScope scope = others ? new OrderScope.Everything() : new OrderScope.File(open.fileNumber);
    return this.<R>ordered(
            scope,
            client,
            () -> {
              objects.forEach((handle, object) -> {
                if (object.file.equals(file)) {
                  forget(handle);
                }
              });
              return below.submit(operation);
            })
        .whenComplete((done, failure) -> forgetFile(open.fileNumber));
  }

  private void forgetFile(long number) {
    if (objects.values().stream().noneMatch(object -> object.fileNumber == number)) {
      datasets.keySet().removeIf(key -> key.file() == number);
      compactor.forget(number);
    }
  }

  // --- raw data ---

  /** Checks each part for known errors, then merges it with other requests under way. */
  private CompletionStage<Void> all(DatasetOperation.Multi multi, long client, boolean runs) {
    for (int i = 0; i < multi.parts().size(); i++) {
      OpenObject object = known(multi.parts().get(i).subject());
      boolean known = object != null && object.dataset != null;
      boolean here = known && object.dataset.way() != OpenDataset.Way.SHARED;
      if (!here || (multi.edits() && !object.writable)) {
        return whole(multi, client);
      }
      MultiTransfers.requireFits(multi, i, object.dataset.type(), object.dataset.space());
    }
    return MultiTransfers.submit(multi, part -> submit(part, client, runs));
  }

  /**
   * Passes on a transfer that the connector below has to check, or that may concern other datasets.
   */
  private CompletionStage<Void> whole(DatasetOperation.Multi multi, long client) {
    return ordered(new OrderScope.Everything(), client, () -> below.submit(multi));
  }

  private CompletionStage<Void> write(DatasetOperation.Write write, long client, boolean runs) {
    OpenObject object = known(write.dataset());
    if (object == null || object.dataset == null) {
      return below.submit(write);
    }
    OpenDataset dataset = object.dataset;
    Transfer transfer = write.transfer();
    Optional<Long> elements = compactable(object, transfer, write);
    if (elements.isEmpty()) {
      return onDataset(write, write.dataset(), client);
    }
    gatherAsHinted(dataset, transfer);
    PackedBuffer packed = PackedBuffer.ofSource(transfer, write.source(), elements.get());
    WriteRequest request =
        new WriteRequest(
            dataset.key(),
            origin(transfer, client),
            Region.of(transfer.fileSelection(), dataset.space().dims()),
            dataset.kind(transfer.memoryType()),
            packed.bytes());
    boolean here = runs && dataset.isContiguous() && request.kind().stored();
    return (here ? compactor.submitAndRun(request) : compactor.submit(request))
        .thenApply(reply -> null);
  }

  private CompletionStage<Void> read(DatasetOperation.Read read, long client) {
    OpenObject object = known(read.dataset());
    if (object == null || object.dataset == null) {
      return below.submit(read);
    }
    OpenDataset dataset = object.dataset;
    Transfer transfer = read.transfer();
    Optional<Long> elements = compactable(object, transfer, read);
    if (elements.isEmpty()) {
      return onDataset(read, read.dataset(), client);
    }
    gatherAsHinted(dataset, transfer);
    PackedBuffer packed = PackedBuffer.ofTarget(transfer, read.target(), elements.get());
    CompletableFuture<Reply> reply =
        compactor.submit(
            new ReadRequest(
                dataset.key(),
                origin(transfer, client),
                Region.of(transfer.fileSelection(), dataset.space().dims()),
                dataset.kind(transfer.memoryType()),
                packed.bytes()));
    if (!SharedMemory.isShared(read.target().elements())) {
      settled(reply); // only this thread may access the user's buffer
    }
    return reply.thenApply(done -> {
      packed.unpack(transfer, read.target());
      return null;
    });
  }

  /**
   * Returns the number of elements of a transfer that the compactor can carry out. Returns empty
   * for any other transfer; the connector below then reports errors, if any.
   */
  private static Optional<Long> compactable(
      OpenObject object, Transfer transfer, DatasetOperation<Void> operation) {
    OpenDataset dataset = object.dataset;
    boolean writes = operation instanceof DatasetOperation.Write;
    if (dataset.way() != OpenDataset.Way.COMPACTED
        || transfer.options().collective()
        || transfer.memoryType().hasOutOfLineParts()
        || (writes && !dataset.isWritable(operation.subject()))) {
      return Optional.empty();
    }
    var buffer =
        operation instanceof DatasetOperation.Write write
            ? write.source()
            : ((DatasetOperation.Read) operation).target();
    try {
      Dataspace space = dataset.space();
      long elements = transfer.requireFits(space, buffer);
      return elements > 0 ? Optional.of(elements) : Optional.empty();
    } catch (InvalidUseException | ArithmeticException wrong) {
      return Optional.empty();
    }
  }

  /** Changes how long requests on a dataset are collected, if a transfer sets it. */
  private void gatherAsHinted(OpenDataset dataset, Transfer transfer) {
    GatherPolicy.hinted(transfer.options().properties())
        .ifPresent(hinted -> compactor.gather(dataset.key(), hinted));
  }

  private RequestOrigin origin(Transfer transfer, long client) {
    String stated = transfer.options().properties().get(CLIENT);
    try {
      long number = stated == null ? client : Long.parseLong(stated);
      return new RequestOrigin(number, sequence.getAndIncrement());
    } catch (NumberFormatException notANumber) {
      throw new InvalidUseException(
          "transfer property " + CLIENT + ": actual=" + stated + ", expected=a whole number",
          notANumber);
    }
  }

  @Override
  public void close() {
    compactor.close();
    threads.shutdown();
    layer.close();
    below.close();
  }
}
