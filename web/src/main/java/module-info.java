/** Shows HDF5 files in a browser and serves them over HTTP, read through any connector. */
module org.hyperslab.web {
  requires transitive org.hyperslab.api;
  requires org.hyperslab.interchange;
  requires org.hyperslab.spi;
  requires com.google.common;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;

  exports org.hyperslab.web;
  exports org.hyperslab.web.options;
}
