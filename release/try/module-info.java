/** A program that depends on the one artifact. */
module org.hyperslab.release.first {
  requires org.hyperslab;
}
