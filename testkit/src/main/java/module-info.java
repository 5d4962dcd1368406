/**
 * The test kit of connectors: contract suites, a connector in memory to compare with, and a fuzzer.
 */
module org.hyperslab.testkit {
  requires java.management;
  requires jdk.management;
  requires transitive org.hyperslab.testkit.stores;
  requires transitive org.hyperslab.testkit.support;
  requires transitive org.hyperslab.spi;
  requires transitive org.hyperslab.api;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires transitive org.assertj.core;

  exports org.hyperslab.testkit.contract;
  exports org.hyperslab.testkit.differential;
  exports org.hyperslab.testkit.filter;
  exports org.hyperslab.testkit.fuzz;
  exports org.hyperslab.testkit.memory;
  exports org.hyperslab.testkit.model;
  exports org.hyperslab.testkit.world;

  provides org.hyperslab.format.filter.Filter with
      org.hyperslab.testkit.filter.FaultyFilter;
  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.testkit.memory.MemoryConnectorFactory;
}
