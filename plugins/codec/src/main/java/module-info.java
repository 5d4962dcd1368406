/** Operations, their results and errors as messages between processes. */
module org.hyperslab.plugins.codec {
  requires transitive org.hyperslab.spi;
  requires com.google.protobuf;

  exports org.hyperslab.plugins.codec;
}
