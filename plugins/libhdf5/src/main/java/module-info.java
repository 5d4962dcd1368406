/** Programs written for libhdf5 on the connectors of this project. */
module org.hyperslab.plugins.libhdf5 {
  requires org.hyperslab.vol;

  exports org.hyperslab.plugins.libhdf5;
}
