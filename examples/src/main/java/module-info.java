/** FLASH I/O and other application kernels, written with nothing but the public API. */
module org.hyperslab.examples {
  requires org.hyperslab.vol;
  requires java.desktop;
  requires xchart;

  exports org.hyperslab.examples.ffbench;
  exports org.hyperslab.examples.flashio;
}
