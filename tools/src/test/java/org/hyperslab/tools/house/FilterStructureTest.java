package org.hyperslab.tools.house;

/** Tests the packages of filters. */
final class FilterStructureTest extends StructureContract {

  FilterStructureTest() {
    super("format/DESIGN.md", "## Packages of filters", "org.hyperslab.format.filter", 25);
  }
}
