package org.hyperslab.plugins.libhdf5.file;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.Locking;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.plugins.libhdf5.filter.ProgramFilters;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;

/**
 * A file that the program has open by one or more identifiers, and the bridge's state for it. The
 * file stays open while an identifier of it or of an object in it is open.
 *
 * <p>Thread rule: any thread.
 */
public final class OpenedFile {

  private final Connector connector;
  private final Handle handle;
  private final String name;
  private final FileKey key;
  private final FileSettings settings;
  private final CompletableFuture<FileInfo> info;

  /** The extents of datasets that have identifiers, by the address in the dataset's token. */
  private final Map<Long, SharedExtent> extents = new HashMap<>();

  private int uses = 1;
  private boolean closed;

  /** What the program received as the handle of the file's driver; null if it has not asked. */
  private DriverHandle driver;

  private volatile boolean swmr;

  /** Whether transfers of one rank must not overlap those of another (H5Fset_mpi_atomicity). */
  private volatile boolean atomic;

  /** What identifies a local file, whatever its names; null while it is being opened. */
  private volatile Object identity;

  /** Runs when the connector has closed the file. */
  private volatile Runnable afterClosing = () -> {};

  /** Whether a list has determined how a dataset finds other files, so that others must agree. */
  private volatile boolean accessWasSet;

  private final boolean asynchronous;

  /**
   * The settings with which a file was opened.
   *
   * @param writable whether it may be edited
   * @param shared whether several ranks have it open together
   * @param closeDegree the value of {@code H5F_close_degree_t}
   * @param accessList the library's copy of the access property list, which this file closes
   * @param localPath the path by which this process can read its bytes; null if it cannot
   * @param inMemory whether it is a file in the memory of this process
   * @param locking how it was to be locked
   * @param driver the file of a driver that alone finds it; null if it has none
   */
  public record FileSettings(
      boolean writable,
      boolean shared,
      int closeDegree,
      long accessList,
      String localPath,
      boolean inMemory,
      Locking locking,
      DriverStore driver) {}

  /**
   * The identity of an open file; equal for two openings of the same file.
   *
   * @param configuration the connector's configuration
   * @param place the absolute path of a local file, otherwise the name
   */
  public record FileKey(String configuration, String place) {

    /** As a record's own, which would be generated at the start of each process. */
    @Override
    public boolean equals(Object other) {
      return other instanceof FileKey key
          && key.configuration.equals(configuration)
          && key.place.equals(place);
    }

    @Override
    public int hashCode() {
      return 31 * configuration.hashCode() + place.hashCode();
    }
  }

  /** Returns whether it is open with SWMR access. */
  public boolean isSwmr() {
    return swmr;
  }

  /** Remembers that it is open with SWMR access. */
  public void startSwmr() {
    swmr = true;
  }

  /** Returns whether transfers of one rank must not overlap those of another. */
  public boolean isAtomic() {
    return atomic;
  }

  /** Sets whether transfers are atomic among ranks. */
  public void setAtomic(boolean newAtomic) {
    atomic = newAtomic;
  }

  /** Returns the address of the handle of the file's driver, which is the same at each call. */
  public synchronized long driverHandle() {
    if (settings.driver() != null) {
      return settings.driver().handle(settings.accessList());
    }
    if (driver == null) {
      driver = new DriverHandle(settings);
    }
    return driver.address();
  }

  private synchronized void releaseDriver() {
    if (driver != null) {
      driver.close();
      driver = null;
    }
  }

  /** Records that access properties were set. */
  public boolean accessWasSet() {
    return accessWasSet;
  }

  /** Remembers that a list has determined how a dataset finds other files. */
  public void setAccess() {
    accessWasSet = true;
  }

  /** The current extent of a dataset, the same for all identifiers of it. */
  public static final class SharedExtent {
    private final Long key;
    private volatile Dataspace space;
    private int uses;

    private SharedExtent(Long key) {
      this.key = key;
    }

    /** Returns the extent of the dataset. */
    public Dataspace space() {
      return space;
    }

