package org.hyperslab.plugins.forwarding.wire;

import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/**
 * The progress of a request at which a server acknowledges it. Its number is sent in the flags of a
 * frame and keeps its meaning for ever.
 *
 * <p>Thread rule: immutable.
 */
public enum Acknowledge {
  /** The request has been carried out; later reads see its effect. */
  APPLIED(0),
  /** The request is in the server's memory. A failure is reported by the next flush. */
  RECEIVED(1),
  /** The request has been carried out and is in a journal that survives a crash of the machine. */
  DURABLE(2);

  /** The flag of a reply that acknowledges {@link #RECEIVED}; the actual reply follows. */
  public static final int EARLY = 4;

  private static final int MASK = 3;

  private final int number;

  Acknowledge(int number) {
    this.number = number;
  }

  /** {@return the number in the flags of a request} */
  public int number() {
    return number;
  }

  /**
   * Reads the level from the flags of a request.
   *
   * @param flags the flags
   * @return the level; {@link #DURABLE} if this build does not know it
   */
  public static Acknowledge of(int flags) {
    return switch (flags & MASK) {
      case 0 -> APPLIED;
      case 1 -> RECEIVED;
      default -> DURABLE;
    };
  }

  /**
   * Parses {@code received}, {@code applied} or {@code durable}.
   *
   * @param text the name, in any case
   * @return the level
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
