package org.hyperslab.tools;

import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Connectors;
import picocli.CommandLine.Option;

/**
 * The option {@code --connector}, which several commands share, and the session it opens files
 * with. Close the files before closing this.
 *
 * <p>Thread rule: any thread; one thread closes it.
 */
final class ConnectorOption implements AutoCloseable {

  @Option(
      names = "--connector",
      paramLabel = "CONFIG",
      description =
          "connector that opens the files, such as \"jhdf\" or \"tracing | native\" (default:"
              + " chosen by the scheme of a URI, then HYPERSLAB_CONNECTOR, then native)")
  private String configuration;

  private Session session;

  /** {@return whether the option was given} */
  boolean isGiven() {
    return configuration != null;
  }

  /**
   * {@return whether a name is certainly a path of this machine: it is no URI, and no connector is
   * configured that may take it for something else}
   *
   * @param name the name of a file
   */
  boolean isPlain(String name) {
    return configuration == null
        && Connectors.defaultConfiguration().equals(Connectors.FALLBACK)
        && !name.startsWith("file:")
        && !UriNames.isFar(name);
  }

  /** Opens a file by path or URI. */
  H5File open(String name, OpenOptions options) {
    return configuration == null ? Hdf5.open(name, options) : session().open(name, options);
  }

  /** Opens a file for reading by path or URI. */
  H5File open(String name) {
    return open(name, OpenOptions.READ);
  }

  /** Creates a file. */
  H5File create(String name, CreateOptions options) {
    return configuration == null ? Hdf5.create(name, options) : session().create(name, options);
  }

  private synchronized Session session() {
    if (session == null) {
      session = Hdf5.session(configuration);
    }
    return session;
  }

  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
  }
}
