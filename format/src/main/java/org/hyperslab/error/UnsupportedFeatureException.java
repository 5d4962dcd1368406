package org.hyperslab.error;

/**
 * The bytes are well formed, or the request is valid, but this build or this connector does not
 * support it. Examples are an unregistered filter, an unknown message that must be understood, a
 * version newer than this build, and a write on a read-only connector.
 */
public final class UnsupportedFeatureException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public UnsupportedFeatureException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public UnsupportedFeatureException(String message, Throwable cause) {
    super(message, cause);
  }
}
