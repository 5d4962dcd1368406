package org.hyperslab.plugins.libhdf5;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.vol.Operation;

/**
 * The state that all callbacks share: libhdf5, the objects that it holds, and the translators.
 *
 * <p>Thread rule: any thread that calls from libhdf5.
 */
final class Bridge {

  final Hdf5Calls hdf5;
  final ErrorStack errors;
  final PointerTable objects = new PointerTable();
  final OpenFiles files = new OpenFiles();
  final Mounts mounts = new Mounts();
  final TypeTranslator types;
  final SpaceTranslator spaces;
  final LibraryReferences references;
  final CElements elements;
  final PropertyReader properties;
  final FileLists fileLists;
  final LocalFilters localFilters;
  final CoreFiles core;
  final DriverFiles drivers;
  final FileRankDetection job;
  final AccessLists access;
  final PropertyWriter lists;
  final UserLinks userLinks;
  final LocationResolver locations;
  final FileOpener fileOpener;

  Bridge(Hdf5Calls hdf5) {
    this.hdf5 = hdf5;
    ProgramFilters.use(hdf5);
    this.errors = new ErrorStack(hdf5);
    this.types = new TypeTranslator(hdf5);
    this.spaces = new SpaceTranslator(hdf5);
    this.references = new LibraryReferences(hdf5, objects, spaces);
    this.elements = new CElements(references);
    this.properties = new PropertyReader(hdf5, spaces, elements);
    this.localFilters = new LocalFilters(hdf5, spaces, properties);
    this.fileLists = new FileLists(hdf5, properties);
    this.core = new CoreFiles(fileLists);
    this.drivers = new DriverFiles(hdf5, fileLists, files);
    this.job = new FileRankDetection(hdf5);
    this.lists = new PropertyWriter(hdf5, types, spaces, elements);
    this.access = new AccessLists(hdf5);
    this.fileOpener = new FileOpener(this);
    this.userLinks = new UserLinks(hdf5, objects);
    this.locations =
        new LocationResolver(
            access, objects, mounts, new ExternalTargets(this, fileOpener), userLinks);
  }

  /** Returns whether a call may return before its operation has completed. */
  static boolean asynchronous(OpenedFile file, long request) {
    return request != 0 && file.asynchronous();
  }

  /**
   * Executes an operation: synchronously, or asynchronously if the program passed an event set and
   * the connector is asynchronous.
   *
   * @param request the address at which libhdf5 expects a request for an asynchronous operation; 0
   *     if it waits
   */
  void run(OpenedFile file, Operation<?> operation, long request) {
    settle(file, file.submit(operation), request, null);
  }

  /**
   * Waits for a stage and does the remaining work, or leaves both to the thread that waits for the
   * request.
   */
  void settle(OpenedFile file, CompletableFuture<?> stage, long request, Runnable finish) {
    if (asynchronous(file, request)) {
      RequestUnderWay pending = new RequestUnderWay(stage, finish);
      RawMemory.setLong(request, objects.add(new BridgeObject.OfRequest(file, pending)));
      return;
    }
    OpenedFile.await(stage);
    if (finish != null) {
      finish.run();
    }
  }

  /** Returns the committed type of an identifier of a type, if it is committed. */
  Optional<BridgeObject> committed(long typeId) {
    if (types.isPredefined(typeId) || hdf5.status(Hdf5Function.T_COMMITTED, typeId) <= 0) {
      return Optional.empty();
    }
    return objects.find(hdf5.call(Hdf5Function.VL_OBJECT, typeId));
  }

  /**
   * Releases one use of a file, and closes the file if nothing else in it is open, or in the files
   * of the hierarchy of mounts that it belongs to.
   */
  void release(OpenedFile file, long request) {
    boolean unused = file.release();
    if (mounts.isEmpty()) {
      if (unused) {
        close(file, request);
      }
      return;
    }
    closeUnused(file, request);
  }

  /** Closes the files of the hierarchy that a file belongs to if nothing in them is open. */
  void closeUnused(OpenedFile file, long request) {
    List<OpenedFile> hierarchy = mounts.hierarchy(file);
    if (mounts.uses(hierarchy) <= 0) {
      hierarchy.forEach(each -> close(each, request));
    }
  }

  /**
   * Waits for the pending operations on a file; their results are reported to the callers that wait
   * for them.
   */
  private void awaitRequests(OpenedFile file) {
    objects.forEach((pointer, object) -> {
      if (object instanceof BridgeObject.OfRequest r && r.file() == file) {
        r.request().await(-1);
      }
    });
  }

  /** Closes a file, even if objects in it are open. */
  void close(OpenedFile file, long request) {
    if (!file.markClosed()) {
      return;
    }
    mounts.below(file).forEach(mount -> MountCallbacks.takeOff(this, mount));
    if (request == 0) {
      awaitRequests(file);
    }
    files.remove(file);
    lists.close(file.settings().accessList());
    CompletableFuture<Void> closing = file.closeInConnector();
    files.closing(file.key(), closing);
    settle(file, closing, request, null);
  }
}
