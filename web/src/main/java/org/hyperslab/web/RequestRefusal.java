package org.hyperslab.web;

/** A request that the server gives up, with the status that says why. */
final class RequestRefusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * Creates a refusal.
   *
   * @param status its HTTP status code
   * @param message what, actual, expected, what to do
   */
  RequestRefusal(int status, String message) {
    this(status, message, null);
  }

  /**
   * Creates a refusal that has a cause.
   *
   * @param status its HTTP status code
   * @param message what is wrong, and what to do
   * @param cause the failure behind it; null if there is none
   */
  RequestRefusal(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  int status() {
    return status;
  }
}
