package org.hyperslab.format.store;

import org.hyperslab.error.UnsupportedFeatureException;

/**
 * What to say where the JVM does not let this module call functions of the system ({@code
 * --illegal-native-access=deny} without {@code --enable-native-access}).
 *
 * <p>Thread rule: no state.
 */
public final class NativeAccess {

  private NativeAccess() {}

  /**
   * {@return the typed error for what cannot be done without native calls}
   *
   * @param what what was asked for
   * @param denied what the JVM said
   */
  public static UnsupportedFeatureException denied(String what, IllegalCallerException denied) {
    return new UnsupportedFeatureException(
        what
            + ": actual="
            + denied.getMessage()
            + ", expected=native access; start java with --enable-native-access=ALL-UNNAMED, or"
            + " with the names of Hyperslab's modules where they are on the module path",
        denied);
  }
}
