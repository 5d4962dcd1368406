package org.hyperslab.vol;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Identifies an open file, group, dataset or committed type between the caller and a connector. The
 * caller chooses it, before the operation that opens or creates the object is submitted, so that
 * operations which use the object can follow at once, without waiting for the first to complete. If
 * opening fails, every operation that names the handle fails with the same cause.
 *
 * @param id unique among the handles of this process
 */
public record Handle(long id) {

  private static final AtomicLong NEXT = new AtomicLong(1);

  /** {@return a new handle, unique in this process} */
  public static Handle fresh() {
    return new Handle(NEXT.getAndIncrement());
  }

  /**
   * Written by hand: the method generated for a record creates classes at run time, and handles are
   * keys of maps.
   */
  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }
}
