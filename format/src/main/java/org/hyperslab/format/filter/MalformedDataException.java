package org.hyperslab.format.filter;

/**
 * Thrown by a {@link Filter} when the bytes given to it cannot be decoded, or cannot be encoded. It
 * knows nothing of files: the pipeline turns it into a typed error that names the file, the chunk
 * and the filter.
 */
public final class MalformedDataException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception; the message describes the problem, with actual and expected values.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public MalformedDataException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the underlying exception
   */
  public MalformedDataException(String message, Throwable cause) {
    super(message, cause);
  }
}
