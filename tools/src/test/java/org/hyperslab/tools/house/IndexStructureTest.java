package org.hyperslab.tools.house;

/** Tests the packages of indexes in files. */
final class IndexStructureTest extends StructureContract {

  IndexStructureTest() {
    super("format/DESIGN.md", "## Packages of indexes", "org.hyperslab.format.index", 25);
  }
}
