package org.hyperslab.plugins.libhdf5;

import java.util.function.LongFunction;

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
  private T defaults;
  private T last;

  /** The library's copy of the last list; 0 if there is none. */
  private long copy;

  /**
   * Creates an empty memory.
   *
   * @param hdf5 the library
   * @param defaultVariable the library's variable with the identifier of the default list
   */
  PropertyListCache(Hdf5Calls hdf5, String defaultVariable) {
    this.hdf5 = hdf5;
    this.defaultVariable = defaultVariable;
  }

  /**
   * Returns the options of a list.
   *
   * @param list the list
   * @param rule which options may be kept, and what to compare
   * @param read reads a list
   */
  synchronized T get(long list, Rule<T> rule, LongFunction<T> read) {
    if (list == hdf5.known(defaultVariable)) {
      if (defaults == null) {
        defaults = read.apply(list);
      }
      return defaults;
    }
    if (copy != 0 && equal(list) && rule.same(list, last)) {
      return last;
    }
    T options = read.apply(list);
    if (rule.keep(options)) {
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
