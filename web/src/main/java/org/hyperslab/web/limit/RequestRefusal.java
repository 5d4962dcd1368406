package org.hyperslab.web.limit;

/** A request that the server gives up, with the status that says why. */
public final class RequestRefusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * Creates a refusal.
   *
   * @param status its HTTP status code
   * @param message what, actual, expected, what to do
   */
  public RequestRefusal(int status, String message) {
    this(status, message, null);
  }

  /**
   * Creates a refusal that has a cause.
   *
   * @param status its HTTP status code
   * @param message what is wrong, and what to do
   * @param cause the failure behind it; null if there is none
   */
  public RequestRefusal(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** {@return the HTTP status code of the reply} */
  public int status() {
    return status;
  }
}
