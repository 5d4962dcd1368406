package org.hyperslab.plugins.compacting;

import java.util.Locale;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.compacting.options.CompactorOptions;
import org.hyperslab.plugins.compacting.options.FullPolicy;
import org.hyperslab.plugins.compacting.options.GatherPolicy;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Creates {@link CompactingConnector}s, which merge raw data requests of this process. The options,
 * with their defaults:
 *
 * <ul>
 *   <li>{@code merge} (true): false only keeps requests in order
 *   <li>{@code threads} (2): threads that carry out requests
 *   <li>{@code gather} (1): number of requests that an idle dataset collects before they start
 *   <li>{@code gatherMicros} (0, no limit): longest time for collecting them, in microseconds
 *   <li>{@code queue} (256M): largest size of all queued requests in bytes
 *   <li>{@code requests} (65536): largest number of queued requests
 *   <li>{@code full} (block): policy when these limits are reached; or {@code reject}, {@code pass}
 *   <li>{@code mergeBelow} (1M): size in bytes from which a request is not merged
 *   <li>{@code merged} (16M): largest merged request in bytes
 * </ul>
 */
public final class CompactingConnectorFactory implements ConnectorFactory {

  /** Creates a factory; called by the service loader. */
  public CompactingConnectorFactory() {}

  @Override
  public String name() {
    return "compacting";
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Connector create(ConnectorConfiguration configuration) {
    ConnectorOptions options = configuration.read();
    CompactorOptions compactor = compactorOptions(options);
    int threads = (int) options.number("threads", 2, 1, 1024);
    options.rejectUnknown();
    return new CompactingConnector(options.below(), compactor, threads);
  }

  private static CompactorOptions compactorOptions(ConnectorOptions options) {
    CompactorOptions absent = CompactorOptions.DEFAULT;
    GatherPolicy gather =
        new GatherPolicy(
            (int) options.number("gather", 1, 1, 1 << 20),
            1000 * options.number("gatherMicros", 0, 0, 1L << 40));
    return absent
        .withEnabled(options.flag("merge", true))
        .withGather(gather)
        .withQueue(
            options.bytes("queue", absent.maxQueuedBytes(), 1, 1L << 50),
            (int) options.number("requests", absent.maxQueuedRequests(), 1, 1 << 30),
            policy(options.text("full").orElse("block")))
        .withMerging(
            options.bytes("mergeBelow", absent.mergeBelowBytes(), 0, 1L << 50),
            options.bytes("merged", absent.maxMergedBytes(), 1, 1L << 31));
  }

  private static FullPolicy policy(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "block" -> FullPolicy.BLOCK;
      case "reject" -> FullPolicy.REJECT;
      case "pass" -> FullPolicy.PASS_THROUGH;
      default ->
          throw new InvalidUseException(
              "option full: actual=" + text + ", expected=block, reject or pass");
    };
  }
}
