/** Provides staging servers and the connector of their clients. */
module org.hyperslab.plugins.forwarding {
  requires transitive org.hyperslab.spi;
  requires org.hyperslab.plugins.codec;
  requires transitive org.hyperslab.plugins.compacting;
  requires com.google.protobuf;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;

  exports org.hyperslab.plugins.forwarding;
  exports org.hyperslab.plugins.forwarding.client;
  exports org.hyperslab.plugins.forwarding.server;

  provides org.hyperslab.vol.ConnectorFactory with
      org.hyperslab.plugins.forwarding.client.ForwardingConnectorFactory;
}
