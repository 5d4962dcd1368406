package org.hyperslab.error;

/** A link, attribute, object, file, connector or filter that was named does not exist. */
public final class NotFoundException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message that names what, where, expected and actual. */
  public NotFoundException(String message) {
    super(message);
  }

  /** Creates the exception with a message and the cause that is kept. */
  public NotFoundException(String message, Throwable cause) {
    super(message, cause);
  }
}
