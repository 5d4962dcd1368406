package org.hyperslab.error;

/**
 * The caller asked for something impossible: a wrong rank, a selection outside the extent,
 * datatypes without a conversion, a closed object. The message states what to change.
 */
public sealed class InvalidUseException extends HyperslabException permits LimitExceededException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public InvalidUseException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public InvalidUseException(String message, Throwable cause) {
    super(message, cause);
  }
}
