package org.hyperslab.vol;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The factories of this project, by the names of their connectors and classes. Where several jars
 * were merged into one, their service files often were not, so that only those of one jar are
 * found; the classes are there all the same.
 *
 * <p>Thread rule: no state.
 */
final class KnownFactories {

  private static final Map<String, String> CLASSES =
      Map.ofEntries(
          Map.entry("tracing", "org.hyperslab.vol.passthrough.TracingConnectorFactory"),
          Map.entry("async", "org.hyperslab.vol.passthrough.AsyncConnectorFactory"),
          Map.entry("indexing", "org.hyperslab.vol.passthrough.IndexingConnectorFactory"),
          Map.entry("caching", "org.hyperslab.vol.passthrough.CachingConnectorFactory"),
          Map.entry("native", "org.hyperslab.plugins.nativevol.NativeConnectorFactory"),
          Map.entry("mpiio", "org.hyperslab.plugins.mpiio.MpiioConnectorFactory"),
          Map.entry(
              "forwarding", "org.hyperslab.plugins.forwarding.client.ForwardingConnectorFactory"),
          Map.entry("compacting", "org.hyperslab.plugins.compacting.CompactingConnectorFactory"),
          Map.entry("configured", "org.hyperslab.plugins.configured.ConfiguredConnectorFactory"),
          Map.entry("jhdf", "org.hyperslab.plugins.jhdf.JhdfConnectorFactory"),
          Map.entry("zarr", "org.hyperslab.convert.zarr.connector.ZarrConnectorFactory"),
          Map.entry("log", "org.hyperslab.plugins.log.LogConnectorFactory"));

  private KnownFactories() {}

  /** Returns the factory of a name, if its class is where that of this class is. */
  static Optional<ConnectorFactory> find(String name) {
    return Optional.ofNullable(CLASSES.get(name)).flatMap(KnownFactories::make);
  }

  /** Returns every factory that is there. */
  static List<ConnectorFactory> all() {
    return CLASSES.values().stream().flatMap(type -> make(type).stream()).toList();
  }

  private static Optional<ConnectorFactory> make(String type) {
    try {
      Class<?> found = Class.forName(type, true, KnownFactories.class.getClassLoader());
      return Optional.of((ConnectorFactory) found.getConstructor().newInstance());
    } catch (ReflectiveOperationException | LinkageError absent) {
      return Optional.empty(); // or in a module, which is found as a provider of the service
    }
  }
}
