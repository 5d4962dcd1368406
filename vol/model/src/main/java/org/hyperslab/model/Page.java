package org.hyperslab.model;

import java.util.List;

/**
 * Part of an ordered listing.
 *
 * @param entries the entries, in order
 * @param last whether no entry follows
 * @param <T> what is listed
 */
public record Page<T>(List<T> entries, boolean last) {

  /** Copies the list. */
  public Page {
    entries = List.copyOf(entries);
  }
}
