/** The test kit of byte stores: a contract, and stores that fail on demand. */
module org.hyperslab.testkit.stores {
  requires transitive org.hyperslab.format;
  requires transitive org.hyperslab.testkit.support;
  requires jdk.httpserver;
  requires org.assertj.core;
  requires org.junit.jupiter.api;

  exports org.hyperslab.testkit.store;
}
