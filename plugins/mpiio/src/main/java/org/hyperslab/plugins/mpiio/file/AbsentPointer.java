package org.hyperslab.plugins.mpiio.file;

import org.hyperslab.error.UnsupportedFeatureException;

/**
 * No shared pointer: where ranks are processes and the file is a store without a path, beside which
 * nothing could be kept. Whoever uses it is told; all else of the file works.
 *
 * @param file the file, for messages
 */
record AbsentPointer(String file) implements SharedPointer {

  private UnsupportedFeatureException refusal() {
    return new UnsupportedFeatureException(
        "shared pointer: actual=ranks in several processes and a store without a path,"
            + " expected=a file opened by its path, at="
            + file);
  }

  @Override
  public String name() {
    return "none";
  }

  @Override
  public long get() {
    throw refusal();
  }

  @Override
  public void set(long etypes) {
    if (etypes != 0) {
      throw refusal();
    }
  }

  @Override
  public long take(long etypes) {
    throw refusal();
  }

  @Override
  public void close() {
    // There is nothing to free.
  }
}
