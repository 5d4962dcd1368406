package org.hyperslab.machine.assignment;

import java.util.Arrays;
import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/** A rule by which file domains are assigned to ranks. */
public enum AssignmentRule {
  /** Assigns domain j to the j-th candidate, as ROMIO does. */
  ROMIO,
  /**
   * Maximises the bytes that need not be sent; after Filgueira et al., LA-Two-Phase (2008). A
   * linear assignment of {@code -C}.
   */
  LATP,
  /**
   * Minimises hop-bytes; after Liu et al., TATP (2018). A linear assignment of {@code W = D C},
   * where D has the hops between ranks.
   */
  TATP,
  /**
   * Elects for each domain the rank with the least time to gather the domain and to send it to the
   * I/O node; after Tessier et al., TAPIOCA (2017).
   */
  TAPIOCA;

  /**
   * Returns the rule with the given name in hints.
   *
   * @param name {@code romio}, {@code latp}, {@code tatp} or {@code tapioca}
   * @return the rule
   * @throws InvalidUseException if no rule has that name
   */
  public static AssignmentRule parse(String name) {
    return Arrays.stream(values())
        .filter(rule -> rule.word().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new InvalidUseException(
                "hint: actual=hyperslab_assignment="
                    + name
                    + ", expected=romio, latp, tatp or tapioca"));
  }

  /** {@return the name of this rule in hints} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
