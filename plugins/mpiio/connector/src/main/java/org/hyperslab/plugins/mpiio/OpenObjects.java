package org.hyperslab.plugins.mpiio;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.mpiio.agree.ComparedCall;
import org.hyperslab.plugins.mpiio.agree.RootCalls;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.ObjectKey;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.Opened;
import org.hyperslab.plugins.mpiio.dataset.ParallelDataset;
import org.hyperslab.plugins.mpiio.dataset.RankFile;
import org.hyperslab.plugins.mpiio.dataset.RankQueries;
import org.hyperslab.plugins.mpiio.transfer.EngineDataset;
import org.hyperslab.plugins.mpiio.transfer.RawFile;
import org.hyperslab.plugins.mpiio.transfer.RootDataset;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;

/**
 * The open files and datasets of one rank. Executes the collective operations that open, close or
 * change them, and all other operations that rank 0 answers.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
final class OpenObjects {

  private static final byte[] NOTHING = new byte[0];

  /** The size of a dataset from which blocks are reserved for it. */
  private static final long WORTH_RESERVING = 64 << 10;

  /** The size of a dataset above which no blocks are reserved: it may be meant to stay sparse. */
  private static final long MAY_STAY_SPARSE = 1L << 30;

  private final OpenHandles handles;
  private final RootCalls root;
  private final RankQueries queries;
  private final RawFiles rawFiles;
  private final boolean earlyAllocation;
  private final Consumer<Handle> forget;
  private final Map<Long, RankFile> files = new ConcurrentHashMap<>();
  private final TreeMap<ObjectKey, Shared> datasets = new TreeMap<>();
  private long numbers;

  /** A dataset that is open under one or more handles. */
  private static final class Shared {
    final ParallelDataset dataset;
    int users;

    Shared(ParallelDataset dataset) {
      this.dataset = dataset;
    }
  }

  OpenObjects(
      OpenHandles handles,
      RootCalls root,
      RankQueries queries,
      RawFiles rawFiles,
      boolean earlyAllocation,
      Consumer<Handle> forget) {
    this.handles = handles;
    this.earlyAllocation = earlyAllocation;
    this.root = root;
    this.queries = queries;
    this.rawFiles = rawFiles;
    this.forget = forget;
  }

  /** The outcome of a deferred operation. */
  interface Outcome {
    /** Called when the operation has succeeded. */
    void done(Object result);

    /** Called when the operation has failed, on all ranks. */
    void failed(HyperslabException failure);
  }

  /**
   * Defers an operation until all ranks have agreed on it; see {@link
   * org.hyperslab.plugins.mpiio.agree.Agreement#defer}.
   *
   * @param operation an operation that creates a group, a dataset, a type or an attribute
   */
  void defer(ComparedCall call, Operation<?> operation, Outcome outcome) {
    Handle handle = operation.opens().orElse(null);
    if (handle == null) {
      root.defer(
          call,
          operation,
          result -> NOTHING,
          answer -> outcome.done(answer.result()),
          outcome::failed);
      return;
    }
    long number = ++numbers;
    Operation<?> allocated =
        operation instanceof DatasetOperation.Create create ? allocating(create) : operation;
    String name = name(operation);
    handles.expect(handle, label(kind(operation), number, name));
    root.defer(
        call,
        allocated,
        result -> snapshot(result, handle, operation instanceof DatasetOperation.Create),
        answer -> outcome.done(opened(operation, number, name, answer)),
        failure -> {
          handles.fail(handle, failure);
          outcome.failed(failure);
        });
  }

  private static ObjectKind kind(Operation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Create create -> ObjectKind.DATASET;
      case TypeOperation.Commit commit -> ObjectKind.COMMITTED_TYPE;
      default -> ObjectKind.GROUP;
    };
  }

  private static String label(ObjectKind kind, long number, String name) {
    return kind + " " + number + " (" + name + ")";
  }

  private static String name(Operation<?> operation) {
    return switch (operation) {
      case ObjectOperation.Open open -> open.at().path();
      case DatasetOperation.Create create -> create.at().path();
      default -> operation.getClass().getSimpleName();
    };
  }

  /** Executes a collective operation once all ranks have agreed on it, and returns its result. */
  Object execute(ComparedCall call, Operation<?> operation) {
    numbers += operation.opens().isPresent() ? 1 : 0;
    return switch (operation) {
      case FileOperation.Open open -> openFile(call, open, open.name(), open.options());
      case FileOperation.Create create ->
          openFile(call, create, create.name(), create.options().access().withWritable(true));
      case FileOperation.Flush flush -> flush(call, flush);
      case FileOperation.Close close -> closeFile(call, close);
      case ObjectOperation.Flush flush -> flush(call, flush);
      case DatasetOperation.Create create -> openObject(call, allocating(create));
      case DatasetOperation.SetExtent extent -> changing(call, extent, extent.dataset());
      case DatasetOperation.Extend extend -> changing(call, extend, extend.dataset());
      case DatasetOperation.SetAccess access -> throw access.elsewhere();
      case DatasetOperation.WriteChunk write -> changing(call, write, write.dataset());
      case ObjectOperation.Refresh refresh -> changing(call, refresh, refresh.object());
      default ->
          operation.opens().isPresent()
              ? openObject(call, operation)
              : root.call(call, operation, result -> NOTHING).result();
    };
  }

  // --- files ---

  private Object openFile(
      ComparedCall call, FileOperation<FileInfo> operation, String name, OpenOptions options) {
    Handle handle = operation.subject();
    RootCalls.Answer answer = root.call(call, operation, result -> queries.address());
    queries.reach(answer.snapshot());
    FileInfo info = (FileInfo) answer.result();
    RankFile file = files.get(info.fileNumber());
    if (file == null) {
      file = new RankFile(info.fileNumber(), name, options, rawFile(handle, name, options));
      files.put(info.fileNumber(), file);
    }
    file.retain();
    String label = "file " + numbers + " (" + name + ")";
    handles.put(new Opened(handle, numbers, label, handle, options.writable(), file, null, null));
    return info;
  }

  /**
   * Opens access to the bytes of a file. If one rank cannot access them, no rank has the file open.
   */
  private RawFile rawFile(Handle handle, String name, OpenOptions options) {
    try {
      return rawFiles.open(name, options);
    } catch (HyperslabException failure) {
      if (root.engine() != null) {
        RootCalls.await(root.engine(), new FileOperation.Close(handle));
      }
      throw failure;
    }
  }

  private Object flush(ComparedCall call, Operation<?> operation) {
    RankFile file = handles.require(operation.subject()).file();
    throwIfAny(flushed(call, operation, file));
    return null;
  }

  /** Closes a file, even if it could not be flushed. */
  private Object closeFile(ComparedCall call, FileOperation.Close close) {
    Opened opened = handles.require(close.file());
    HyperslabException failure = flushed(call, close, opened.file());
    dropFile(opened);
    throwIfAny(failure);
    return null;
  }

  private static void throwIfAny(HyperslabException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Makes rank 0 flush or close a file, including the writes of all ranks. If no other rank has to
   * make bytes durable, this takes one question to rank 0.
   *
   * @return the failure on all ranks, or null
   * @throws HyperslabException if the ranks do not agree on the call; then nothing was done
   */
  private HyperslabException flushed(ComparedCall call, Operation<?> operation, RankFile file) {
    if (!rawFiles.forcesElsewhere(file)) {
      return rawFiles.reportingWrites(
          file,
          mine ->
              root.attempt(
                  call,
                  operation,
                  new long[] {mine},
                  least -> noteWritten(operation.subject(), least[0] == 0)));
    }
    boolean wrote =
        rawFiles.reportingWrites(file, mine -> root.agreement().require(call, null, mine)[0] == 0);
    HyperslabException failure = wrote ? forced(file) : null;
    if (failure != null && !(operation instanceof FileOperation.Close)) {
      return failure;
    }
    HyperslabException later =
        root.attempt(
            null, operation, new long[0], least -> noteWritten(operation.subject(), wrote));
    return failure == null ? later : failure;
  }

  /**
   * Makes the ranks' writes durable. After a failure, every rank reports its writes again at the
   * next flush.
   */
  private HyperslabException forced(RankFile file) {
    try {
      rawFiles.force(file);
      return null;
    } catch (HyperslabException failure) {
      file.raw().noteWrote();
      return failure;
    }
  }

  /**
   * Records on rank 0 that ranks wrote past the engine, so that its next flush makes these writes
   * durable.
   */
  private void noteWritten(Handle handle, boolean wrote) {
    if (wrote) {
      root.engine().rawWritten(handle);
    }
  }

  /** Removes a file and everything that was opened through it from this rank. */
  void dropFile(Opened file) {
    handles
        .of(file.handle())
        .forEach(each -> {
          if (!each.isFile()) {
            drop(each);
          }
        });
    handles.remove(file.handle());
    forget.accept(file.handle());
    if (file.file().release()) {
      files.remove(file.file().number());
    }
  }

  // --- objects ---

  private Object openObject(ComparedCall call, Operation<?> operation) {
    Handle handle = operation.opens().orElseThrow();
    boolean created = operation instanceof DatasetOperation.Create;
    RootCalls.Answer answer =
        root.call(call, operation, result -> snapshot(result, handle, created));
    return opened(operation, numbers, name(operation), answer);
  }

  /** Registers an object on this rank. */
  private ObjectInfo opened(
      Operation<?> operation, long number, String name, RootCalls.Answer answer) {
    Handle handle = operation.opens().orElseThrow();
    ObjectInfo info = (ObjectInfo) answer.result();
    Opened at = handles.require(operation.subject());
    ObjectKey key = new ObjectKey(info.fileNumber(), info.token().address());
    ParallelDataset dataset =
        info.kind() == ObjectKind.DATASET ? dataset(key, handle, answer.snapshot()) : null;
    String label = label(info.kind(), number, name);
    handles.put(
        new Opened(handle, number, label, at.session(), at.writable(), at.file(), key, dataset));
    return info;
  }

  /** Registers an object that this rank has opened by itself. */
  ObjectInfo openedAlone(Operation<?> operation, RootCalls.Answer answer) {
    return opened(operation, numbers, name(operation), answer);
  }

  /**
   * Returns, on rank 0, the storage snapshot of a dataset that was just opened. On any thread, if
   * the dataset was not created.
   */
  byte[] snapshot(Object result, Handle handle, boolean created) {
    ObjectInfo info = (ObjectInfo) result;
    if (info.kind() != ObjectKind.DATASET) {
      return NOTHING;
    }
    EngineDataset dataset = new EngineDataset(root.engine(), handle);
    RankFile file = files.get(info.fileNumber());
    if (file != null && file.isWritable()) {
      dataset.storage().settle();
      if (created && file.raw() != null && file.raw().reserves()) {
        dataset.storage().reserve(WORTH_RESERVING, MAY_STAY_SPARSE);
      }
    }
    return dataset.snapshot();
  }

  private ParallelDataset dataset(ObjectKey key, Handle handle, byte[] snapshot) {
    Shared shared = datasets.get(key);
    if (shared == null) {
      RankFile file = files.get(key.fileNumber());
      RootDataset engine = root.engine() == null ? null : new EngineDataset(root.engine(), handle);
      shared =
          new Shared(
              new ParallelDataset(
                  file == null ? null : file.raw(), root.agreement(), engine, snapshot));
      datasets.put(key, shared);
    } else if (shared.dataset.root() instanceof EngineDataset engine) {
      engine.opened(handle);
    }
    shared.users++;
    return shared.dataset;
  }

  /** Removes an object from this rank. */
  void drop(Opened object) {
    handles.remove(object.handle());
    forget.accept(object.handle());
    Shared shared = object.key() == null ? null : datasets.get(object.key());
    if (shared == null) {
      return;
    }
    if (shared.dataset.root() instanceof EngineDataset engine) {
      engine.closed(object.handle());
    }
    if (--shared.users == 0) {
      datasets.remove(object.key());
      shared.dataset.close();
    }
  }

  // --- storage ---

  /**
   * Makes a creation allocate storage at once unless the user says otherwise, so that ranks know
   * the places.
   */
  private DatasetOperation.Create allocating(DatasetOperation.Create create) {
    DatasetOperation.Spec spec = create.spec();
    DatasetOptions options = spec.options();
    boolean early =
        earlyAllocation
            && options.allocationTime() == AllocationTime.DEFAULT
            && options.filters().isEmpty()
            && !(options.layout() instanceof Layout.External)
            && !(options.layout() instanceof Layout.Virtual);
    if (!early) {
      return create;
    }
    DatasetOptions allocated = options.toBuilder().allocationTime(AllocationTime.EARLY).build();
    return create.withSpec(
        new DatasetOperation.Spec(spec.type(), spec.committedType(), spec.space(), allocated));
  }

  /** Executes an operation that may change a dataset's storage. */
  private Object changing(ComparedCall call, Operation<?> operation, Handle handle) {
    ParallelDataset dataset = handles.require(handle).dataset();
    RootCalls.Answer answer =
        root.call(
            call, operation, result -> dataset == null ? NOTHING : refreshed(dataset, handle));
    if (dataset != null) {
      dataset.adopt(answer.snapshot());
    }
    return answer.result();
  }

  private byte[] refreshed(ParallelDataset dataset, Handle handle) {
    if (handles.require(handle).writable()) {
      dataset.root().storage().settle();
    }
    return dataset.root().snapshot();
  }

  /**
   * Refreshes all open datasets, because a write to another dataset may have changed them;
   * collective.
   */
  void refreshAll() {
    List<Shared> all = List.copyOf(datasets.values());
    byte[] snapshots = root.ask(() -> snapshots(all));
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshots));
      for (Shared each : all) {
        each.dataset.adopt(in.readNBytes(in.readInt()));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private byte[] snapshots(List<Shared> all) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      for (Shared each : all) {
        byte[] snapshot = each.dataset.root().snapshot();
        out.writeInt(snapshot.length);
        out.write(snapshot);
      }
      out.flush();
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
