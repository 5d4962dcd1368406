package org.hyperslab.plugins.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.compacting.plan.Region;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.MultiTransfers;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.base.OpenTable;

/**
 * Appends elements to a log on fast storage, and migrates them to the file later. A file is edited
 * in a part beside it, which takes its place when it is closed and migrated: until then, and in any
 * crash, the file has the state of an earlier close.
 *
 * <p>Elements are logged if they need no conversion. All other operations are passed on to the
 * part, in their order. Files that are only read, and files that are not single files of this
 * machine, are not logged.
 *
 * <p>Thread rule: any thread.
 */
final class LogConnector extends PassThroughConnector {

  /** The transfer property that says when a write is complete. */
  private static final String ACKNOWLEDGE = "acknowledge";

  private final LogContext context;
  private final LogFiles files;
  private final OpenTable<LogFiles.OpenFile> openFiles = new OpenTable<>();
  private final OpenTable<OpenObject> objects = new OpenTable<>();

  /**
   * An open handle in a logged file; of a file too.
   *
   * @param through the handle of the file through which it was opened
   * @param file the file
   * @param writable whether that handle was opened for editing
   * @param dataset the dataset; null for other objects
   */
  private record OpenObject(
      Handle through, LoggedFile file, boolean writable, LoggedDataset dataset) {}

  /**
   * Creates a connector over another one, which is closed with it.
   *
   * @param context what its files share
   */
  LogConnector(LogContext context) {
    super("log", context.below());
    this.context = context;
    this.files = new LogFiles(context);
  }

  @Override
  public <R> CompletionStage<R> submit(Operation<R> operation) {
    try {
      return carriedOut(operation);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(HyperslabException.of(failure, "log"));
    }
  }

  private <R> CompletionStage<R> carriedOut(Operation<R> operation) {
    return switch (operation) {
      case FileOperation.Create o -> cast(created(o));
      case FileOperation.Open o -> cast(opened(o));
      case FileOperation.Close o -> closed(o.file(), operation);
      case FileOperation.Flush o -> flushed(o.file(), operation);
      case FileOperation.Describe o -> cast(described(o));
      case FileOperation.Delete o -> cast(deleted(o));
      case FileOperation.Exists o -> cast(exists(o));
      case DatasetOperation.Write o -> cast(write(o));
      case DatasetOperation.Read o -> cast(read(o));
      case DatasetOperation.Multi o -> cast(several(o));
      case DatasetOperation.SetExtent o -> resized(o.dataset(), operation, o.dims());
      case DatasetOperation.Extend o -> resized(o.dataset(), operation, null);
      case DatasetOperation.Create o -> opening(operation);
      case DatasetOperation.Describe o -> described(o, operation);
      case DatasetOperation<?> o -> onDataset(o.subject(), operation);
      case LinkOperation.CreateHard o -> linked(o, operation);
      case LinkOperation.Delete o -> onFile(operation);
      case ObjectOperation.CountReference o -> onFile(operation);
      case ObjectOperation.Copy o -> onFile(operation);
      case ObjectOperation.Measure o -> onFile(operation);
      case ObjectOperation.Close o -> closedObject(o, operation);
      case ObjectOperation.Flush o -> flushed(o.object(), operation);
      case ObjectOperation.Refresh o -> refreshed(o, operation);
      case StepOperation.Start o -> started(o, operation);
      default -> operation.opens().isPresent() ? opening(operation) : pass(operation);
    };
  }

  @SuppressWarnings("unchecked") // the caller knows the result of its operation
  private static <R> CompletionStage<R> cast(CompletionStage<?> stage) {
    return (CompletionStage<R>) stage;
  }

  private OpenObject known(Handle handle) {
    return objects.find(handle).orElse(null);
  }

  private <R> CompletionStage<R> pass(Operation<R> operation) {
    OpenObject object = known(operation.subject());
    return object == null ? below.submit(operation) : object.file.pass(operation);
  }

  // --- files ---

  private CompletionStage<FileInfo> created(FileOperation.Create create) {
    Optional<LogNames> names = LogFiles.names(create.name(), create.options().access());
    return names.isEmpty()
        ? below.submit(create)
        : bound(create.file(), files.create(create, names.get()), true);
  }

  private CompletionStage<FileInfo> opened(FileOperation.Open open) {
    Optional<LogNames> names = LogFiles.names(open.name(), open.options());
    return names.isEmpty()
        ? below.submit(open)
        : bound(open.file(), files.open(open, names.get()), open.options().writable());
  }

  private CompletionStage<FileInfo> bound(Handle handle, LogFiles.Opened opened, boolean writable) {
    openFiles.bind(handle, opened.file());
    if (opened.file().logged() != null) {
      objects.bind(handle, new OpenObject(handle, opened.file().logged(), writable, null));
    }
    return CompletableFuture.completedFuture(opened.info());
  }

