package org.hyperslab.error;

/** A link, attribute, object, file, connector or filter that was named does not exist. */
public final class NotFoundException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that names what, where, expected and actual.
   *
   * @param message what happened: what, where, actual, expected, what to do
   */
  public NotFoundException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and the cause that is kept.
   *
   * @param message what happened: what, where, actual, expected, what to do
   * @param cause what led to this
   */
  public NotFoundException(String message, Throwable cause) {
    super(message, cause);
  }
}