    /** Sets the extent of the dataset. */
    public void set(Dataspace newSpace) {
      space = newSpace;
    }
  }

  public OpenedFile(
      Connector connector,
      Handle handle,
      String name,
      FileKey key,
      FileSettings settings,
      CompletableFuture<FileInfo> info) {
    this.connector = connector;
    this.handle = handle;
    this.name = name;
    this.key = key;
    this.settings = settings;
    this.info = info;
    if (settings.localPath() != null && !settings.inMemory()) {
      info.thenRun(() -> identity = OpenFiles.identity(key));
    }
    this.asynchronous = connector.capabilities().contains(Capability.ASYNCHRONOUS);
  }

  /** Returns whether the file's connector returns before operations have completed. */
  public boolean asynchronous() {
    return asynchronous;
  }

  /** Returns the connector of the file. */
  public Connector connector() {
    return connector;
  }

  /** Returns the handle of the file. */
  public Handle handle() {
    return handle;
  }

  /** Returns the name of the file. */
  public String name() {
    return name;
  }

  /** Returns what identifies a local file, whatever its names; null if that is not known. */
  Object identity() {
    return identity;
  }

  /** Returns what identifies the file. */
  public FileKey key() {
    return key;
  }

  /** Returns how the file was opened. */
  public FileSettings settings() {
    return settings;
  }

  /** Returns the properties of the file. */
  public FileInfo info() {
    return await(info);
  }

  CompletableFuture<FileInfo> opening() {
    return info;
  }

  /** Adds one use of the file. */
  public synchronized void use() {
    uses++;
  }

  /** Releases one use; returns whether it was the last. */
  public synchronized boolean release() {
    uses--;
    return uses <= 0 && !closed;
  }

  synchronized int uses() {
    return uses;
  }

  /**
   * Marks the file as closed, even if it is still in use; returns false if it was closed before.
   */
  public synchronized boolean markClosed() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Sets what to do once the connector has closed the file. */
  public void whenClosed(Runnable action) {
    afterClosing = action;
  }

  /** Closes the file in its connector. */
  public CompletableFuture<Void> closeInConnector() {
    releaseDriver();
    return submit(new FileOperation.Close(handle))
        .whenComplete((done, failure) -> afterClosing.run());
  }

  /** Returns whether the file is closed. */
  public synchronized boolean isClosed() {
    return closed;
  }

  /** Submits an operation. */
  public <R> CompletableFuture<R> submit(Operation<R> operation) {
    if (settings.driver() != null) {
      return settings.driver().aside(() -> connector.submit(operation).toCompletableFuture());
    }
    return ProgramFilters.areUsed() && !settings.shared()
        ? ProgramThread.aside(() -> connector.submit(operation).toCompletableFuture())
        : ProgramThread.submit(connector, operation).toCompletableFuture();
  }

  /** Submits an operation and waits for it. */
  public <R> R call(Operation<R> operation) {
    return await(submit(operation));
  }

  /**
   * Returns the extent that all identifiers of a dataset share. The caller must release it with
   * {@link #releaseExtent}.
   */
  public synchronized SharedExtent extent(ObjectToken token) {
    SharedExtent extent = new SharedExtent(token.address());
    SharedExtent known = extents.putIfAbsent(extent.key, extent);
    SharedExtent shared = known == null ? extent : known;
    shared.uses++;
    return shared;
  }

  /** Gives up one use of a shared extent. */
  public synchronized void releaseExtent(SharedExtent extent) {
    extent.uses--;
    if (extent.uses == 0) {
      extents.remove(extent.key);
    }
  }

  /** Waits for a stage and throws its failure, without wrappers. */
  public static <R> R await(CompletableFuture<R> stage) {
    try {
      ProgramThread.serve(stage, -1);
      return stage.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return stage.join();
    } catch (CompletionException e) {
      Throwable cause = Connectors.causeOf(e);
      if (cause instanceof RuntimeException failure) {
        throw failure;
      }
      if (cause instanceof Error failure) {
        throw failure;
      }
      throw e;
    }
  }
}
