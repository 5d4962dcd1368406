package org.hyperslab.format.store;

import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Creates the error for a JVM that does not permit this module to call native functions ({@code
 * --illegal-native-access=deny} without {@code --enable-native-access}).
 *
 * <p>Thread rule: no state.
 */
public final class NativeAccess {

  private NativeAccess() {}

  /**
   * {@return the exception for an operation that requires native calls}
   *
   * @param what the name of the requested operation
   * @param denied the exception that the JVM threw
   */
  public static UnsupportedFeatureException denied(String what, IllegalCallerException denied) {
    return new UnsupportedFeatureException(
        what
            + ": actual="
            + denied.getMessage()
            + ", expected=native access; start java with --enable-native-access=ALL-UNNAMED, or "
            + "with the names of Hyperslab's modules if they are on the module path",
        denied);
  }
}
