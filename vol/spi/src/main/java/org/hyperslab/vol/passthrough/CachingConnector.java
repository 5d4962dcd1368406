package org.hyperslab.vol.passthrough;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.TrackedFuture;
import org.hyperslab.vol.base.OpenTable;
import org.hyperslab.vol.passthrough.PageStore.Key;
import org.hyperslab.vol.passthrough.PageStore.PageId;
import org.jspecify.annotations.Nullable;

/**
 * Caches elements that were read, in pages of row-major order, so that later reads that overlap
 * them are served from memory. The pages take at most {@code bytes}. Operations through this
 * connector that may change a dataset evict its pages; changes by other processes become visible
 * when the file is reopened or the dataset refreshed.
 *
 * <p>Passed on untouched: elements with out-of-line parts, collective transfers, reads of several
 * datasets together, virtual datasets and external raw files, and selections whose pages would take
 * more than half the cache.
 *
 * <p>Thread rule: any thread.
 */
public final class CachingConnector extends PassThroughConnector {

  /**
   * Statistics of the cache.
   *
   * @param hits pages found
   * @param misses pages that had to be read
   * @param bytes bytes of all pages now
   * @param pages pages now
   */
  public record Statistics(long hits, long misses, long bytes, long pages) {}

  private final long pageBytes;
  private final PageStore store;
  private final OpenTable<OpenObject> open = new OpenTable<>();

  /** The object that a handle names, and the handle of the file through which it was opened. */
  private record OpenObject(Handle file, Key key) {}

  /**
   * Caches reads of a connector, and closes it with itself.
   *
   * @param below the connector that operations are passed to
   * @param bytes bytes of all pages, at most
   * @param pageBytes bytes of a page, at most
   */
  public CachingConnector(Connector below, long bytes, long pageBytes) {
    super("caching", below);
    this.pageBytes = pageBytes;
    this.store = new PageStore(bytes);
  }

  /** {@return the current statistics} */
  public Statistics statistics() {
    return store.statistics();
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    return switch (operation) {
      case DatasetOperation.Read o -> read(o);
      case DatasetOperation.Write o -> edit(operation);
      case DatasetOperation.WriteMulti o -> edit(o, operation);
      case DatasetOperation.WriteChunk o -> edit(operation);
      case DatasetOperation.SetExtent o -> edit(operation);
      case DatasetOperation.Extend o -> edit(operation);
      case DatasetOperation.SetAccess o -> edit(operation);
      case LinkOperation.Delete o -> after(operation, () -> store.forget(any -> true));
      case ObjectOperation.CountReference o -> after(operation, () -> store.forget(any -> true));
      case ObjectOperation.Refresh o -> edit(operation);
      case FileOperation.Close o -> after(operation, () -> closed(o.file()));
      case ObjectOperation.Close o -> after(operation, () -> open.remove(o.object()));
      default -> operation.opens().isPresent() ? opening(operation) : below.submit(operation);
    };
  }

  private <R> CompletionStage<R> after(Operation<R> operation, Runnable action) {
    return TrackedFuture.watch(below.submit(operation), (result, failure) -> action.run());
  }

  private void closed(Handle file) {
    store.forget(any -> true);
    open.removeIf(object -> object.file.equals(file));
  }

  /** Returns the file through which the object of a handle was opened; a file names itself. */
  private Handle fileOf(Handle handle) {
    return open.find(handle).map(OpenObject::file).orElse(handle);
  }

  /** Returns the key of the object that a handle names, or null. */
  private @Nullable Key keyOf(Handle handle) {
    return open.find(handle).map(OpenObject::key).orElse(null);
  }

  /** Records which object a handle denotes; a new object may have the token of a deleted one. */
  private <R> CompletionStage<R> opening(Operation<R> operation) {
    Handle handle = operation.opens().orElseThrow();
    return TrackedFuture.watch(
        below.submit(operation),
        (result, failure) -> {
          if (result instanceof ObjectInfo info) {
            Key key = new Key(info.fileNumber(), info.token().address());
            if (operation.edits()) {
              store.forget(key::equals);
            }
            open.bind(handle, new OpenObject(fileOf(operation.subject()), key));
          }
        });
  }

  private <R> CompletionStage<R> edit(Operation<R> operation) {
    Key key = keyOf(operation.subject());
    store.beginEdit(key);
    return TrackedFuture.watch(below.submit(operation), (result, failure) -> store.endEdit(key));
  }

  private <R> CompletionStage<R> edit(DatasetOperation.WriteMulti writes, Operation<R> operation) {
    List<Key> edited = new ArrayList<>();
    for (DatasetOperation.Write write : writes.parts()) {
      edited.add(keyOf(write.dataset()));
    }
    edited.forEach(store::beginEdit);
    return TrackedFuture.watch(
        below.submit(operation), (result, failure) -> edited.forEach(store::endEdit));
  }

  // --- reading ---

  /** The facts that one read needs. */
  private record Plan(Key key, long version, Paging paging, DatasetOperation.Read read) {
    PageId id(long page) {
      return new PageId(key, read.transfer().memoryType(), page);
    }
  }

