/** The {@code hyperslab} command line. */
module org.hyperslab.tools {
  requires org.hyperslab.api;
  requires org.hyperslab.spi;
  requires org.hyperslab.convert;
  requires org.hyperslab.netcdf;
  requires org.hyperslab.examples;
  requires org.hyperslab.mpiio;
  requires org.hyperslab.plugins.mpiio;
  requires org.hyperslab.plugins.compacting;
  requires org.hyperslab.plugins.forwarding;
  requires org.hyperslab.web;
  requires org.hyperslab.plugins.libhdf5;
  requires info.picocli;
  requires me.tongfei.progressbar;
  requires java.desktop;
  requires xchart;

  opens org.hyperslab.tools to
      info.picocli;
}
