package org.hyperslab;

/** Receives the objects below a group. */
@FunctionalInterface
public interface ObjectVisitor {

  /**
   * Visits one object, which is closed when this method returns.
   *
   * @param path its path from the group where the visit began, without leading slash; "." for that
   *     group
   * @param object the object
   * @return whether to continue
   */
  boolean visit(String path, H5Object object);
}
