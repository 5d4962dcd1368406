package org.hyperslab.plugins.log;

import java.util.concurrent.ExecutorService;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.base.Scheduling;

/**
 * What the logged files of a connector share.
 *
 * @param below the connector that keeps files
 * @param options the options
 * @param migration writes elements to parts
 * @param pace limits the rate of migrations
 * @param background carries out migrations that nobody waits for, one at a time
 */
record LogContext(
    Connector below,
    LogOptions options,
    LogMigration migration,
    LogPace pace,
    ExecutorService background) {

  static LogContext of(Connector below, LogOptions options, Scheduling scheduling) {
    return new LogContext(
        below,
        options,
        new LogMigration(below),
        new LogPace(options.rateBytes(), scheduling),
        scheduling.pool("hyperslab-log", 1));
  }

  /** Ends the threads and frees the memory; the connector below is closed apart. */
  void close() {
    background.shutdown();
    migration.close();
  }
}
