package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.world.WorldProcess;

/** The sockets of a simulated process. */
final class WorldNetwork extends WireNetwork {

  private final WorldWires wires;
  private final WorldProcess process;

  WorldNetwork(WorldWires wires, WorldProcess process) {
    this.wires = wires;
    this.process = process;
  }

  @Override
  EventLoopGroup threads(String name, int count) {
    return new WorldLoops(process, name, count, null);
  }

  @Override
  EventLoopGroup threads(String name, int count, LoopChooser chooser) {
    return new WorldLoops(process, name, count, chooser);
  }

  @Override
  ChannelFactory<Channel> channels(Address address) {
    return () -> new WorldSocket(null, wires, process);
  }

  @Override
  ChannelFactory<ServerChannel> servers(Address address) {
    return () -> new WorldListener(wires, process);
  }

  @Override
  SocketAddress socket(Address address) {
    return new InetSocketAddress("127.0.0.1", ((Address.Tcp) address).port());
  }

  @Override
  void keepAlive(Options options) {}
}
