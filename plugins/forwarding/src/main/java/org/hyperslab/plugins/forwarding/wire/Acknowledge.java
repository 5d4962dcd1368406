package org.hyperslab.plugins.forwarding.wire;

import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/** What a server has done with a request when it says so. The number is in the frame's flags. */
public enum Acknowledge {
  /** Carried out: what is read next sees it. */
  APPLIED,
  /** In the server's memory: the caller's buffer is free; a failure shows at the next flush. */
  RECEIVED,
  /** Carried out, and in a journal on storage that outlives a crash of server and machine. */
  DURABLE;

  /** In the flags of a reply: the request is in the server's memory, another reply follows. */
  public static final int EARLY = 4;

  private static final int MASK = 3;

  /** The level in a request's flags; levels that this build does not know are the safest. */
  public static Acknowledge of(int flags) {
    int number = flags & MASK;
    return number < values().length ? values()[number] : DURABLE;
  }

  /**
   * Reads {@code received}, {@code applied} or {@code durable}.
   *
   * @throws InvalidUseException if it is none of these
   */
  public static Acknowledge parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "applied" -> APPLIED;
      case "received" -> RECEIVED;
      case "durable" -> DURABLE;
      default ->
          throw new InvalidUseException(
              "acknowledge: actual=" + text + ", expected=received, applied or durable");
    };
  }
}
