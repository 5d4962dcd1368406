package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import java.net.SocketAddress;
import org.hyperslab.plugins.forwarding.Address;

/**
 * The network that connections use: its channels, and the threads that serve them. {@link
 * #ofSystem} is what programs use; tests have one that is simulated.
 *
 * <p>Thread rule: any thread.
 */
public abstract class WireNetwork {

  /** Creates a network; only this package has implementations. */
  WireNetwork() {}

  /** {@return the sockets of this machine} */
  public static WireNetwork ofSystem() {
    return new SystemNetwork();
  }

  /** Creates threads for connections, which are assigned to them in turn. */
  abstract EventLoopGroup threads(String name, int count);

  /** Creates threads, to each of which a chooser assigns connections. */
  abstract EventLoopGroup threads(String name, int count, LoopChooser chooser);

  /** {@return what makes channels that connect to an address} */
  abstract ChannelFactory<Channel> channels(Address address);

  /** {@return what makes channels that listen at an address} */
  abstract ChannelFactory<ServerChannel> servers(Address address);

  /** {@return the address as channels take it} */
  abstract SocketAddress socket(Address address);

  /** Sets an option of connections. */
  interface Options {
    <T> Object set(ChannelOption<T> option, T value);
  }

  /** Lets connections to machines that are gone end. */
  abstract void keepAlive(Options options);
}
