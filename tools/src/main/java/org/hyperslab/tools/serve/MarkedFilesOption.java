package org.hyperslab.tools.serve;

import picocli.CommandLine.Option;

/**
 * The option {@code --read-marked}, which several commands share.
 *
 * <p>Thread rule: one thread sets it.
 */
final class MarkedFilesOption {

  @Option(
      names = "--read-marked",
      description = {
        "reads files that are marked as open for writing, as they are: their writer has ended"
            + " without closing them, or still writes (see clear -s)"
      })
  private boolean given;

  /** Returns whether marked files are read. */
  boolean isGiven() {
    return given;
  }
}
