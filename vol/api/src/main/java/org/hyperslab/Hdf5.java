package org.hyperslab;

import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/**
 * Creates, opens and deletes files. This is the entry point of the library.
 *
 * <pre>{@code
 * try (H5File file = Hdf5.create("out.h5")) {
 *   file.createDataset("grid/density", new double[][] {{1, 2}, {3, 4}});
 * }
 * try (H5File file = Hdf5.open("out.h5")) {
 *   double[][] density = file.dataset("grid/density").read(double[][].class);
 * }
 * }</pre>
 *
 * <p>A file is named by a path or by a URI. A URI's scheme chooses the connector; otherwise the
 * system property {@code hyperslab.connector}, the environment variable {@code HYPERSLAB_CONNECTOR}
 * or, if neither is set, {@code native} names the connector that carries out the calls (grammar:
 * {@link org.hyperslab.vol.ConnectorConfiguration}). Files opened here share one connector for each
 * configuration; the connector is closed when the last of them is closed. {@link #session(String)}
 * chooses a connector explicitly.
 *
 * <p>{@code http://} and {@code https://} URIs are read by range requests, and cannot be created,
 * edited or deleted; a scheme that no connector serves is refused. A {@link Path} is never taken
 * for a URI, and must be of the default file system.
 *
 * <p>Thread rule: any thread may call anything in this package, unless a class says otherwise.
 */
public final class Hdf5 {

  /** The maximum length of a dimension that can grow without limit. */
  public static final long UNLIMITED = Dataspace.UNLIMITED;

  private Hdf5() {}

  /**
   * Creates a file, replacing one that exists, with default options.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   */
  public static H5File create(Path path) {
    return create(path, CreateOptions.DEFAULT);
  }

  /**
   * Creates a file, replacing one that exists, with default options.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   * @return the open file, which the caller closes
   */
  public static H5File create(String pathOrUri) {
    return create(pathOrUri, CreateOptions.DEFAULT);
  }

  /**
   * Creates a file.
   *
   * @param path the file's path
   * @param options how the file is created
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.AlreadyExistsException if it exists and options say exclusive
   * @throws org.hyperslab.error.InvalidUseException if the file is open in this program through the
   *     same connector
   * @throws org.hyperslab.error.StorageException if storage refuses, or the file is locked, such as
   *     by another process or another session
   */
  public static H5File create(Path path, CreateOptions options) {
    return create(FileName.of(path), options);
  }

  /**
   * Does the same as {@link #create(Path, CreateOptions)}.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   * @param options how the file is created
   * @return the open file, which the caller closes
   */
  public static H5File create(String pathOrUri, CreateOptions options) {
    return create(FileName.parse(pathOrUri), options);
  }

  private static H5File create(FileName name, CreateOptions options) {
    SharedConnectors.Lease lease = lease(name);
    return H5File.create(lease.connector(), name.name(), options, lease::release);
  }

  /**
   * Creates a file in memory; {@link H5File#toByteArray} returns its bytes. Nothing is written to
   * disk.
   *
   * @return the open file, which the caller closes
   */
  public static H5File createInMemory() {
    return createInMemory(CreateOptions.DEFAULT);
  }

  /**
   * Like {@link #createInMemory()}, with options.
   *
   * @param options how the file is created
   * @return the open file, which the caller closes
   */
  public static H5File createInMemory(CreateOptions options) {
    return H5File.create(MemoryFile.of(new byte[0]), options);
  }

  /**
   * Opens a file from its bytes, which are copied, for reading and editing; {@link
   * H5File#toByteArray} returns the edited bytes.
   *
   * @param content the bytes; they are copied
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.CorruptFileException if they are no HDF5 file
   */
  public static H5File openInMemory(byte[] content) {
    Arguments.require(content, "content", "the bytes of a file");
    return H5File.open(MemoryFile.of(content), OpenOptions.EDIT);
  }

  /**
   * Opens a file that lies in a channel, for reading; for example one that is stored in an archive
   * or in a file system of another library.
   *
   * @param channel has the bytes of the file from position 0; no one else uses it until the file is
   *     closed, after which the caller closes it
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.CorruptFileException if they are no HDF5 file
   * @throws org.hyperslab.error.InvalidUseException if the channel is closed or cannot be read
   */
  public static H5File open(SeekableByteChannel channel) {
    return open(channel, OpenOptions.READ);
  }

  /**
   * Like {@link #open(SeekableByteChannel)}, with options, such as {@link OpenOptions#EDIT} for a
   * channel that can be written.
   *
   * @param channel has the bytes of the file from position 0
   * @param options how the file is opened
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.InvalidUseException if the channel is closed, cannot be read, or is
   *     to be edited and cannot be written
   */
  public static H5File open(SeekableByteChannel channel, OpenOptions options) {
    Arguments.require(options, "options", "OpenOptions");
    return H5File.open(new ChannelFile(channel, !options.writable()), options);
  }

  /**
   * Creates a file in a channel, in place of what is there. Its bytes are complete once the file is
   * closed.
   *
   * @param channel can be read and written; no one else uses it until the file is closed, after
   *     which the caller closes it
   * @param options how the file is created
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.InvalidUseException if the channel is closed, or cannot be read or
   *     written
   */
  public static H5File create(SeekableByteChannel channel, CreateOptions options) {
    return H5File.create(new ChannelFile(channel, false), options);
  }

