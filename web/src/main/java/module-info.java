/** Shows HDF5 files in a browser and serves them over HTTP, read through any connector. */
@SuppressWarnings("module") // this module is compiled before the one to which it exports
module org.hyperslab.web {
  requires transitive org.hyperslab.api;
  requires org.hyperslab.spi;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;

  exports org.hyperslab.web;

  // For the module of this project only; may change from release to release.
  exports org.hyperslab.web.json to
      org.hyperslab.tools;
}
