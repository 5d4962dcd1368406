package org.hyperslab.error;

/** A link, attribute or file of that name exists already, and the call may not replace it. */
public final class AlreadyExistsException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public AlreadyExistsException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public AlreadyExistsException(String message, Throwable cause) {
    super(message, cause);
  }
}
