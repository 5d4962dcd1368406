package org.hyperslab.error;

/**
 * A defect of Hyperslab: an operation failed in an unforeseen way. Neither the caller nor the file
 * is at fault. The cause is the exception that was thrown; please report it with its stack trace.
 */
public final class InternalErrorException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public InternalErrorException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Wraps an unforeseen failure.
   *
   * @param what the operation that failed, for the message
   * @param cause the exception that was thrown
   * @return the exception to throw
   */
  public static InternalErrorException unexpected(String what, Throwable cause) {
    return new InternalErrorException(
        what
            + ": actual="
            + cause
            + ", expected=no failure or a typed one; this is a defect of Hyperslab, please report"
            + " it with its stack trace",
        cause);
  }
}
