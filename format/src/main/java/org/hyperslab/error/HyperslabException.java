package org.hyperslab.error;

/**
 * The base class of all exceptions that Hyperslab throws.
 *
 * <p>The message has the form {@code what: actual=…, expected=…, at=…} followed by advice if there
 * is any. The subclass determines the kind of failure, so that a caller can decide by class whether
 * to retry, to repair the file or to correct its call.
 *
 * <p>Thread rule: immutable except for the stack trace, like any Throwable.
 */
public abstract sealed class HyperslabException extends RuntimeException
    permits CorruptFileException,
        UnsupportedFeatureException,
        StorageException,
        InvalidUseException,
        NotFoundException,
        AlreadyExistsException,
        RemoteException,
        MpiException,
        InternalErrorException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  protected HyperslabException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  protected HyperslabException(String message, Throwable cause) {
    super(message, cause);
  }
}