  /**
   * Opens an existing file for reading.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   */
  public static H5File open(Path path) {
    return open(path, OpenOptions.READ);
  }

  /**
   * Opens an existing file for reading.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   * @return the open file, which the caller closes
   */
  public static H5File open(String pathOrUri) {
    return open(pathOrUri, OpenOptions.READ);
  }

  /**
   * Opens an existing file for reading and editing.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   */
  public static H5File openForEdit(Path path) {
    return open(path, OpenOptions.EDIT);
  }

  /**
   * Opens an existing file for reading and editing.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   * @return the open file, which the caller closes
   */
  public static H5File openForEdit(String pathOrUri) {
    return open(pathOrUri, OpenOptions.EDIT);
  }

  /**
   * Opens an existing file.
   *
   * @param path the file's path
   * @param options how the file is opened
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.NotFoundException if there is none
   * @throws org.hyperslab.error.CorruptFileException if it is no HDF5 file
   * @throws org.hyperslab.error.InvalidUseException if it is to be edited and is open in this
   *     program for reading only, or with another choice of SWMR
   * @throws org.hyperslab.error.StorageException if another process has locked it
   */
  public static H5File open(Path path, OpenOptions options) {
    return open(FileName.of(path), options);
  }

  /**
   * Does the same as {@link #open(Path, OpenOptions)}.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   * @param options how the file is opened
   * @return the open file, which the caller closes
   */
  public static H5File open(String pathOrUri, OpenOptions options) {
    return open(FileName.parse(pathOrUri), options);
  }

  private static H5File open(FileName name, OpenOptions options) {
    SharedConnectors.Lease lease = lease(name);
    return H5File.open(lease.connector(), name.name(), options, lease::release);
  }

  /**
   * Opens a file for editing, or creates it if there is none (h5py's mode "a"). An existing file
   * that cannot be opened is left unchanged.
   *
   * @param path the file's path
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.CorruptFileException if there is a file that is no HDF5 file
   * @throws org.hyperslab.error.StorageException if another process has locked it, or a writer that
   *     died left it marked
   */
  public static H5File openOrCreate(Path path) {
    return openOrCreate(FileName.of(path));
  }

  /**
   * Does the same as {@link #openOrCreate(Path)}.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   * @return the open file, which the caller closes
   */
  public static H5File openOrCreate(String pathOrUri) {
    return openOrCreate(FileName.parse(pathOrUri));
  }

  private static H5File openOrCreate(FileName name) {
    try {
      return open(name, OpenOptions.EDIT);
    } catch (NotFoundException none) {
      // Exclusive: a file created meanwhile is not replaced.
      return create(name, CreateOptions.DEFAULT.withExclusive(true));
    }
  }

  /**
   * Returns whether a file exists that can be opened.
   *
   * @param path the file's path
   * @return whether there is such a file
   */
  public static boolean exists(Path path) {
    return exists(FileName.of(path));
  }

  /**
   * Does the same as {@link #exists(Path)}.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   * @return whether there is such a file
   */
  public static boolean exists(String pathOrUri) {
    return exists(FileName.parse(pathOrUri));
  }

  private static boolean exists(FileName name) {
    SharedConnectors.Lease lease = lease(name);
    try {
      return Session.exists(lease.connector(), name.name());
    } finally {
      lease.release();
    }
  }

  /**
   * Deletes a file that is not open. Locks are respected as {@link #create(Path)} respects them.
   *
   * @param path the file's path
   * @throws org.hyperslab.error.NotFoundException if there is none
   * @throws org.hyperslab.error.InvalidUseException if it is open in this program
   * @throws org.hyperslab.error.StorageException if storage refuses, or another process has locked
   *     it
   */
  public static void delete(Path path) {
    delete(FileName.of(path));
  }

  /**
   * Does the same as {@link #delete(Path)}.
   *
   * @param pathOrUri a path, or a URI whose scheme names a connector
   */
  public static void delete(String pathOrUri) {
    delete(FileName.parse(pathOrUri));
  }

  private static void delete(FileName name) {
    SharedConnectors.Lease lease = lease(name);
    try {
      Session.delete(lease.connector(), name.name());
    } finally {
      lease.release();
    }
  }

  /**
   * {@return a session with the connector that a configuration string describes, such as {@code
   * "tracing | native"}} Closing the session closes the connector.
   *
   * @param configuration the configuration, such as {@code "native"}
   * @throws org.hyperslab.error.InvalidUseException if the string or an option is wrong
   * @throws org.hyperslab.error.NotFoundException if there is no connector of a name
   */
  public static Session session(String configuration) {
    Arguments.require(configuration, "configuration", "a text such as \"native\"");
    return new Session(Connectors.create(configuration), true);
  }

  /**
   * {@return a session with a connector of the caller's, who closes the connector after the
   * session}
   *
   * @param connector the connector, which the session does not close
   */
  public static Session session(Connector connector) {
    return new Session(Arguments.require(connector, "connector", "a Connector"), false);
  }

  private static SharedConnectors.Lease lease(FileName name) {
    return SharedConnectors.lease(name.configuration().orElseGet(Connectors::defaultConfiguration));
  }
}
