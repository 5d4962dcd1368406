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
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
