package org.hyperslab.web;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.hyperslab.error.StorageException;

/**
 * Answers HTTP/1.1 requests on one address. What a client sends is bounded: {@value #LINE_CHARS}
 * characters of a request's line, {@value #HEADER_CHARS} of headers, no content, {@value
 * #CONNECTIONS} connections, {@value #IDLE_SECONDS} seconds without a byte. A few threads produce
 * replies; a connection handles one request at a time.
 *
 * <p>Thread rule: any thread.
 */
final class HttpServer implements AutoCloseable {

  static final int LINE_CHARS = 16384;
  static final int HEADER_CHARS = 16384;
  static final int CONNECTIONS = 256;
  static final int IDLE_SECONDS = 90;
  private static final int THREADS = 8;
  private static final int WAITING = 256;
  private static final int BACKLOG = 128;

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final ExecutorService workers;
  private final Channel listening;

  private HttpServer(InetSocketAddress address) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            task -> Thread.ofPlatform().daemon().name("hyperslab-web").unstarted(task));
    pool.allowCoreThreadTimeOut(true);
    workers = pool;
    // Requests are answered after start() has been called; before that there is no handler.
    listening = bind(address);
  }

  private final HandlerSlot answers = new HandlerSlot();

  /**
   * Listens on an address. Connections wait until {@link #answer} sets the handler.
   *
   * @param address the address; port 0 for any that is free
   * @return the server
   * @throws StorageException if the address cannot be listened on
   */
  static HttpServer listen(InetSocketAddress address) {
    return new HttpServer(address);
  }

  private Channel bind(InetSocketAddress address) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Connections());
    var bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      workers.shutdownNow();
      throw new StorageException(
          "address to listen on: actual="
              + bound.cause().getMessage()
              + ", expected=a free port of this machine, at="
              + address,
          bound.cause());
    }
    return bound.channel();
  }

  /**
   * Sets the handler of requests; called once.
   *
   * @param guard decides which requests are answered
   * @param handler answers a request, on one of the server's threads
   */
  void answer(RequestGuard guard, Function<WebRequest, WebReply> handler) {
    answers.set(request -> guard.check(request).orElseGet(() -> handler.apply(request)));
  }

  /** {@return the address that it listens on} */
  InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Closes every connection and frees the address. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    workers.shutdownNow();
    loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Configures an accepted connection. */
  private final class Connections extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (connections.size() >= CONNECTIONS) {
        channel.close();
        return;
      }
      connections.add(channel);
      channel
          .pipeline()
          .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
          .addLast(
              new HttpServerCodec(
                  new HttpDecoderConfig()
                      .setMaxInitialLineLength(LINE_CHARS)
                      .setMaxHeaderSize(HEADER_CHARS)))
          .addLast(new HttpObjectAggregator(0, true))
          .addLast(new FlowControlHandler())
          .addLast(new Exchanges(answers, workers));
    }
  }
}
