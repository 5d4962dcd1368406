package org.hyperslab.plugins.libhdf5.translate;

import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;

/**
 * Remembers the options that property lists of one kind were read into: those of the list that
 * libhdf5 keeps for {@code H5P_DEFAULT}, and those of the last other list. Reading a list takes a
 * dozen calls of libhdf5, comparing it with a copy takes one.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}; calls of several threads exclude each other.
 *
 * @param <T> the options
 */
final class PropertyListCache<T> {

  /**
   * Which options may be kept, and what to compare.
   *
   * @param <T> the options
   */
  interface Rule<T> {

    /** Returns whether options depend on nothing but the list, and may be kept. */
    default boolean keep(T options) {
      return true;
    }

    /** Returns whether a list has the options in what {@code H5Pequal} does not compare. */
    default boolean same(long list, T options) {
      return true;
    }
  }

  private final Hdf5Calls hdf5;
  private final String defaultVariable;
  private final Rule<T> rule;

  /** The identifier of the default list; -1 before its options are known. */
  private long defaultList = -1;

  private T defaults;
  private T last;

  /** The library's copy of the last list; 0 if there is none. */
  private long copy;

  /**
   * Creates an empty memory.
   *
   * @param hdf5 the library
   * @param defaultVariable the library's variable with the identifier of the default list
   * @param rule which options may be kept, and what to compare
   */
  PropertyListCache(Hdf5Calls hdf5, String defaultVariable, Rule<T> rule) {
    this.hdf5 = hdf5;
    this.defaultVariable = defaultVariable;
    this.rule = rule;
  }

  /** Returns the options of a list; null if it has to be read. */
  synchronized T find(long list) {
    if (list == defaultList) {
      return defaults;
    }
    return copy != 0 && equal(list) && rule.same(list, last) ? last : null;
  }

  /** Remembers the options that a list was read into, if they may be kept, and returns them. */
  synchronized T keep(long list, T options) {
    if (list == hdf5.known(defaultVariable)) {
      defaults = options;
      defaultList = list;
    } else if (rule.keep(options)) {
      remember(list, options);
    }
    return options;
  }

  private boolean equal(long list) {
    return hdf5.status(Hdf5Function.P_EQUAL, list, copy) > 0;
  }

  private void remember(long list, T options) {
    long fresh = hdf5.id(Hdf5Function.P_COPY, list);
    if (copy != 0) {
      hdf5.call(Hdf5Function.P_CLOSE, copy);
    }
    copy = fresh;
    last = options;
  }
}
