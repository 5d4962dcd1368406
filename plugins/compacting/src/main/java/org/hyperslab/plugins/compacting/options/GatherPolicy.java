package org.hyperslab.plugins.compacting.options;

import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;

/**
 * The conditions for starting collected requests on an idle dataset. While a batch of a dataset is
 * under way, new requests are always collected.
 *
 * @param requests the number of waiting requests that starts them; 1 starts each at once
 * @param nanoseconds the time after which they start, counted from the arrival of the first, even
 *     if there are fewer; 0 means no time limit, in which case an incomplete batch waits for an
 *     ordered request or a full queue
 */
public record GatherPolicy(int requests, long nanoseconds) {

  /** Starts requests on an idle dataset at once. */
  public static final GatherPolicy NONE = new GatherPolicy(1, 0);

  /**
   * The property of transfer options that says for how many requests the dataset waits from this
   * one on, until the file is closed or another transfer says otherwise: 1 to {@value
   * #MAX_HINTED_REQUESTS}. It waits no longer than {@value #GATHER_MICROS} says.
   */
  public static final String GATHER = "gather";

  /**
   * The property of transfer options that says how long requests on the dataset wait for others
   * from this one on, in microseconds: 1 to {@value #MAX_HINTED_MICROS}. Without it, but with
   * {@value #GATHER}, they wait {@value #HINTED_MICROS} at most.
   */
  public static final String GATHER_MICROS = "gatherMicros";

  /** The name of that property in earlier builds, which goes on working. */
  static final String GATHER_MICROS_BEFORE = "gather-micros";

  /** The most requests that a client may have a dataset wait for. */
  static final int MAX_HINTED_REQUESTS = 65_536;

  /** The longest time that a client may have a dataset wait, since others wait with it. */
  static final long MAX_HINTED_MICROS = 10_000_000;

  /** The time that a dataset waits if a client gives only a number of requests. */
  static final long HINTED_MICROS = 10_000;

  /**
   * Returns what a client asks for, which always has a time limit.
   *
   * @param properties the properties of a transfer
   * @return the setting; empty if the transfer sets neither property
   * @throws InvalidUseException if one is no whole number or out of its bounds
   */
  public static Optional<GatherPolicy> hinted(Map<String, String> properties) {
    String requests = properties.get(GATHER);
    String micros = properties.getOrDefault(GATHER_MICROS, properties.get(GATHER_MICROS_BEFORE));
    if (requests == null && micros == null) {
      return Optional.empty();
    }
    long number = MAX_HINTED_REQUESTS;
    long time = HINTED_MICROS;
    if (requests != null) {
      number = bounded(GATHER, requests, MAX_HINTED_REQUESTS);
    }
    if (micros != null) {
      time = bounded(GATHER_MICROS, micros, MAX_HINTED_MICROS);
    }
    return Optional.of(new GatherPolicy((int) number, 1000 * time));
  }

  private static long bounded(String property, String text, long most) {
    boolean whole = text.matches("\\d{1,9}");
    long number = whole ? Long.parseLong(text) : 0;
    if (number < 1 || number > most) {
      throw new InvalidUseException(
          "transfer property "
              + property
              + ": actual="
              + text
              + ", expected=a whole number from 1 to "
              + most);
    }
    return number;
  }

  /**
   * Checks the bounds.
   *
   * @throws InvalidUseException if {@code requests} is not positive or {@code nanoseconds} is
   *     negative
   */
  public GatherPolicy {
    if (requests < 1 || nanoseconds < 0) {
      throw new InvalidUseException(
          "gathering: actual="
              + requests
              + " requests, "
              + nanoseconds
              + " ns, expected=at least 1 request and 0 ns");
    }
  }
}
