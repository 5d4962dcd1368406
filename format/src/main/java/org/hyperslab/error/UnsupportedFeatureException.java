package org.hyperslab.error;

/**
 * The bytes are well formed, or the request well stated, but this build or this connector cannot do
 * it: an unregistered filter, an unknown message that must be understood, a version from the
 * future, a write on a read-only connector.
 */
public final class UnsupportedFeatureException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message that names what, where, expected and actual. */
  public UnsupportedFeatureException(String message) {
    super(message);
  }

  /** Creates the exception with a message and the cause that is kept. */
  public UnsupportedFeatureException(String message, Throwable cause) {
    super(message, cause);
  }
}
