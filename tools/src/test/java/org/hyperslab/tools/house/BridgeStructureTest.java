package org.hyperslab.tools.house;

/** Tests the packages of the bridge for libhdf5. */
final class BridgeStructureTest extends StructureContract {

  BridgeStructureTest() {
    super(
        "plugins/libhdf5/DESIGN.md",
        "## Packages, from the top down",
        "org.hyperslab.plugins.libhdf5",
        25);
  }
}
