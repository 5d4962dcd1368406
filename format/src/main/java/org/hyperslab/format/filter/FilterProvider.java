package org.hyperslab.format.filter;

import java.util.List;
import java.util.Optional;

/**
 * Supplies several filters, or filters that are known only at run time. {@link FilterRegistry}
 * finds providers by {@link java.util.ServiceLoader}; a single filter is provided as a {@link
 * Filter}.
 *
 * <p>Thread rule: {@link #filters} is called once, by the thread that first uses {@link
 * FilterRegistry#standard}.
 */
public interface FilterProvider {

  /**
   * {@return a filter that is not among {@link #filters}, and may be found at one time and not at
   * another; empty if there is none}
   *
   * <p>Called by any thread, whenever a dataset has a filter that is not known otherwise.
   *
   * @param id the filter's registered number
   */
  default Optional<Filter> find(int id) {
    return Optional.empty();
  }

  /** {@return the filters; those whose number is already in use are ignored} */
  List<Filter> filters();
}