  private <R> CompletionStage<R> closed(Handle file, Operation<R> close) {
    Optional<LogFiles.OpenFile> open = openFiles.remove(file);
    if (open.isEmpty()) {
      return below.submit(close);
    }
    Map<Handle, LoggedDataset> datasets = new HashMap<>();
    objects.forEach((handle, object) -> {
      if (object.through.equals(file)) {
        objects.remove(handle);
        if (object.dataset != null) {
          datasets.put(handle, object.dataset);
        }
      }
    });
    if (!datasets.isEmpty()) {
      open.get().logged().release(datasets);
    }
    return files.close(open.get(), close);
  }

  private <R> CompletionStage<R> flushed(Handle handle, Operation<R> flush) {
    OpenObject object = known(handle);
    if (object == null || !object.writable) {
      return below.submit(flush);
    }
    object.file.commit();
    return CompletableFuture.completedFuture(null);
  }

  private CompletionStage<FileInfo> described(FileOperation.Describe describe) {
    Optional<LogFiles.OpenFile> open = openFiles.find(describe.file());
    CompletionStage<FileInfo> stage = pass(describe);
    return open.isEmpty()
        ? stage
        : stage.thenApply(info -> LogFiles.named(info, open.get().name()));
  }

  private CompletionStage<Void> deleted(FileOperation.Delete delete) {
    Optional<LogNames> names = LogFiles.names(delete.name(), OpenOptions.READ);
    return names.isEmpty() ? below.submit(delete) : files.delete(delete, names.get());
  }

  private CompletionStage<Boolean> exists(FileOperation.Exists exists) {
    Optional<LogNames> names = LogFiles.names(exists.name(), OpenOptions.READ);
    Optional<CompletableFuture<Boolean>> known = names.flatMap(files::exists);
    return known.isPresent() ? known.get() : below.submit(exists);
  }

  // --- objects ---

  private <R> CompletionStage<R> opening(Operation<R> operation) {
    OpenObject base = known(operation.subject());
    if (base == null) {
      return below.submit(operation);
    }
    CompletionStage<R> stage = base.file.pass(operation);
    CompletableFuture<R> result = stage.toCompletableFuture();
    result.exceptionally(failure -> null).join();
    if (!result.isCompletedExceptionally() && result.join() instanceof ObjectInfo info) {
      bind(operation, base, info);
    }
    return stage;
  }

  private void bind(Operation<?> operation, OpenObject base, ObjectInfo info) {
    Handle handle = operation.opens().orElseThrow();
    if (info.fileNumber() != base.file.session().fileNumber()) {
      return; // in another file, behind an external link
    }
    boolean created = operation instanceof DatasetOperation.Create;
    LoggedDataset dataset =
        info.kind() == ObjectKind.DATASET
            ? base.file.dataset(handle, info.token().address(), created)
            : null;
    if (dataset != null && operation instanceof DatasetOperation.Create create) {
      dataset.linked(!create.at().path().isEmpty());
    }
    if (dataset != null && base.writable) {
      dataset.opened(handle);
    }
    objects.bind(handle, new OpenObject(base.through, base.file, base.writable, dataset));
  }

  private <R> CompletionStage<R> linked(LinkOperation.CreateHard link, Operation<R> same) {
    CompletionStage<R> stage = pass(same);
    OpenObject target = known(link.target().base());
    if (target != null && target.dataset != null && link.target().isBase()) {
      stage.thenRun(() -> target.dataset.linked(true));
    }
    return stage;
  }

  private <R> CompletionStage<R> closedObject(ObjectOperation.Close close, Operation<R> same) {
    if (openFiles.find(close.object()).isPresent()) {
      return closed(close.object(), same);
    }
    Optional<OpenObject> object = objects.remove(close.object());
    return object.isPresent() && object.get().dataset != null
        ? object.get().file.closed(object.get().dataset, close.object(), same)
        : below.submit(same);
  }

  private <R> CompletionStage<R> refreshed(ObjectOperation.Refresh refresh, Operation<R> same) {
    OpenObject object = known(refresh.object());
    return object == null || object.dataset == null
        ? pass(same)
        : object.file.resized(object.dataset, refresh.object(), same, true);
  }

  /**
   * Carries out an operation that needs all elements of its file, and of others, in their place.
   */
  private <R> CompletionStage<R> onFile(Operation<R> operation) {
    OpenObject object = known(operation.subject());
    settleOthers(operation, object == null ? null : object.file);
    if (object == null) {
      return below.submit(operation);
    }
    if (operation.edits()) {
      object.file.mayHaveOrphans();
    }
    return object.file.settled(operation);
  }

