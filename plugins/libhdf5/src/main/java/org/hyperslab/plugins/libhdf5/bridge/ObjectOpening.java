package org.hyperslab.plugins.libhdf5.bridge;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.DatasetState;
import org.hyperslab.plugins.libhdf5.object.IdType;
import org.hyperslab.plugins.libhdf5.object.OpenedPath;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/** Opens, creates and closes groups, datasets and committed types. */
public final class ObjectOpening {

  private final Bridge bridge;

  public ObjectOpening(Bridge bridge) {
    this.bridge = bridge;
  }

  /**
   * Executes an operation that opens an object.
   *
   * @param file the file
   * @param operation the operation, which names the new handle
   * @param kind the kind of object that it opens
   * @param path the path from the root, if known
   * @param extra the additional arguments
   * @return the pointer
   */
  public long add(
      OpenedFile file,
      Operation<ObjectInfo> operation,
      ObjectKind kind,
      OpenedPath path,
      Extra extra) {
    Handle handle = operation.opens().orElseThrow();
    DatasetState dataset =
        kind == ObjectKind.DATASET ? state(file, handle, operation, extra) : null;
    CompletableFuture<ObjectInfo> stage = file.submit(operation);
    if (Bridge.asynchronous(file, extra.request)) {
      stage = dataset == null ? stage : stage.thenApply(dataset::identified);
      bridge.settle(file, stage, extra.request, null);
    } else {
      ObjectInfo info = opened(file, handle, stage);
      requireKind(info, kind, file, handle);
      if (dataset != null) {
        dataset.identify(info.token());
      }
    }
    file.use();
    return bridge.objects.add(
        new BridgeObject.OfObject(
            file, handle, IdType.of(kind), stage, dataset, path, extra.opening));
  }

  private static DatasetState state(
      OpenedFile file, Handle handle, Operation<ObjectInfo> operation, Extra extra) {
    DatasetState state = new DatasetState(file, handle, extra.accessList);
    if (operation instanceof DatasetOperation.Create create) {
      state.created(create.spec());
    }
    return state;
  }

  /**
   * The additional arguments of an opening.
   *
   * @param accessList the access list of a dataset; 0 for the default
   * @param request the address where a request is to be stored; 0 for none
   * @param opening the number of the file's identifier
   */
  public record Extra(long accessList, long request, long opening) {

    /** Returns these arguments for another identifier of a file. */
    Extra through(long other) {
      return new Extra(accessList, request, other);
    }
  }

  /** Opens the object at a path, which must be of the given kind. */
  public long open(
      long base, long parameters, long name, ObjectKind kind, long linkAccess, Extra extra) {
    try (LocationResolver.Place place =
        bridge.locations.named(base, parameters, RawMemory.text(name), linkAccess, true)) {
      long pointer =
          add(
              place.file(),
              new ObjectOperation.Open(Handle.fresh(), place.at()),
              kind,
              path(bridge.objects.get(base), place.named()),
              extra.through(place.opening()));
      return Bridge.asynchronous(place.file(), extra.request)
          ? pointer
          : inOwnFile(pointer, place, kind, extra);
    }
  }

  /** Opens an object by the file that it is in, if external links led there, instead. */
  private long inOwnFile(long pointer, LocationResolver.Place place, ObjectKind kind, Extra extra) {
    ObjectInfo info = bridge.objects.get(pointer, BridgeObject.OfObject.class).info().join();
    Optional<LocationResolver.Place> own = bridge.locations.inOwnFile(place, info);
    if (own.isEmpty()) {
      return pointer;
    }
    try (LocationResolver.Place there = own.get()) {
      long list = extra.accessList == 0 ? 0 : bridge.lists.copy(extra.accessList);
      long opened =
          add(
              there.file(),
              new ObjectOperation.Open(Handle.fresh(), there.at()),
              kind,
              null,
              new Extra(list, 0, there.opening()));
      close(pointer, 0);
      return opened;
    }
  }

  /** Waits for an object to be opened; connectors keep a failure until its handle is closed. */
  private static ObjectInfo opened(
      OpenedFile file, Handle handle, CompletableFuture<ObjectInfo> stage) {
    try {
      return OpenedFile.await(stage);
    } catch (RuntimeException failure) {
      file.submit(new ObjectOperation.Close(handle));
      throw failure;
    }
  }

  private static void requireKind(
      ObjectInfo info, ObjectKind kind, OpenedFile file, Handle handle) {
    if (info.kind() != kind) {
      file.submit(new ObjectOperation.Close(handle));
      throw new InvalidUseException(
          "object: actual=" + info.kind() + ", expected=" + kind + ", at=" + file.name());
    }
  }

  /**
   * Returns the path from the root to a location relative to an object, or null if the object has
   * no path.
   */
  public static OpenedPath path(BridgeObject base, Location at) {
    String name = at.isBase() ? "" : at.path();
    if (name.startsWith("/")) {
      return OpenedPath.ROOT.below(name);
    }
    OpenedPath above = base.opened();
    return above == null || at.base() != base.handle() ? null : above.below(name);
  }

  /**
   * Closes an object, unless it has been closed before: libhdf5 closes what failed to close again
   * and again as it ends, and aborts the program if that fails.
   */
  public long close(long pointer, long request) {
    BridgeObject removed = bridge.objects.remove(pointer);
    if (removed == null) {
      return 0;
    }
    if (!(removed instanceof BridgeObject.OfObject object)) {
      throw new InvalidUseException(
          "object to close: actual=" + removed + ", expected=a group, dataset or committed type");
    }
    OpenedFile file = object.file();
    if (object.dataset() != null) {
      object.dataset().close();
      bridge.lists.close(object.dataset().accessList());
    }
    CompletableFuture<Void> closed =
        file.isClosed() || object.info().isCompletedExceptionally()
            ? CompletableFuture.completedFuture(null)
            : file.submit(new ObjectOperation.Close(object.handle()));
    bridge.settle(file, closed, request, null);
    bridge.release(file, 0);
    return 0;
  }
}
