package org.hyperslab.error;

/**
 * Storage failed below the format: a read, write, sync or truncate returned an error, the disk is
 * full, or another process holds a lock. The cause, if there is one, is the {@link
 * java.io.IOException} of the operation.
 */
public final class StorageException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public StorageException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public StorageException(String message, Throwable cause) {
    super(message, cause);
  }
}
