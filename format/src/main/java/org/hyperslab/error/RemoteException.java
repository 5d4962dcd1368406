package org.hyperslab.error;

/**
 * A request that travelled to another process failed there or on the way: a connection lost, a
 * time-out, a refusal by the server.
 */
public final class RemoteException extends HyperslabException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message that names what, where, expected and actual. */
  public RemoteException(String message) {
    super(message);
  }

  /** Creates the exception with a message and the cause that is kept. */
  public RemoteException(String message, Throwable cause) {
    super(message, cause);
  }
}
