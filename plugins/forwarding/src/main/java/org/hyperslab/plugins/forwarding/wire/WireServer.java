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
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;

/**
 * Listens at an address and accepts connections.
 *
 * <p>Thread rule: any thread.
 */
public final class WireServer implements AutoCloseable {

  private final EventLoopGroup accepting;
  private final EventLoopGroup threads;
  private final Channel channel;
  private final Address address;
  private final Optional<UnixSocketFile> file;

  private WireServer(
      EventLoopGroup accepting,
      EventLoopGroup threads,
      Channel channel,
      Address address,
      Optional<UnixSocketFile> file) {
    this.file = file;
    this.accepting = accepting;
    this.threads = threads;
    this.channel = channel;
    this.address = address;
  }

  /**
   * Listens at an address like {@link #bind}, and accepts connections at once.
   *
   * @param address the address
   * @param security the keys; may be empty for an address that is reachable only from this machine
   * @param limits the limits of frames, until the handler changes them
   * @param threads the number of threads for network I/O
   * @param handler handles the connections
   * @return the server
   * @throws org.hyperslab.error.InvalidUseException if the address needs keys
   * @throws StorageException if the address is not available
   */
  public static WireServer listen(
      Address address,
      Optional<Security> security,
      WireLimits limits,
      int threads,
      FrameHandler handler) {
    WireServer server = bind(WireNetwork.ofSystem(), address, security, limits, threads, handler);
    server.accept();
    return server;
  }

  /**
   * Listens at an address. Connections wait until {@link #accept}.
   *
   * @param network the network
   * @param address the address
   * @param security the keys; may be empty for an address that is reachable only from this machine
   * @param limits the limits of frames, until the handler changes them ({@link Connection#accept})
   * @param threads the number of threads for network I/O; there is one more for connections that
   *     arrive while all of them are occupied, and one that accepts
   * @param handler handles the connections
   * @return the server
   * @throws org.hyperslab.error.InvalidUseException if the address needs keys
   * @throws StorageException if the address is not available
   */
  public static WireServer bind(
      WireNetwork network,
      Address address,
      Optional<Security> security,
      WireLimits limits,
      int threads,
      FrameHandler handler) {
    TlsContexts.require(address, security);
    Optional<UnixSocketFile> file = UnixSocketFile.of(address);
    Optional<SslContext> tls = security.map(TlsContexts::server);
    LoopChooser chooser = new LoopChooser();
    EventLoopGroup accepting = network.threads("hyperslab-wire-accept", 1);
    EventLoopGroup group = network.threads("hyperslab-wire-server", threads + 1, chooser);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(accepting, group)
            .channelFactory(network.servers(address))
            .option(ChannelOption.AUTO_READ, false)
            .handler(new ConnectionGate())
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(2048, 65_536, 1 << 19))
            .childHandler(new Pipeline(new Accepted(tls, limits, handler, chooser)));
    if (address instanceof Address.Tcp) {
      bootstrap
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true);
      network.keepAlive(bootstrap::childOption);
    } else {
      bootstrap.childOption(ChannelOption.SO_SNDBUF, UNIX_BUFFER_BYTES);
    }
    Address first = file.<Address>map(UnixSocketFile::hidden).orElse(address);
    ChannelFuture bound = bootstrap.bind(network.socket(first)).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      file.ifPresent(UnixSocketFile::close);
      accepting.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new StorageException(
          "address: actual=" + Transport.reason(bound.cause()) + ", expected=free, at=" + address,
          bound.cause());
    }
    WireServer server =
        new WireServer(accepting, group, bound.channel(), actual(address, bound.channel()), file);
    try {
      file.ifPresent(UnixSocketFile::show);
    } catch (RuntimeException refused) {
      server.close();
      throw refused;
    }
    return server;
  }

  /**
   * The size of a unix socket's send buffer in bytes, if the system permits it: large enough that a
   * sender need not wait while the receiver handles received data. TCP sockets adapt their buffers.
   */
  static final int UNIX_BUFFER_BYTES = 1 << 20;

  static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(4 << 20, 16 << 20);

  private record Accepted(
      Optional<SslContext> tls, WireLimits limits, FrameHandler handler, LoopChooser chooser) {}

  private static final class Pipeline extends ChannelInitializer<Channel> {
    private final Accepted with;

    Pipeline(Accepted with) {
      this.with = with;
    }

    @Override
    protected void initChannel(Channel channel) {
      with.tls.ifPresent(tls -> channel.pipeline().addLast(tls.newHandler(channel.alloc())));
      channel
          .pipeline()
          .addLast(new Connection(with.handler, with.limits, with.chooser, true).events());
    }
  }

  private static Address actual(Address asked, Channel channel) {
    return asked instanceof Address.Tcp tcp
            && channel.localAddress() instanceof InetSocketAddress socket
        ? new Address.Tcp(tcp.host(), socket.getPort())
        : asked;
  }

  /** {@return the address, with the port that the system has chosen if none was given} */
  public Address address() {
    return address;
  }

  /** Accepts connections, including those that are waiting. */
  public void accept() {
    channel.config().setAutoRead(true);
  }

  /** Stops accepting connections; established ones continue. */
  public void stopAccepting() {
    channel.close().awaitUninterruptibly();
  }

  /** Closes all connections after sending the queued frames, such as goodbyes. */
  @Override
  public void close() {
    stopAccepting();
    // A thread that shuts down closes its connections before it runs its queued tasks.
    threads.forEach(thread -> thread.submit(() -> {}).awaitUninterruptibly(5, TimeUnit.SECONDS));
    accepting.shutdownGracefully(0, 5, TimeUnit.SECONDS);
    threads.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    file.ifPresent(UnixSocketFile::close);
  }
}
