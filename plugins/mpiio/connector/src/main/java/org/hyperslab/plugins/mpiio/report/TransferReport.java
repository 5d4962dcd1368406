package org.hyperslab.plugins.mpiio.report;

import java.util.Set;
import java.util.StringJoiner;

/**
 * The report of a rank's latest transfer of elements, like {@code H5Pget_mpio_no_collective_cause}
 * and {@code H5Pget_mpio_actual_io_mode}.
 *
 * @param collective whether all ranks moved their elements together
 * @param local the causes of this rank for a transfer that was not collective
 * @param global the causes of any rank; for an independent transfer the same as {@code local}
 * @param elements the number of elements that this rank moved
 * @param stagedBytes for a transfer by all ranks, the greatest number of bytes staged in this
 *     rank's buffers at one time, in messages, windows and chunks being built; at most {@code
 *     cb_buffer_size}, or a chunk for each rank and two more if that is larger, not counting
 *     out-of-line values
 * @param explanation the components that moved the bytes, with the reasons, for display
 */
public record TransferReport(
    boolean collective,
    Set<NoCollectiveCause> local,
    Set<NoCollectiveCause> global,
    long elements,
    long stagedBytes,
    String explanation) {

  /** The report before the first transfer. */
  public static final TransferReport NONE =
      new TransferReport(false, Set.of(), Set.of(), 0, 0, "no transfer yet");

  /** Copies the sets. */
  public TransferReport {
    local = Set.copyOf(local);
    global = Set.copyOf(global);
  }

  /**
   * {@return the report of a transfer that this rank made by itself}
   *
   * @param causes the causes for which the transfer was not collective
   * @param elements the number of elements that this rank moved
   * @param how the means, for display
   */
  public static TransferReport independent(
      Set<NoCollectiveCause> causes, long elements, String how) {
    return new TransferReport(false, causes, causes, elements, 0, how);
  }

  /**
   * {@return a description: whether the transfer was collective, the causes if not, and the means}
   */
  public String text() {
    return told(elements + " elements of this rank; ");
  }

  /**
   * Returns {@link #text} without the number of elements, which is equal for transfers of one kind.
   */
  String kind() {
    return told("");
  }

  private String told(String number) {
    StringBuilder text = new StringBuilder(collective ? "collective" : "not collective");
    if (!global.isEmpty()) {
      StringJoiner causes = new StringJoiner("; ", " (", ")");
      for (NoCollectiveCause cause : NoCollectiveCause.values()) {
        if (global.contains(cause)) {
          causes.add(cause.text());
        }
      }
      text.append(causes);
    }
    return text.append(": ").append(number).append(explanation).toString();
  }
}
