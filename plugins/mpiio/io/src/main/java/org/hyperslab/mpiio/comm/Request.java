package org.hyperslab.mpiio.comm;

/**
 * A message under way. Its memory must be left alone until {@link #test} has said true or {@link
 * #await} has returned.
 *
 * <p>Thread rule: used by the thread that started it.
 */
public interface Request {

  /**
   * Returns whether it has completed; never waits. Once true, always true.
   *
   * @return whether it has completed
   * @throws org.hyperslab.error.MpiException if the message failed
   */
  boolean test();

  /**
   * Waits until it has completed. May be called again, with the same outcome.
   *
   * @return bytes sent or received
   * @throws org.hyperslab.error.MpiException if the message failed, or a rank of the world has
   */
  long await();
}
