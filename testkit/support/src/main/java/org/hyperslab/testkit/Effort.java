package org.hyperslab.testkit;

/**
 * The number of cases that a random test tries: few in {@code ./check}, all in {@code ./check
 * --full}, which sets the system property {@code hyperslab.full}.
 *
 * <p>Thread rule: any thread.
 */
public final class Effort {

  private Effort() {}

  /** {@return whether this is a run of the full gate} */
  public static boolean isFull() {
    return Boolean.getBoolean("hyperslab.full");
  }

  /**
   * Chooses a number of cases.
   *
   * @param few the number in an ordinary run
   * @param all the number in a full run
   * @return {@code few} or {@code all}
   */
  public static int times(int few, int all) {
    return isFull() ? all : few;
  }
}
