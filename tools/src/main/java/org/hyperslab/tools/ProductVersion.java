package org.hyperslab.tools;

import picocli.CommandLine.IVersionProvider;

/** The version of the product, from the jar's manifest. */
final class ProductVersion implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {"hyperslab " + (version == null ? "(unpackaged)" : version)};
  }
}
