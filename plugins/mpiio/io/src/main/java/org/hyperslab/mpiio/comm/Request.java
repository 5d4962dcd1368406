package org.hyperslab.mpiio.comm;

/**
 * A non-blocking message. Its memory must not be accessed until {@link #test} has returned true or
 * {@link #await} has returned.
 *
 * <p>Thread rule: used by the thread that started it.
 */
public interface Request {

  /**
   * Returns whether the message has completed, without waiting. Once true, always true.
   *
   * @return whether the message has completed
   * @throws org.hyperslab.error.MpiException if the message failed
   */
  boolean test();

  /**
   * Waits until the message has completed. May be called again, with the same result.
   *
   * @return the number of bytes sent or received
   * @throws org.hyperslab.error.MpiException if the message failed, or a rank of the world has
   */
  long await();
}
