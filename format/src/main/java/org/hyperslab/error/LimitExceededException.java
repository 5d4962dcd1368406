package org.hyperslab.error;

/**
 * What the caller asked for needs more memory than the limit that the caller set. The same data may
 * fit in several smaller requests.
 */
public final class LimitExceededException extends InvalidUseException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public LimitExceededException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public LimitExceededException(String message, Throwable cause) {
    super(message, cause);
  }
}
