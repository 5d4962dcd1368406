package org.hyperslab.tools.house;

/** Tests the packages of the native connector. */
final class NativeStructureTest extends StructureContract {

  NativeStructureTest() {
    super(
        "plugins/native/DESIGN.md",
        "## Packages, from the top down",
        "org.hyperslab.plugins.nativevol",
        30);
  }
}
