/** The test support of every module: other programs as judges, the corpus, seeds, folders. */
module org.hyperslab.testkit.support {
  requires java.management;
  requires transitive org.junit.jupiter.api;

  exports org.hyperslab.testkit;
}
