package org.hyperslab;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;

/**
 * Opens and creates files through one explicitly chosen connector. Close the files of a session
 * before the session.
 *
 * <p>Made by {@link Hdf5#session(String)}. Thread rule: any thread.
 */
public final class Session implements AutoCloseable {

  private final Connector connector;
  private final boolean owned;
  private final AtomicBoolean closed = new AtomicBoolean();

  Session(Connector connector, boolean owned) {
    this.connector = connector;
    this.owned = owned;
  }

  /** {@return the connector at the top of the stack} */
  public Connector connector() {
    return connector;
  }

  /** {@return what the connector can do} */
  public Set<Capability> capabilities() {
    return connector.capabilities();
  }

  /**
   * {@return whether the connector can do something}
   *
   * @param capability the capability
   */
  public boolean can(Capability capability) {
    return connector.capabilities().contains(capability);
  }

  /**
   * Creates a file, replacing one that exists, with default options.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   */
  public H5File create(Path path) {
    return create(FileName.of(path).name(), CreateOptions.DEFAULT);
  }

  /**
   * Creates a file by a name that the connector understands, replacing one that exists, with
   * default options; no scheme is taken off.
   *
   * @param name the file's name, as the connector understands it
   * @return the open file, which the caller closes
   */
  public H5File create(String name) {
    return create(name, CreateOptions.DEFAULT);
  }

  /**
   * Does the same as {@link Hdf5#create(Path, CreateOptions)}.
   *
   * @param path the file's path
   * @param options how the file is created
   * @return the open file, which the caller closes
   */
  public H5File create(Path path, CreateOptions options) {
    return create(FileName.of(path).name(), options);
  }

  /**
   * Creates a file by a name that the connector understands; no scheme is taken off.
   *
   * @param name the file's name, as the connector understands it
   * @param options how the file is created
   * @return the open file, which the caller closes
   */
  public H5File create(String name, CreateOptions options) {
    checkOpen();
    return H5File.create(connector, name, options, () -> {});
  }

  /**
   * Opens an existing file for reading.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   */
  public H5File open(Path path) {
    return open(FileName.of(path).name(), OpenOptions.READ);
  }

  /**
   * Opens an existing file for reading, by a name that the connector understands.
   *
   * @param name the file's name, as the connector understands it
   * @return the open file, which the caller closes
   */
  public H5File open(String name) {
    return open(name, OpenOptions.READ);
  }

  /**
   * Opens an existing file for reading and editing.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   */
  public H5File openForEdit(Path path) {
    return open(FileName.of(path).name(), OpenOptions.EDIT);
  }

  /**
   * Opens an existing file for reading and editing, by a name that the connector understands.
   *
   * @param name the file's name, as the connector understands it
   * @return the open file, which the caller closes
   */
  public H5File openForEdit(String name) {
    return open(name, OpenOptions.EDIT);
  }

  /**
   * Does the same as {@link Hdf5#open(Path, OpenOptions)}.
   *
   * @param path the file's path
   * @param options how the file is opened
   * @return the open file, which the caller closes
   */
  public H5File open(Path path, OpenOptions options) {
    return open(FileName.of(path).name(), options);
  }

  /**
   * Opens a file by a name that the connector understands; no scheme is taken off.
   *
   * @param name the file's name, as the connector understands it
   * @param options how the file is opened
   * @return the open file, which the caller closes
   */
  public H5File open(String name, OpenOptions options) {
    checkOpen();
    return H5File.open(connector, name, options, () -> {});
  }

  /**
   * {@return whether there is a file at a path that the connector can open}
   *
   * @param path the file's path
   */
  public boolean exists(Path path) {
    return exists(FileName.of(path).name());
  }

  /**
   * {@return whether there is a file of this name that the connector can open}
   *
   * @param name the file's name, as the connector understands it
   */
  public boolean exists(String name) {
    checkOpen();
    return exists(connector, name);
  }

  /**
   * Deletes a file that is not open.
   *
   * @param path the file's path
   */
  public void delete(Path path) {
    delete(FileName.of(path).name());
  }

  /**
   * Deletes a file that is not open.
   *
   * @param name the file's name, as the connector understands it
   */
  public void delete(String name) {
    checkOpen();
    delete(connector, name);
  }

  /** Closes the connector, if the session made it. Closing twice does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && owned) {
      FileRegistry.OF_PROCESS.removeAll(connector);
      connector.close();
    }
  }

  static boolean exists(Connector connector, String name) {
    return Calls.await(connector.submit(new FileOperation.Exists(Handle.fresh(), name)));
  }

  static void delete(Connector connector, String name) {
    Calls.await(connector.submit(new FileOperation.Delete(Handle.fresh(), name)));
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new InvalidUseException(
          "session: actual=closed, expected=open, at=connector " + connector.name());
    }
  }
}
