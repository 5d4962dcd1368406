/**
 * FLASH I/O and other application kernels, written only with exported packages: the public API and,
 * for ranks and MPI-IO, communicators, datatypes and files.
 */
module org.hyperslab.examples {
  requires transitive org.hyperslab.api;
  requires org.hyperslab.spi;
  requires transitive org.hyperslab.mpiio;
  requires transitive org.hyperslab.plugins.mpiio;
  requires org.hyperslab.plugins.forwarding;
  requires transitive java.desktop;
  requires xchart;
  requires JTransforms;

  exports org.hyperslab.examples.ffbench;
  exports org.hyperslab.examples.flashio;
  exports org.hyperslab.examples.gabor;
  exports org.hyperslab.examples.guide;
  exports org.hyperslab.examples.kernels;
  exports org.hyperslab.examples.ranks;
}
