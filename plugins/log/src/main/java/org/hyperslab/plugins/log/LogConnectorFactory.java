package org.hyperslab.plugins.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;
import org.hyperslab.vol.base.Scheduling;

/**
 * Makes connectors that append elements to a log. Options: {@code path} (required), the folder of
 * the logs, on fast storage; {@code capacity} (1G) bytes of a log; {@code rate} bytes migrated in a
 * second; {@code drain} ({@code close}), {@code background} or {@code manual}; {@code acknowledge}
 * ({@code received}), {@code written} or {@code durable}; {@code overwrite} (false), whether a file
 * replaces one that another program has edited meanwhile.
 */
public final class LogConnectorFactory implements ConnectorFactory {

  private static final long LEAST_CAPACITY = 1L << 20;
  private static final long MOST = 1L << 50;

  /** For the service loader. */
  public LogConnectorFactory() {}

  @Override
  public String name() {
    return "log";
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    String path =
        options
            .text("path")
            .orElseThrow(() ->
                new InvalidUseException(
                    "connector log: actual=no option path, expected=a folder on fast storage, such"
                        + " as \"log path=/nvme/logs | native\""));
    Path folder = LocalPaths.of(path).toAbsolutePath().normalize();
    try {
      OwnFiles.requireSafeFolder(folder);
    } catch (IOException e) {
      throw new StorageException(
          "option path of connector log: actual=" + e + ", expected=a folder, at=" + folder, e);
    }
    LogOptions chosen =
        new LogOptions(
            folder,
            options.bytes("capacity", 1L << 30, LEAST_CAPACITY, MOST),
            options.bytes("rate", Long.MAX_VALUE, 1, Long.MAX_VALUE),
            one(options, "drain", LogOptions.Drain.CLOSE, LogOptions.Drain.class),
            one(
                options,
                "acknowledge",
                LogOptions.Acknowledge.RECEIVED,
                LogOptions.Acknowledge.class),
            options.flag("overwrite", false));
    options.rejectUnknown();
    return new LogConnector(LogContext.of(checked(options.below()), chosen, Scheduling.ofJvm()));
  }

  private static <E extends Enum<E>> E one(
      ConnectorOptions options, String key, E absent, Class<E> type) {
    Optional<String> text = options.text(key);
    return text.isEmpty()
        ? absent
        : LogOptions.find(type, text.get())
            .orElseThrow(() ->
                new InvalidUseException(
                    "option "
                        + key
                        + " of connector log: actual="
                        + text.get()
                        + ", expected=one of "
                        + LogOptions.names(type)));
  }

  /** Refuses connectors whose files are not single files of this machine and this process. */
  private static Connector checked(Connector below) {
    Optional<Connector> each = Optional.of(below);
    while (each.isPresent()) {
      boolean shared = each.get().capabilities().contains(Capability.COLLECTIVE);
      if (shared || each.get().name().equals("forwarding") || each.get().name().equals("log")) {
        String name = each.get().name();
        below.close();
        throw new UnsupportedFeatureException(
            "connector log: actual=\""
                + name
                + "\" below it, expected=a connector for files of this machine, such as native");
      }
      each = each.get().below();
    }
    return below;
  }
}
