package org.hyperslab.error;

/**
 * A defect of Hyperslab: an operation failed in a way that no check foresaw. Neither the caller nor
 * the file is at fault. The cause is the exception that was thrown; please report it with its stack
 * trace.
 */
public final class InternalErrorException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that names what, where, expected and actual.
   *
   * @param message what happened: what, where, actual, expected, what to do
   * @param cause what led to this
   */
  public InternalErrorException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Wraps a failure that no check foresaw.
   *
   * @param what what was being done, for the message
   * @param cause what was thrown
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
