package org.hyperslab.plugins.libhdf5.bridge;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.libhdf5.call.AccessFlags;
import org.hyperslab.plugins.libhdf5.file.DriverStore;
import org.hyperslab.plugins.libhdf5.file.FileRanks;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;

/** Creates and opens files, for the program and for external links that are followed for it. */
public final class FileOpener {

  private final Bridge bridge;

  FileOpener(Bridge bridge) {
    this.bridge = bridge;
  }

  /**
   * Creates a file and returns the pointer of an identifier.
   *
   * @param file its name
   * @param flags values of {@code H5F_ACC_…}
   * @param creationList the creation property list
   * @param accessList the access property list
   * @param request the address at which a request is stored; 0 if the program waits
   */
  public long create(String file, int flags, long creationList, long accessList, long request) {
    boolean ownDriver = bridge.fileLists.hasOwnDriver(accessList);
    CoreFiles.Storage storage =
        ownDriver
            ? bridge.drivers.toCreate(
                bridge.fileLists.configuration(accessList), file, flags, accessList)
            : bridge.core.toCreate(ranks(accessList, true), file, accessList);
    FileRanks ranks = storage.ranks();
    OpenedFile.FileKey key =
        ownDriver ? driverKey(storage) : bridge.files.key(ranks.configuration(), storage.path());
    Optional<OpenedFile> known = bridge.files.find(key);
    if (known.isPresent()) {
      throw (flags & AccessFlags.TRUNCATE) != 0
          ? new InvalidUseException(
              "file to create: actual=open in this program, expected=closed, at=" + file)
          : new AlreadyExistsException("file to create: actual=open, expected=none, at=" + file);
    }
    boolean swmr = (flags & AccessFlags.SWMR_WRITE) != 0;
    return open(
        new Opening(storage, key, file, accessList, true, swmr),
        () -> {
          OpenOptions access = bridge.fileLists.access(accessList, true, swmr);
          bridge.fileLists.requireAligned(creationList, accessList);
          bridge.fileLists.requirePages(creationList, accessList);
          boolean exclusive =
              (flags & AccessFlags.EXCLUSIVE) != 0
                  && storage.memory() == null
                  && storage.driver() == null;
          return new FileOperation.Create(
              Handle.fresh(),
              storage.path(),
              bridge.fileLists.creation(creationList, exclusive, access));
        },
        request);
  }

  /** Opens a file and returns the pointer of an identifier; the parameters are those of create. */
  public long open(String file, int flags, long accessList, long request) {
    boolean writable = (flags & AccessFlags.WRITABLE) != 0;
    if (bridge.fileLists.hasOwnDriver(accessList)) {
      return openByDriver(file, flags, accessList, request);
    }
    FileRanks ranks = ranks(accessList, writable);
    OpenedFile.FileKey key = bridge.files.key(ranks.configuration(), file);
    Optional<OpenedFile> known = bridge.files.find(key);
    if (known.isPresent()) {
      return again(known.get(), writable, bridge.fileLists.locking(accessList));
    }
    CoreFiles.Storage storage = bridge.core.toOpen(ranks, file, accessList);
    boolean swmr = (flags & (AccessFlags.SWMR_WRITE | AccessFlags.SWMR_READ)) != 0;
    return open(
        new Opening(
            storage,
            storage.memory() == null
                ? key
                : bridge.files.key(ranks.configuration(), storage.path()),
            file,
            accessList,
            writable,
            swmr),
        () ->
            new FileOperation.Open(
                Handle.fresh(),
                storage.path(),
                bridge.fileLists.access(accessList, writable, swmr)),
        request);
  }

  private static OpenedFile.FileKey driverKey(CoreFiles.Storage storage) {
    return new OpenedFile.FileKey(storage.ranks().configuration(), storage.path());
  }

