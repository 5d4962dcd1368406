/**
 * What tests of every room share: contract suites for connectors, a connector in memory to compare
 * with, corpus and interoperability oracles, seeds.
 */
module org.hyperslab.testkit {
  requires java.management;
  requires jdk.management;
  requires transitive org.hyperslab.vol;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires transitive org.assertj.core;

  exports org.hyperslab.testkit;
  exports org.hyperslab.testkit.contract;
  exports org.hyperslab.testkit.fuzz;
  exports org.hyperslab.testkit.memory;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.testkit.memory.MemoryConnectorFactory;
}
