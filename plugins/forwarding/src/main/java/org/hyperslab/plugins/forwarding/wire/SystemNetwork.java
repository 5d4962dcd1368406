package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.forwarding.Address;

/**
 * The sockets of this machine: by epoll if available, otherwise by NIO.
 *
 * <p>Thread rule: no state.
 */
final class SystemNetwork extends WireNetwork {

  @Override
  EventLoopGroup threads(String name, int count) {
    return new MultiThreadIoEventLoopGroup(
        count,
        new DefaultThreadFactory(name, true),
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  @Override
  EventLoopGroup threads(String name, int count, LoopChooser chooser) {
    return new MultiThreadIoEventLoopGroup(
        count,
        new ThreadPerTaskExecutor(new DefaultThreadFactory(name, true)),
        chooser,
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  @Override
  ChannelFactory<Channel> channels(Address address) {
    return new ReflectiveChannelFactory<>(channel(address));
  }

  private static Class<? extends Channel> channel(Address address) {
    return switch (address) {
      case Address.Unix unix -> {
        requireUnixSockets(address);
        yield EpollDomainSocketChannel.class;
      }
      case Address.Tcp tcp ->
          Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    };
  }

  @Override
  ChannelFactory<ServerChannel> servers(Address address) {
    return new ReflectiveChannelFactory<>(server(address));
  }

  private static Class<? extends ServerChannel> server(Address address) {
    return switch (address) {
      case Address.Unix unix -> {
        requireUnixSockets(address);
        yield EpollServerDomainSocketChannel.class;
      }
      case Address.Tcp tcp ->
          Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    };
  }

  /** The time without data after which the system asks whether the other machine is there. */
  private static final int IDLE_SECONDS = 60;

  private static final int QUESTION_SECONDS = 10;
  private static final int QUESTIONS = 6;

  /**
   * Lets the system end connections to machines that are gone, on Linux within two minutes;
   * otherwise their sessions would keep files open for ever. The system of a process that is
   * suspended answers.
   */
  @Override
  void keepAlive(Options options) {
    options.set(ChannelOption.SO_KEEPALIVE, true);
    if (Epoll.isAvailable()) {
      options.set(EpollChannelOption.TCP_KEEPIDLE, IDLE_SECONDS);
      options.set(EpollChannelOption.TCP_KEEPINTVL, QUESTION_SECONDS);
      options.set(EpollChannelOption.TCP_KEEPCNT, QUESTIONS);
    }
  }

  private static void requireUnixSockets(Address address) {
    if (!Epoll.isAvailable()) {
      throw new UnsupportedFeatureException(
          "unix domain socket: actual=no epoll on this machine ("
              + Epoll.unavailabilityCause()
              + "), expected=Linux, at="
              + address
              + "; use HOST:PORT");
    }
  }

  @Override
  SocketAddress socket(Address address) {
    return switch (address) {
      case Address.Unix unix -> new DomainSocketAddress(unix.path());
      case Address.Tcp tcp -> new InetSocketAddress(tcp.host(), tcp.port());
    };
  }
}
