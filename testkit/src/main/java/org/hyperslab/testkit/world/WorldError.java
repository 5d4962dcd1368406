package org.hyperslab.testkit.world;

/** Says that something in a world went wrong in a way that no fault of the world excuses. */
public final class WorldError extends AssertionError {

  private static final long serialVersionUID = 1;

  /**
   * Creates an error.
   *
   * @param message what went wrong
   */
  public WorldError(String message) {
    super(message);
  }

  /**
   * Creates an error with a cause.
   *
   * @param message what went wrong
   * @param cause why
   */
  public WorldError(String message, Throwable cause) {
    super(message, cause);
  }
}
