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

  /**
   * {@return the failure of an action for which the JVM has not enough memory}
   *
   * @param what the action or the data, with its size if that is known
   * @param exhausted the error
   */
  public static StorageException outOfMemory(String what, OutOfMemoryError exhausted) {
    return new StorageException(
        "memory: actual=exhausted ("
            + exhausted.getMessage()
            + "; the heap is at most "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MiB), expected=enough for "
            + what
            + "; transfer less at a time, as Dataset.rows and slice do, or give the JVM more memory"
            + " (-Xmx)",
        exhausted);
  }
}