  /** Opens a file that only the driver of its list finds. */
  private long openByDriver(String file, int flags, long accessList, long request) {
    boolean writable = (flags & AccessFlags.WRITABLE) != 0;
    CoreFiles.Storage storage =
        bridge.drivers.toOpen(bridge.fileLists.configuration(accessList), file, flags, accessList);
    Optional<OpenedFile> known = bridge.drivers.known(storage);
    if (known.isPresent()) {
      storage.close();
      return again(known.get(), writable, bridge.fileLists.locking(accessList));
    }
    return open(
        new Opening(storage, driverKey(storage), file, accessList, writable, false),
        () ->
            new FileOperation.Open(
                Handle.fresh(),
                storage.path(),
                bridge.fileLists.access(accessList, writable, false)),
        request);
  }

  /** Returns the ranks that open a file together, and their connector. */
  public FileRanks ranks(long accessList, boolean writable) {
    return bridge.job.of(bridge.fileLists.configuration(accessList), accessList, writable);
  }

  private long again(OpenedFile file, boolean writable, Locking locking) {
    if (writable && !file.settings().writable()) {
      throw new InvalidUseException(
          "file to edit: actual=open for reading only in this program, expected=closed or open"
              + " for editing, at="
              + file.name());
    }
    if (locking != file.settings().locking()) {
      throw new InvalidUseException(
          "locking of the file: actual="
              + locking
              + ", expected="
              + file.settings().locking()
              + ", with which it is open in this program, at="
              + file.name());
    }
    file.use();
    return bridge.objects.addFile(file);
  }

  /** The file to open. */
  private record Opening(
      CoreFiles.Storage storage,
      OpenedFile.FileKey key,
      String name,
      long accessList,
      boolean writable,
      boolean swmr) {}

  private long open(Opening opening, Supplier<FileOperation<FileInfo>> operation, long request) {
    try {
      return openStored(opening, operation.get(), request);
    } catch (RuntimeException failure) {
      opening.storage.close();
      throw failure;
    }
  }

  private long openStored(Opening opening, FileOperation<FileInfo> operation, long request) {
    FileRanks ranks = opening.storage.ranks();
    bridge.files.awaitClosed(opening.key);
    DriverStore driver = opening.storage.driver();
    Connector connector =
        driver == null
            ? bridge.files.connector(ranks.effective())
            : DriverFiles.connector(opening.storage);
    CompletableFuture<FileInfo> stage = submitted(opening.storage, connector, operation);
    if (request == 0) {
      opened(opening.storage, connector, operation.subject(), stage);
    }
    OpenedFile file =
        new OpenedFile(
            connector,
            operation.subject(),
            opening.name,
            opening.key,
            new OpenedFile.FileSettings(
                opening.writable,
                ranks.areSeveral(),
                bridge.fileLists.closeDegree(opening.accessList),
                accessList(opening, stage),
                opening.storage.localPath(opening.key),
                opening.storage.memory() != null,
                bridge.fileLists.locking(opening.accessList),
                driver),
            stage);
    if (opening.swmr) {
      file.startSwmr();
    }
    file.whenClosed(driver == null ? opening.storage::close : driver::close);
    bridge.files.add(file);
    bridge.settle(file, stage, request, null);
    return bridge.objects.addFile(file);
  }

  /** Returns the file's copy of an access list, with the page buffer that suits the file. */
  private long accessList(Opening opening, CompletableFuture<FileInfo> stage) {
    long copy = bridge.lists.copy(opening.accessList);
    if (bridge.fileLists.hasPageBuffer(copy)) {
      bridge.fileLists.settlePageBuffer(copy, OpenedFile.await(stage).creation().space());
    }
    return copy;
  }

  /** Waits for a file to be opened; connectors keep a failure until its handle is closed. */
  private static void opened(
      CoreFiles.Storage storage,
      Connector connector,
      Handle handle,
      CompletableFuture<FileInfo> stage) {
    try {
      OpenedFile.await(stage);
    } catch (RuntimeException failure) {
      // Its result does not matter: the failure is the one of the opening.
      OpenedFile.await(
          submitted(storage, connector, new FileOperation.Close(handle))
              .handle((done, again) -> null));
      throw failure;
    }
  }

  private static <R> CompletableFuture<R> submitted(
      CoreFiles.Storage storage, Connector connector, Operation<R> operation) {
    return storage.driver() == null
        ? storage.ranks().submit(connector, operation)
        : storage.driver().aside(() -> connector.submit(operation).toCompletableFuture());
  }
}
