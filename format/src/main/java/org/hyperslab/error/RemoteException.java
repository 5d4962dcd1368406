package org.hyperslab.error;

/**
 * A request to another process failed there or during transmission: a connection lost, a time-out,
 * a refusal by the server.
 */
public final class RemoteException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with a message that states what, where, actual and expected.
   *
   * @param message the message: what, where, actual, expected, what to do
   */
  public RemoteException(String message) {
    super(message);
  }

  /**
   * Creates the exception with a message and a cause.
   *
   * @param message the message: what, where, actual, expected, what to do
   * @param cause the cause
   */
  public RemoteException(String message, Throwable cause) {
    super(message, cause);
  }
}
