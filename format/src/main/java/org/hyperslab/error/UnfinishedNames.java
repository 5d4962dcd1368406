package org.hyperslab.error;

import java.util.regex.Pattern;

/**
 * The temporary names of files that are written beside the file that they become ({@code
 * UnfinishedFile}). Users know only that file; therefore messages name it, whichever part of a
 * writer failed.
 *
 * <p>Thread rule: no state.
 */
final class UnfinishedNames {

  private static final String ENDING = ".unfinished";

  /**
   * The ending of the names that this process chooses; those of others are reported as they are.
   */
  private static final Pattern CHOSEN =
      Pattern.compile(
          Pattern.quote("." + ProcessHandle.current().pid() + "-")
              + "\\d+"
              + Pattern.quote(ENDING));

  private UnfinishedNames() {}

  /** Returns a message with the names of files in place of the temporary ones. */
  static String shown(String message) {
    return message == null || !message.contains(ENDING)
        ? message
        : CHOSEN.matcher(message).replaceAll("");
  }
}
