package org.hyperslab.convert.zarr.connector;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.hyperslab.convert.detect.KindDetection;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;

/**
 * Makes the connector {@code zarr}, which opens Zarr stores of this machine for reading: folders
 * and zip archives, of version 2 and 3. A store looks like the HDF5 file that {@code FileConverter}
 * makes of it; chunks are read and decoded when their elements are. An array that cannot be read is
 * an error for the whole store, unless the connector was made with {@link #create(Consumer)}. The
 * connector has no options and nothing below it.
 *
 * <p>Thread rule: any thread.
 */
public final class ZarrConnectorFactory implements ConnectorFactory {

  /** Creates the factory; called by the service loader. */
  public ZarrConnectorFactory() {}

  /**
   * Makes a connector that reports what it leaves out.
   *
   * @param losses receives a line for each thing in a store that HDF5 cannot hold, and for each
   *     array that cannot be read, when the store is opened
   * @return the connector, which the caller closes
   */
  public static Connector create(Consumer<String> losses) {
    return new ZarrConnector(Optional.of(losses));
  }

  /**
   * Makes a connector that opens files of classic netCDF in the same way: such a file looks like
   * the HDF5 file that {@code FileConverter} makes of it, and elements are read when they are asked
   * for.
   *
   * @return the connector, whose name is {@code classic} and which the caller closes
   */
  public static Connector createClassic() {
    return ZarrConnector.ofClassic();
  }

  /**
   * Returns whether a file or folder of this machine is a Zarr store, by its content.
   *
   * @param name the name of a file, such as {@code run.zarr}; anything else is no store
   * @return whether the connector can try to open it
   */
  public static boolean isStore(String name) {
    return kindOf(name).isPresent();
  }

  /** Returns the version of a store; empty if it is none, or cannot be read. */
  static Optional<FileKind> kindOf(String name) {
    try {
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        return KindDetection.ofFolder(path);
      }
      return Files.isRegularFile(path) ? KindDetection.ofArchive(path) : Optional.empty();
    } catch (InvalidPathException | HyperslabException unreadable) {
      return Optional.empty();
    }
  }

  @Override
  public String name() {
    return ZarrConnector.NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of(ZarrConnector.NAME);
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    if (!configuration.options().isEmpty() || configuration.below().isPresent()) {
      throw new InvalidUseException(
          "connector zarr: actual="
              + configuration
              + ", expected=no options and no connector below it");
    }
    return new ZarrConnector(Optional.empty());
  }
}
