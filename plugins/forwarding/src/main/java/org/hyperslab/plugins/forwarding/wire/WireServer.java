package org.hyperslab.plugins.forwarding.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.StorageException;

/**
 * Accepts connections at one address.
 *
 * <p>Thread rule: any thread.
 */
public final class WireServer implements AutoCloseable {

  private final EventLoopGroup threads;
  private final Channel channel;
  private final Address address;

  private WireServer(EventLoopGroup threads, Channel channel, Address address) {
    this.threads = threads;
    this.channel = channel;
    this.address = address;
  }

  /**
   * Listens.
   *
   * @param security the keys; may be empty where only this machine reaches the address
   * @param threads how many threads move bytes
   * @throws org.hyperslab.error.InvalidUseException if keys are missing
   * @throws StorageException if the address cannot be had
   */
  public static WireServer listen(
      Address address,
      Optional<Security> security,
      WireLimits limits,
      int threads,
      FrameHandler handler) {
    Security.require(address, security);
    removeOldSocket(address);
    Optional<SslContext> tls = security.map(Security::server);
    EventLoopGroup group = Transport.threads("hyperslab-wire-server", threads);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channel(Transport.server(address))
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(2048, 65_536, 1 << 19))
            .childHandler(new Pipeline(tls, limits, handler));
    if (address instanceof Address.Tcp) {
      bootstrap
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true);
    }
    ChannelFuture bound = bootstrap.bind(Transport.socket(address)).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new StorageException(
          "address: actual=" + bound.cause().getMessage() + ", expected=free, at=" + address,
          bound.cause());
    }
    return new WireServer(group, bound.channel(), actual(address, bound.channel()));
  }

  static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(4 << 20, 16 << 20);

  private record Accepted(Optional<SslContext> tls, WireLimits limits, FrameHandler handler) {}

  private static final class Pipeline extends ChannelInitializer<Channel> {
    private final Accepted with;

    Pipeline(Optional<SslContext> tls, WireLimits limits, FrameHandler handler) {
      this.with = new Accepted(tls, limits, handler);
    }

    @Override
    protected void initChannel(Channel channel) {
      with.tls.ifPresent(tls -> channel.pipeline().addLast(tls.newHandler(channel.alloc())));
      channel.pipeline().addLast(new Connection(with.handler, with.limits).events());
    }
  }

  /** A socket that a server left behind, which nobody listens to, stands in the way. */
  private static void removeOldSocket(Address address) {
    if (address instanceof Address.Unix unix && !answers(unix)) {
      try {
        Files.deleteIfExists(Path.of(unix.path()));
      } catch (IOException e) {
        throw new StorageException("old socket: " + e.getMessage() + ", at=" + unix.path(), e);
      }
    }
  }

  private static boolean answers(Address.Unix unix) {
    try (var probe = java.nio.channels.SocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      return probe.connect(java.net.UnixDomainSocketAddress.of(unix.path()));
    } catch (IOException e) {
      return false;
    }
  }

  private static Address actual(Address asked, Channel channel) {
    return asked instanceof Address.Tcp tcp
            && channel.localAddress() instanceof InetSocketAddress socket
        ? new Address.Tcp(tcp.host(), socket.getPort())
        : asked;
  }

  /** Where it listens, with the port that it was given. */
  public Address address() {
    return address;
  }

  /** Accepts nobody else; those connected stay. */
  public void stopAccepting() {
    channel.close().awaitUninterruptibly();
  }

  /** Ends all connections. */
  @Override
  public void close() {
    stopAccepting();
    threads.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    if (address instanceof Address.Unix unix) {
      try {
        Files.deleteIfExists(Path.of(unix.path()));
      } catch (IOException e) {
        throw new StorageException("socket: " + e.getMessage() + ", at=" + unix.path(), e);
      }
    }
  }
}
