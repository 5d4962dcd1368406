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
    super(UnfinishedNames.shown(message));
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  protected HyperslabException(String message, Throwable cause) {
    super(UnfinishedNames.shown(message), cause);
  }

  /**
   * {@return the exception to throw to a caller for a failure} It is the failure itself if that is
   * a HyperslabException, a {@link StorageException} if the JVM has not enough memory, and an
   * {@link InternalErrorException} otherwise: a failure that no check foresaw is a defect of
   * Hyperslab.
   *
   * @param failure what was thrown
   * @param what the operation that failed, for the message
   */
  public static HyperslabException of(Throwable failure, String what) {
    return switch (failure) {
      case HyperslabException already -> already;
      case OutOfMemoryError memory -> StorageException.outOfMemory(what, memory);
      default -> InternalErrorException.unexpected(what, failure);
    };
  }

  /**
   * {@return the same failure in other words: its class, stack trace, cause and suppressed
   * exceptions, with another message} An addition to a message, such as the object that it
   * concerns, is thus reported once, not by a chain of exceptions with almost the same text.
   *
   * @param message the new message
   */
  public final HyperslabException withMessage(String message) {
    Throwable cause = getCause();
    HyperslabException told =
        switch (this) {
          case CorruptFileException e -> new CorruptFileException(e, message);
          case UnsupportedFeatureException _ -> new UnsupportedFeatureException(message, cause);
          case StorageException _ -> new StorageException(message, cause);
          case LimitExceededException _ -> new LimitExceededException(message, cause);
          case InvalidUseException _ -> new InvalidUseException(message, cause);
          case NotFoundException _ -> new NotFoundException(message, cause);
          case AlreadyExistsException _ -> new AlreadyExistsException(message, cause);
          case RemoteException _ -> new RemoteException(message, cause);
          case MpiException e -> new MpiException(e, message);
          case InternalErrorException _ -> new InternalErrorException(message, cause);
        };
    told.setStackTrace(getStackTrace());
    for (Throwable each : getSuppressed()) {
      told.addSuppressed(each);
    }
    return told;
  }
}
