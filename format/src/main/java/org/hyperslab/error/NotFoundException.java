package org.hyperslab.error;

/** A link, attribute, object, file, connector or filter that was named does not exist. */
public final class NotFoundException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public NotFoundException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public NotFoundException(String message, Throwable cause) {
    super(message, cause);
  }
}
