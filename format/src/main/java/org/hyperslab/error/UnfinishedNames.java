package org.hyperslab.error;

import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * The temporary names of files that are written beside the file that they become. Users know only
 * that file; therefore messages name it, whichever part of a writer failed.
 *
 * <p>Thread rule: any thread.
 */
public final class UnfinishedNames {

  /** Distinguishes the temporary names that a process chooses. */
  private static final AtomicLong COUNT = new AtomicLong();

  private static final String ENDING = ".unfinished";

  /** The ending of the names that this process chooses; those of others are told as they are. */
  private static final String OWN = "." + ProcessHandle.current().pid() + "-";

  private static final Pattern CHOSEN =
      Pattern.compile(Pattern.quote(OWN) + "\\d+" + Pattern.quote(ENDING));

  private UnfinishedNames() {}

  /**
   * Chooses a temporary name.
   *
   * @param name the name of the file, or as much of it as a name may be long
   * @return a name that this process has not chosen before
   */
  public static String choose(String name) {
    return name + OWN + COUNT.incrementAndGet() + ENDING;
  }

  /** Returns a message with the names of files in place of the temporary ones. */
  static String shown(String message) {
    return message == null || !message.contains(ENDING)
        ? message
        : CHOSEN.matcher(message).replaceAll("");
  }
}
