package org.hyperslab.plugins.mpiio.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts a rank's transfers by kind: the first kinds that occurred, and the number of transfers of
 * other kinds.
 *
 * <p>Thread rule: any thread.
 */
public final class TransferLog {

  private static final int MAX_KINDS = 256;

  private final Map<String, Long> kinds = new LinkedHashMap<>();
  private long others;
  private TransferReport latest = TransferReport.NONE;

  /** Creates an empty log. */
  public TransferLog() {}

  /**
   * Adds a transfer.
   *
   * @param what the operation, for display, such as {@code read}
   * @param report the transfer
   */
  public synchronized void add(String what, TransferReport report) {
    latest = report;
    String kind = what + " " + report.kind();
    if (kinds.size() < MAX_KINDS || kinds.containsKey(kind)) {
      kinds.merge(kind, 1L, Long::sum);
    } else {
      others++;
    }
  }

  /** {@return the latest transfer; {@link TransferReport#NONE} if there was none} */
  public synchronized TransferReport latest() {
    return latest;
  }

  /** {@return one line for each kind of transfer, in the order of their first occurrence} */
  public synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    kinds.forEach((kind, count) -> lines.add(count + " × " + kind));
    if (others > 0) {
      lines.add(others + " × of other kinds");
    }
    return lines;
  }
}
