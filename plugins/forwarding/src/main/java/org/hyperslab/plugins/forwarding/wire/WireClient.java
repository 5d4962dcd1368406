package org.hyperslab.plugins.forwarding.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.RemoteException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.Security;

/**
 * Connects to servers.
 *
 * <p>Thread rule: any thread.
 */
public final class WireClient implements AutoCloseable {

  private final WireNetwork network;
  private final EventLoopGroup threads;

  /**
   * Creates a client.
   *
   * @param network the network
   * @param threads the number of threads for network I/O
   */
  public WireClient(WireNetwork network, int threads) {
    this.network = network;
    this.threads = network.threads("hyperslab-wire-client", threads);
  }

  /**
   * Connects, and waits until the connection is established.
   *
   * @param address the address of the server
   * @param security the keys; may be empty for an address of this machine
   * @param limits the limits of frames
   * @param longest the time limit for connecting
   * @param handler handles the connection
   * @return the connection
   * @throws org.hyperslab.error.InvalidUseException if the address needs keys
   * @throws RemoteException if no server answers in time
   */
  public Connection connect(
      Address address,
      Optional<Security> security,
      WireLimits limits,
      Duration longest,
      FrameHandler handler) {
    TlsContexts.require(address, security);
    Optional<SslContext> tls = security.map(TlsContexts::client);
    Connection connection = new Connection(handler, limits, new LoopChooser(), false);
    Bootstrap bootstrap =
        new Bootstrap()
            .group(threads)
            .channelFactory(network.channels(address))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) longest.toMillis())
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WireServer.WATER_MARK)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(2048, 65_536, 1 << 19))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    tls.ifPresent(t -> channel.pipeline().addLast(handler(t, address, channel)));
                    channel.pipeline().addLast(connection.events());
                  }
                });
    if (address instanceof Address.Tcp) {
      bootstrap.option(ChannelOption.TCP_NODELAY, true);
      network.keepAlive(bootstrap::option);
    } else {
      bootstrap.option(ChannelOption.SO_SNDBUF, WireServer.UNIX_BUFFER_BYTES);
    }
    ChannelFuture connected = bootstrap.connect(network.socket(address)).awaitUninterruptibly();
    if (!connected.isSuccess()) {
      throw new RemoteException(
          "server: actual="
              + Transport.reason(connected.cause())
              + ", expected=an answer, at="
              + address
              + "; is `hyperslab stage` running there?",
          connected.cause());
    }
    return connection;
  }

  private static SslHandler handler(SslContext tls, Address address, Channel channel) {
    return address instanceof Address.Tcp tcp
        ? tls.newHandler(channel.alloc(), tcp.host(), tcp.port())
        : tls.newHandler(channel.alloc());
  }

  /** Closes all connections. */
  @Override
  public void close() {
    threads.shutdownGracefully(0, 5, TimeUnit.SECONDS);
  }
}
