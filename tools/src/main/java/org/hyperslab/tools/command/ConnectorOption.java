package org.hyperslab.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.convert.zarr.connector.ZarrConnectorFactory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.Connectors;
import picocli.CommandLine.Option;

/**
 * The option {@code --connector}, which several commands share, and the session it opens files
 * with. Close the files before closing this.
 *
 * <p>Thread rule: any thread; one thread closes it.
 */
public final class ConnectorOption implements AutoCloseable {

  private static final String CONFIGURED = "configured";

  @Option(
      names = "--connector",
      paramLabel = "CONFIG",
      description =
          "connector that opens the files, such as \"jhdf\" or \"tracing | native\" (default:"
              + " chosen by the scheme of a URI, then HYPERSLAB_CONNECTOR, then native)")
  private String configuration;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "a configuration file, which chooses connectors and options by the names of files and"
              + " objects (default: HYPERSLAB_CONFIG)")
  private Path configurationFile;

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description =
          "a property with which files are opened, such as remote.attempts=8 or s3.anonymous=true;"
              + " @FILE stands for the text of a file, such as http.bearer=@token (repeatable)")
  private Map<String, String> properties = new HashMap<>();

  private final Streams streams;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private Session session;
  private Connector zarr;

  /**
   * Creates the option.
   *
   * @param streams receives a line for each thing that is left out of what is opened
   */
  public ConnectorOption(Streams streams) {
    this.streams = streams;
  }

  /** {@return whether the option was given} */
  public boolean isGiven() {
    return configuration != null || configurationFile != null;
  }

  /**
   * {@return whether a name is certainly a path of this machine: it is no URI, and no connector is
   * configured that may take it for something else}
   *
   * @param name the name of a file
   */
  public boolean isPlain(String name) {
    return !isGiven()
        && Connectors.defaultConfiguration().equals(Connectors.FALLBACK)
        && !name.startsWith("file:")
        && !UriNames.isFar(name);
  }

  /**
   * {@return whether a name is that of a Zarr store of this machine, which is opened as such}
   *
   * @param name the name of a file
   */
  public boolean isStore(String name) {
    return isPlain(name) && ZarrConnectorFactory.isStore(name);
  }

  /**
   * Opens a file by path or URI. A name that is none of an HDF5 file may be that of a Zarr store.
   *
   * @param name the path or URI
   * @param options how to open it
   * @return the file, which the caller closes
   */
  public H5File open(String name, OpenOptions options) {
    OpenOptions all = with(options);
    if (isGiven()) {
      return session().open(name, all);
    }
    try {
      return Hdf5.open(name, all);
    } catch (HyperslabException noFile) {
      if (!isStore(name)) {
        throw noFile;
      }
      return Hdf5.session(zarr()).open(name, all);
    }
  }

  private synchronized Connector zarr() {
    if (zarr == null) {
      zarr = ZarrConnectorFactory.create(this::tell);
    }
    return zarr;
  }

  /** Tells once what is left out; a server opens a store several times. */
  private void tell(String loss) {
    if (told.add(loss)) {
      streams.err().println("hyperslab: left out: " + loss);
    }
  }

  /** {@return the properties with which files are opened} */
  public Map<String, String> properties() {
    Map<String, String> values = new HashMap<>();
    properties.forEach((name, value) -> values.put(name, value(name, value)));
    return values;
  }

  private OpenOptions with(OpenOptions options) {
    OpenOptions all = options;
    for (Map.Entry<String, String> property : properties().entrySet()) {
      all = all.withProperty(property.getKey(), property.getValue());
    }
    return all;
  }

  /**
   * Returns a value, or the text of the file that it names: all users see a program's arguments.
   */
  private static String value(String name, String given) {
    if (!given.startsWith("@")) {
      return given;
    }
    try {
      return Files.readString(Path.of(given.substring(1))).strip();
    } catch (IOException | InvalidPathException unreadable) {
      throw new InvalidUseException(
          name + ": actual=" + given + ", expected=@ and the path of a readable text file",
          unreadable);
    }
  }

  /**
   * Opens a file for reading by path or URI.
   *
   * @param name the path or URI
   * @return the file, which the caller closes
   */
  public H5File open(String name) {
    return open(name, OpenOptions.READ);
  }

  /**
   * Creates a file by path or URI.
   *
   * @param name the path or URI
   * @param options how to create it
   * @return the file, which the caller closes
   */
  public H5File create(String name, CreateOptions options) {
    CreateOptions all = options.withAccess(with(options.access()));
    return isGiven() ? session().create(name, all) : Hdf5.create(name, all);
  }

  private synchronized Session session() {
    if (session == null) {
      session = Hdf5.session(stack());
    }
    return session;
  }

  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
    if (zarr != null) {
      zarr.close();
    }
  }

  /** Returns the connectors, under the configuration file of the option if it was given. */
  private String stack() {
    String chosen = configuration == null ? Connectors.defaultConfiguration() : configuration;
    if (configurationFile == null) {
      return chosen;
    }
    ConnectorConfiguration stack = Connectors.parse(chosen);
    if (stack.name().equals(CONFIGURED)) {
      stack = stack.below().orElse(ConnectorConfiguration.of(Connectors.FALLBACK));
    }
    Map<String, String> file = Map.of("file", configurationFile.toString());
    return new ConnectorConfiguration(CONFIGURED, file, Optional.of(stack)).toString();
  }
}
