package org.hyperslab.error;

/**
 * A link, attribute or file of that name exists already and the call was not allowed to replace it.
 */
public final class AlreadyExistsException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that names what, where, expected and actual.
   *
   * @param message what happened: what, where, actual, expected, what to do
   */
  public AlreadyExistsException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and the cause that is kept.
   *
   * @param message what happened: what, where, actual, expected, what to do
   * @param cause what led to this
   */
  public AlreadyExistsException(String message, Throwable cause) {
    super(message, cause);
  }
}
