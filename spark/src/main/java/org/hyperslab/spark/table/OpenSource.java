package org.hyperslab.spark.table;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.convert.ClassicNetcdf;
import org.hyperslab.convert.zarr.connector.ZarrConnectorFactory;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.OpenOptions;

/**
 * A file that is open for reading, through the connector that its content needs.
 *
 * <p>Thread rule: one thread.
 */
public final class OpenSource implements AutoCloseable {

  private final String name;
  private final H5File file;
  private final Session session;
  private final Stamp stamp;

  /**
   * What a file of this machine had when it was planned, and must have until it was read.
   *
   * @param bytes its length; -1 for resources of servers and stores, which their readers check
   * @param modified the time of its last change in milliseconds
   */
  public record Stamp(long bytes, long modified) implements Serializable {

    private static final Stamp NONE = new Stamp(-1, -1);

    static Stamp of(String name) {
      if (InputPaths.isRemote(name)) {
        return NONE;
      }
      Path path = Path.of(name);
      if (!Files.isRegularFile(path)) {
        return NONE;
      }
      try {
        return new Stamp(Files.size(path), Files.getLastModifiedTime(path).toMillis());
      } catch (IOException failure) {
        throw new StorageException(
            "file: actual=not readable, expected=readable, at=" + name, failure);
      }
    }
  }

  private OpenSource(String name, H5File file, Session session, Stamp stamp) {
    this.name = name;
    this.file = file;
    this.session = session;
    this.stamp = stamp;
  }

  /**
   * Opens a file.
   *
   * @param name a path or a URI
   * @param properties settings of the opening
   * @return the file, which the caller closes
   */
  public static OpenSource open(String name, Map<String, String> properties) {
    Stamp stamp = Stamp.of(name);
    OpenOptions options = OpenOptions.READ.toBuilder().properties(properties).build();
    if (InputPaths.isRemote(name)) {
      return new OpenSource(name, Hdf5.open(name, options), null, stamp);
    }
    Path path = Path.of(name);
    if (!Files.exists(path)) {
      throw new NotFoundException(
          "file: actual=does not exist, expected=an existing file, at=" + name);
    }
    if (ZarrConnectorFactory.isStore(name)) {
      return opened(name, Hdf5.session("zarr"), stamp);
    }
    if (ClassicNetcdf.is(path)) {
      return opened(name, Hdf5.session(ZarrConnectorFactory.createClassic()), stamp);
    }
    return new OpenSource(name, Hdf5.open(path, options), null, stamp);
  }

  private static OpenSource opened(String name, Session session, Stamp stamp) {
    try {
      return new OpenSource(name, session.open(name), session, stamp);
    } catch (RuntimeException | Error failure) {
      session.close();
      throw failure;
    }
  }

  /** {@return the name, as it was opened} */
  public String name() {
    return name;
  }

  /** {@return the file} */
  public H5File file() {
    return file;
  }

  /** {@return what the file had when it was opened} */
  public Stamp stamp() {
    return stamp;
  }

  /**
   * Checks that nobody changed the file since it was planned.
   *
   * @param planned what it had
   * @throws StorageException if it has something else
   */
  public void requireUnchanged(Stamp planned) {
    Stamp now = Stamp.of(name);
    if (!now.equals(planned)) {
      throw new StorageException(
          "file: actual="
              + now
              + ", expected="
              + planned
              + ", as when the query was planned; run the query again, at="
              + name);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } finally {
      if (session != null) {
        session.close();
      }
    }
  }
}