  @SuppressWarnings("unchecked") // a read's result is Void: R is Void
  private <R> CompletionStage<R> read(DatasetOperation.Read read) {
    Optional<Plan> plan = plan(read);
    if (plan.isEmpty()) {
      return (CompletionStage<R>) below.submit(read);
    }
    Map<Long, CompletableFuture<MemorySegment>> pages = pagesOf(plan.get());
    if (pages.isEmpty()) {
      return (CompletionStage<R>) below.submit(read);
    }
    CompletableFuture<Void> ready =
        CompletableFuture.allOf(pages.values().toArray(CompletableFuture[]::new));
    if (!SharedMemory.isShared(read.target().elements())) {
      // Only the caller's thread may copy: it waits, and the stage below carries a failure.
      ready.exceptionally(failure -> null).join();
    }
    return (CompletionStage<R>) ready.thenAccept(done -> copy(plan.get(), pages));
  }

  /** Returns the plan of a read; empty if the read is to be passed on unchanged. */
  private Optional<Plan> plan(DatasetOperation.Read read) {
    Key key = keyOf(read.dataset());
    Transfer transfer = read.transfer();
    if (key == null
        || transfer.options().collective()
        || transfer.memoryType().hasOutOfLineParts()
        || !store.isQuiet(key)) {
      return Optional.empty();
    }
    long version = store.version(key);
    Optional<DatasetInfo> info = describe(read.dataset(), key, version);
    if (info.isEmpty() || !isCacheable(info.get(), read)) {
      return Optional.empty();
    }
    long[] dims = info.get().space().dims();
    Paging paging = Paging.of(dims, transfer.memoryType().size(), pageBytes);
    return Optional.of(new Plan(key, version, paging, read));
  }

  /** Returns the dataset's properties, from the cache or by an operation. */
  private Optional<DatasetInfo> describe(Handle dataset, Key key, long version) {
    Optional<DatasetInfo> known = store.info(key);
    if (known.isPresent()) {
      return known;
    }
    CompletableFuture<DatasetInfo> asked =
        below.submit(new DatasetOperation.Describe(dataset)).toCompletableFuture();
    CompletableFuture<Void> kept =
        asked.handle((info, failure) -> {
          if (info != null) {
            store.info(key, version, info);
          }
          return null;
        });
    return kept.isDone() ? store.info(key) : Optional.empty();
  }

  private boolean isCacheable(DatasetInfo info, DatasetOperation.Read read) {
    Dataspace space = info.space();
    if (space.kind() != Dataspace.Kind.SIMPLE
        || space.elementCount() == 0
        || info.type().hasOutOfLineParts()
        || info.options().layout() instanceof Layout.Virtual
        || info.options().layout() instanceof Layout.External) {
      return false;
    }
    try {
      long count = read.transfer().requireFits(space, read.target());
      return count > 0 && count <= store.capacity() / 2 / read.transfer().memoryType().size();
    } catch (InvalidUseException e) {
      return false; // the connector below says what is wrong
    }
  }

  /** Returns the pages that a read touches, cached or being read; none if they are too many. */
  private Map<Long, CompletableFuture<MemorySegment>> pagesOf(Plan plan) {
    Set<Long> touched = touched(plan);
    Map<Long, CompletableFuture<MemorySegment>> pages = new HashMap<>();
    for (long page : touched) {
      Optional<MemorySegment> kept = store.page(plan.id(page));
      pages.put(
          page, kept.map(CompletableFuture::completedFuture).orElseGet(() -> fetch(plan, page)));
    }
    return pages;
  }

  private Set<Long> touched(Plan plan) {
    Set<Long> touched = new LinkedHashSet<>();
    long limit = Math.max(1, store.capacity() / 2 / pageBytes);
    RunCursor runs = plan.read.transfer().fileSelection().runs(plan.paging.dims());
    while (runs.next()) {
      long last = plan.paging.pageOf(runs.offset() + runs.length() - 1);
      for (long page = plan.paging.pageOf(runs.offset()); page <= last; page++) {
        touched.add(page);
        if (touched.size() > limit) {
          return Set.of();
        }
      }
    }
    return touched;
  }

  private CompletableFuture<MemorySegment> fetch(Plan plan, long page) {
    DatasetOperation.Read read = plan.read;
    long count = plan.paging.length(page);
    DataBuffer buffer = DataBuffer.allocate(read.transfer().memoryType(), count);
    Transfer transfer =
        new Transfer(
            read.transfer().memoryType(),
            Dataspace.simple(count),
            Selection.all(),
            plan.paging.selection(page),
            read.transfer().options());
    return below
        .submit(new DatasetOperation.Read(read.dataset(), transfer, buffer))
        .toCompletableFuture()
        .thenApply(done -> {
          store.keep(plan.id(page), plan.version, buffer.elements());
          return buffer.elements();
        });
  }

  private static void copy(Plan plan, Map<Long, CompletableFuture<MemorySegment>> pages) {
    Transfer transfer = plan.read.transfer();
    int size = transfer.memoryType().size();
    MemorySegment target = plan.read.target().elements();
    RunPairs pairs =
        RunPairs.of(
            transfer.fileSelection(),
            plan.paging.dims(),
            transfer.memorySelection(),
            transfer.memorySpace().dims());
    while (pairs.next()) {
      long done = 0;
      while (done < pairs.length()) {
        long offset = pairs.fileOffset() + done;
        long page = plan.paging.pageOf(offset);
        long inPage = offset - plan.paging.start(page);
        long n = Math.min(pairs.length() - done, plan.paging.length(page) - inPage);
        MemorySegment.copy(
            Objects.requireNonNull(pages.get(page)).join(),
            inPage * size,
            target,
            (pairs.memoryOffset() + done) * size,
            n * size);
        done += n;
      }
    }
  }

  @Override
  public void close() {
    store.forget(any -> true);
    open.removeIf(_ -> true);
    below.close();
  }
}
