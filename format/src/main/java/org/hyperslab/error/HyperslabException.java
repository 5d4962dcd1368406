package org.hyperslab.error;

/**
 * The root of every failure that Hyperslab reports.
 *
 * <p>The message has the form {@code what: actual=…, expected=…, at=…} followed, where something
 * can be done, by what to do. Subclasses say which kind of failure it is; a caller that only wants
 * to know whether to retry, to repair or to correct its own call needs no more than the class.
 *
 * <p>Thread rule: immutable but for the stack trace, as any Throwable.
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
   * Creates the exception with a message that names what, where, expected and actual.
   *
   * @param message what happened: what, where, actual, expected, what to do
   */
  protected HyperslabException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and the cause that is kept.
   *
   * @param message what happened: what, where, actual, expected, what to do
   * @param cause what led to this
   */
  protected HyperslabException(String message, Throwable cause) {
    super(message, cause);
  }
}
