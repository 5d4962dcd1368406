package org.hyperslab.mpiio.pointer;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.mpiio.MpiFile;

/**
 * Stands for a missing shared pointer: ranks are processes and the file is a store without a path,
 * so there can be no file beside it. Its use is an error, whatever the hint {@code sharedfp}
 * requests; other routines work, and {@link MpiFile#info} and {@link MpiFile#explain} name it.
 *
 * @param file the file, for messages
 */
public record UnavailablePointer(String file) implements SharedFilePointer {

  public static final String NAME = "none";

  private UnsupportedFeatureException refusal() {
    return new UnsupportedFeatureException(
        "shared pointer: actual=ranks in several processes and a store without a path,"
            + " expected=a file opened by its path, at="
            + file);
  }

  @Override
  public String name() {
    return NAME;
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
