package org.hyperslab.plugins.forwarding.server;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.hyperslab.plugins.forwarding.journal.JournalWatch;

/**
 * Counts the files that are not served because of their journals, and logs what becomes of
 * journals. A client that opens such a file again and again causes one line a minute.
 *
 * <p>Thread rule: any thread.
 */
final class WithheldFiles implements JournalWatch {

  /** The largest number of files that are remembered. */
  private static final int MOST_COUNTED = 10_000;

  private final StageLog log;
  private final RareLines lines;
  private final Set<String> journals = ConcurrentHashMap.newKeySet();

  /**
   * Creates a count of zero.
   *
   * @param log where the lines go
   * @param clock returns the time in nanoseconds, as System.nanoTime does
   */
  WithheldFiles(StageLog log, LongSupplier clock) {
    this.log = log;
    this.lines = new RareLines(clock);
  }

  /** {@return the number of files that are not served} */
  int count() {
    return journals.size();
  }

  @Override
  public void replayed(String journal, String report) {
    journals.remove(journal);
    log.log(StageLog.USUAL, "recovered", "report", report);
  }

  @Override
  public void notReplayed(String journal, String reason) {
    withhold("recovered", journal, reason);
  }

  @Override
  public void missing(String journal, String reason) {
    withhold("withheld", journal, reason);
  }

  private void withhold(String event, String journal, String reason) {
    if (journals.size() < MOST_COUNTED) {
      journals.add(journal);
    }
    long unwritten = lines.unwritten(journal);
    if (unwritten >= 0) {
      Object more = unwritten == 0 ? null : unwritten;
      log.log(Level.WARNING, event, "report", reason, "more", more);
    }
  }

  @Override
  public void served(String journal) {
    journals.remove(journal);
  }
}