  private void settleOthers(Operation<?> operation, LoggedFile except) {
    for (Handle used : operation.uses()) {
      OpenObject object = known(used);
      if (object != null && object.file != except) {
        object.file.settle();
      }
    }
  }

  /** Starts steps of a file that has no log, because readers follow it. */
  private <R> CompletionStage<R> started(StepOperation.Start start, Operation<R> same) {
    OpenObject object = known(start.file());
    if (object == null) {
      return below.submit(same);
    }
    throw new UnsupportedFeatureException(
        "startSteps: actual=a file whose elements go to a log, where readers do not find them,"
            + " expected=a file that was created or opened with swmr, which has no log");
  }

  private <R> CompletionStage<R> onDataset(Handle handle, Operation<R> operation) {
    OpenObject object = known(handle);
    if (object == null || object.dataset == null) {
      return below.submit(operation);
    }
    if (object.dataset.isElsewhere()) {
      settleAll();
    }
    return object.file.settled(object.dataset, operation);
  }

  private void settleAll() {
    Set<LoggedFile> all = new LinkedHashSet<>();
    objects.values().forEach(object -> all.add(object.file));
    all.forEach(LoggedFile::settle);
  }

  private <R> CompletionStage<R> described(DatasetOperation.Describe describe, Operation<R> same) {
    OpenObject object = known(describe.dataset());
    boolean counts = describe.counted() && object != null && object.dataset != null;
    return counts && object.dataset.isPending()
        ? object.file.settled(object.dataset, same)
        : pass(same);
  }

  private <R> CompletionStage<R> resized(Handle handle, Operation<R> operation, List<Long> dims) {
    OpenObject object = known(handle);
    if (object == null || object.dataset == null) {
      return below.submit(operation);
    }
    return object.file.resized(
        object.dataset, handle, operation, dims == null || grows(object.dataset, dims));
  }

  private static boolean grows(LoggedDataset dataset, List<Long> dims) {
    long[] now = dataset.space().dims();
    for (int d = 0; d < now.length && d < dims.size(); d++) {
      if (dims.get(d) < now[d]) {
        return false;
      }
    }
    return true;
  }

  // --- elements ---

  private CompletionStage<Void> several(DatasetOperation.Multi multi) {
    for (int i = 0; i < multi.parts().size(); i++) {
      OpenObject object = known(multi.parts().get(i).subject());
      boolean plain = object != null && object.dataset != null && !object.dataset.isElsewhere();
      if (!plain || multi.edits() && !object.writable) {
        settleAll();
        return pass(multi);
      }
      MultiTransfers.requireFits(multi, i, object.dataset.type(), object.dataset.space());
    }
    return MultiTransfers.submit(multi, this::submit);
  }

  private CompletionStage<Void> write(DatasetOperation.Write write) {
    OpenObject object = known(write.dataset());
    if (object == null || object.dataset == null || !object.writable) {
      return pass(write);
    }
    Optional<Region> region = object.dataset.region(write.transfer(), write.source());
    if (region.isEmpty()) {
      return onDataset(write.dataset(), write);
    }
    object.file.write(object.dataset, write, region.get(), acknowledge(write.transfer()));
    return CompletableFuture.completedFuture(null);
  }

  private LogOptions.Acknowledge acknowledge(Transfer transfer) {
    String text = transfer.options().properties().get(ACKNOWLEDGE);
    return text == null
        ? context.options().acknowledge()
        : LogOptions.Acknowledge.of(text)
            .orElseThrow(() ->
                new InvalidUseException(
                    "transfer property "
                        + ACKNOWLEDGE
                        + ": actual="
                        + text
                        + ", expected=received, written or durable"));
  }

  private CompletionStage<Void> read(DatasetOperation.Read read) {
    OpenObject object = known(read.dataset());
    if (object == null || object.dataset == null) {
      return below.submit(read);
    }
    if (object.dataset.isElsewhere()) {
      return onDataset(read.dataset(), read);
    }
    if (!object.dataset.isPending()) {
      return object.file.pass(read);
    }
    Optional<Region> region = object.dataset.region(read.transfer(), read.target());
    return region.isPresent() && object.file.read(object.dataset, read, region.get())
        ? CompletableFuture.completedFuture(null)
        : object.file.settled(object.dataset, read);
  }

  @Override
  public void close() {
    List<HyperslabException> failures = new ArrayList<>();
    List<Handle> open = new ArrayList<>();
    openFiles.forEach((handle, file) -> open.add(handle));
    for (Handle each : open) {
      try {
        LogMigration.done(this, new FileOperation.Close(each));
      } catch (HyperslabException e) {
        failures.add(e);
      }
    }
    failures.addAll(files.awaitAll());
    context.close();
    below.close();
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }
}
