package org.hyperslab.plugins.libhdf5.bridge;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.plugins.libhdf5.call.ErrorStack;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.AccessLists;
import org.hyperslab.plugins.libhdf5.file.FileRankDetection;
import org.hyperslab.plugins.libhdf5.file.Mounts;
import org.hyperslab.plugins.libhdf5.file.OpenFiles;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.filter.ProgramFilters;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.PointerTable;
import org.hyperslab.plugins.libhdf5.object.RequestUnderWay;
import org.hyperslab.plugins.libhdf5.translate.CElements;
import org.hyperslab.plugins.libhdf5.translate.FileLists;
import org.hyperslab.plugins.libhdf5.translate.LibraryReferences;
import org.hyperslab.plugins.libhdf5.translate.LocalFilters;
import org.hyperslab.plugins.libhdf5.translate.PropertyReader;
import org.hyperslab.plugins.libhdf5.translate.PropertyWriter;
import org.hyperslab.plugins.libhdf5.translate.SpaceTranslator;
import org.hyperslab.plugins.libhdf5.translate.TypeTranslator;
import org.hyperslab.vol.Operation;

/**
 * The state that all callbacks share: libhdf5, the objects that it holds, and the translators.
 *
 * <p>Thread rule: any thread that calls from libhdf5.
 */
public final class Bridge {

  public final Hdf5Calls hdf5;
  public final ErrorStack errors;
  public final PointerTable objects = new PointerTable();
  public final OpenFiles files = new OpenFiles();
  public final Mounts mounts = new Mounts();
  public final TypeTranslator types;
  public final SpaceTranslator spaces;
  public final LibraryReferences references;
  public final CElements elements;
  public final PropertyReader properties;
  public final FileLists fileLists;
  public final LocalFilters localFilters;
  final CoreFiles core;
  public final DriverFiles drivers;
  public final FileRankDetection job;
  public final AccessLists access;
  public final PropertyWriter lists;
  public final UserLinks userLinks;
  public final LocationResolver locations;
  public final FileOpener fileOpener;

  public Bridge(Hdf5Calls hdf5) {
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
  public void run(OpenedFile file, Operation<?> operation, long request) {
    settle(file, file.submit(operation), request, null);
  }

  /**
   * Waits for a stage and does the remaining work, or leaves both to the thread that waits for the
   * request.
   */
  public void settle(OpenedFile file, CompletableFuture<?> stage, long request, Runnable finish) {
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
  public Optional<BridgeObject> committed(long typeId) {
    if (types.isPredefined(typeId) || hdf5.status(Hdf5Function.T_COMMITTED, typeId) <= 0) {
      return Optional.empty();
    }
    return objects.find(hdf5.call(Hdf5Function.VL_OBJECT, typeId));
  }

  /**
   * Releases one use of a file, and closes the file if nothing else in it is open, or in the files
   * of the hierarchy of mounts that it belongs to.
   */
  public void release(OpenedFile file, long request) {
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
  public void close(OpenedFile file, long request) {
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
