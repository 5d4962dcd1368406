/** The {@code hyperslab} command line. */
module org.hyperslab.tools {
  requires org.hyperslab.api;
  requires org.hyperslab.interchange;
  requires org.hyperslab.spi;
  requires org.hyperslab.convert;
  requires org.hyperslab.netcdf;
  requires org.hyperslab.examples;
  requires org.hyperslab.mpiio;
  requires org.hyperslab.plugins.mpiio;
  requires org.hyperslab.baselines;
  requires org.hyperslab.placement;
  requires org.hyperslab.simulation;
  requires org.hyperslab.plugins.compacting;
  requires org.hyperslab.plugins.configured;
  requires org.hyperslab.plugins.log;
  requires org.hyperslab.plugins.forwarding;
  requires org.hyperslab.web;
  requires org.hyperslab.plugins.libhdf5;
  requires info.picocli;
  requires me.tongfei.progressbar;
  requires java.desktop;
  requires xchart;

  opens org.hyperslab.tools to
      info.picocli;
  opens org.hyperslab.tools.bridge to
      info.picocli;
  opens org.hyperslab.tools.command to
      info.picocli;
  opens org.hyperslab.tools.convert to
      info.picocli;
  opens org.hyperslab.tools.diff to
      info.picocli;
  opens org.hyperslab.tools.dump to
      info.picocli;
  opens org.hyperslab.tools.edit to
      info.picocli;
  opens org.hyperslab.tools.explain to
      info.picocli;
  opens org.hyperslab.tools.kernel to
      info.picocli;
  opens org.hyperslab.tools.listing to
      info.picocli;
  opens org.hyperslab.tools.logs to
      info.picocli;
  opens org.hyperslab.tools.machine to
      info.picocli;
  opens org.hyperslab.tools.netcdf to
      info.picocli;
  opens org.hyperslab.tools.plot to
      info.picocli;
  opens org.hyperslab.tools.query to
      info.picocli;
  opens org.hyperslab.tools.repack to
      info.picocli;
  opens org.hyperslab.tools.serve to
      info.picocli;
  opens org.hyperslab.tools.stage to
      info.picocli;
  opens org.hyperslab.tools.stat to
      info.picocli;
  opens org.hyperslab.tools.verify to
      info.picocli;
}
