package org.hyperslab.tools.house;

/** Tests the packages of the connector of many ranks. */
final class ParallelStructureTest extends StructureContract {

  ParallelStructureTest() {
    super(
        "plugins/mpiio/connector/DESIGN.md",
        "## Packages, from the top down",
        "org.hyperslab.plugins.mpiio",
        25);
  }
}
