package org.hyperslab.format.filter;

import java.util.List;

/**
 * Supplies several filters, or filters that are known only at run time. {@link FilterRegistry}
 * finds providers by {@link java.util.ServiceLoader}; a single filter is provided as a {@link
 * Filter}.
 *
 * <p>Thread rule: called once, by the thread that first uses {@link FilterRegistry#standard}.
 */
public interface FilterProvider {

  /** {@return the filters; those whose number is already in use are ignored} */
  List<Filter> filters();
}
