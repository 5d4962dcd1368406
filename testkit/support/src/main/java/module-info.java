/** What tests of every module stand on: other programs that judge, the corpus, seeds, folders. */
module org.hyperslab.testkit.support {
  requires java.management;
  requires transitive org.junit.jupiter.api;

  exports org.hyperslab.testkit;
}
