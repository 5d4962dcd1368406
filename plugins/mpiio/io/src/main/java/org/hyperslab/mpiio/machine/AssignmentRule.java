package org.hyperslab.mpiio.machine;

import java.util.Arrays;
import java.util.Locale;
import org.hyperslab.error.InvalidUseException;

/** How file domains are given to ranks. */
public enum AssignmentRule {
  /** Domain j to the j-th of the candidates, as ROMIO does. */
  ROMIO,
  /**
   * So that the most bytes stay where they are; after Filgueira et al., LA-Two-Phase (2008). A
   * linear assignment of {@code -C}.
   */
  LATP,
  /**
   * So that hop-bytes are least; after Liu et al., TATP (2018). A linear assignment of {@code W = D
   * C}, where D has the hops between ranks.
   */
  TATP,
  /**
   * Each domain elects the rank at which its time to gather and to reach its I/O node is least;
   * after Tessier et al., TAPIOCA (2017).
   */
  TAPIOCA;

  /**
   * Finds a rule by its name in hints.
   *
   * @param name {@code romio}, {@code latp}, {@code tatp} or {@code tapioca}
   * @return the rule
   * @throws InvalidUseException if there is none of that name
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

  /** {@return the name, as hints have it} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
