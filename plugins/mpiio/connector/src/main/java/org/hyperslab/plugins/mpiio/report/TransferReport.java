package org.hyperslab.plugins.mpiio.report;

import java.util.Set;
import java.util.StringJoiner;

/**
 * What became of a rank's latest transfer of elements, as {@code H5Pget_mpio_no_collective_cause}
 * and {@code H5Pget_mpio_actual_io_mode} tell of it.
 *
 * @param collective whether all ranks moved their elements together
 * @param local why this rank did not; empty if it did
 * @param global why any rank did not; for an independent transfer the same as {@code local}
 * @param elements how many elements this rank moved
 * @param stagedBytes of a transfer by all ranks: the most bytes that waited in this rank's own
 *     buffers at one time, in messages, windows and chunks being made; at most {@code
 *     cb_buffer_size}, or a chunk for each rank and two more if that is larger, but for what
 *     elements have out of line
 * @param explanation which components moved the bytes, and why; for people
 */
public record TransferReport(
    boolean collective,
    Set<NoCollectiveCause> local,
    Set<NoCollectiveCause> global,
    long elements,
    long stagedBytes,
    String explanation) {

  /** Before the first transfer. */
  public static final TransferReport NONE =
      new TransferReport(false, Set.of(), Set.of(), 0, 0, "no transfer yet");

  /** Copies the sets. */
  public TransferReport {
    local = Set.copyOf(local);
    global = Set.copyOf(global);
  }

  /**
   * {@return a transfer that this rank made by itself}
   *
   * @param causes why the transfer was not collective
   * @param elements how many elements this rank moved
   * @param how by what means, for people
   */
  public static TransferReport independent(
      Set<NoCollectiveCause> causes, long elements, String how) {
    return new TransferReport(false, causes, causes, elements, 0, how);
  }

  /** {@return in words, whether the transfer was collective, why not, and by what means} */
  public String text() {
    return told(elements + " elements of this rank; ");
  }

  /** As {@link #text} without the number of elements: what alike transfers have in common. */
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
