package org.hyperslab.plugins.compacting;

import java.util.Locale;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.ConnectorOptions;

/**
 * Makes {@link CompactingConnector}, which merges raw-data requests of this process. Options:
 * {@code merge} (true), or false only to keep requests in order; {@code threads} (2) that carry out
 * requests; {@code gather} (1) requests, and {@code gather-micros} (0, no limit) that an idle
 * dataset waits for more; {@code queue} (256M) bytes and {@code requests} (65536) queued at most;
 * {@code full} (block), reject or pass; {@code merge-below} (1M) and {@code merged} (16M) bytes.
 */
public final class CompactingConnectorFactory implements ConnectorFactory {

  /** For the service loader. */
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

  /** Reads the compactor's part of a connector's options. */
  public static CompactorOptions compactorOptions(ConnectorOptions options) {
    CompactorOptions absent = CompactorOptions.DEFAULT;
    Gather gather =
        new Gather(
            (int) options.number("gather", 1, 1, 1 << 20),
            1000 * options.number("gather-micros", 0, 0, 1L << 40));
    return absent
        .withEnabled(options.flag("merge", true))
        .withGather(gather)
        .withQueue(
            options.bytes("queue", absent.maxQueuedBytes(), 1, 1L << 50),
            (int) options.number("requests", absent.maxQueuedRequests(), 1, 1 << 30),
            policy(options.text("full").orElse("block")))
        .withMerging(
            options.bytes("merge-below", absent.mergeBelowBytes(), 0, 1L << 50),
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
