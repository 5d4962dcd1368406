package org.hyperslab.web.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.StorageException;
import org.hyperslab.web.limit.MemoryShare;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.options.WebOptions;
import org.hyperslab.web.request.WebRequest;

/**
 * Answers HTTP/1.1 requests on one address. What a client sends is bounded: {@value #LINE_CHARS}
 * characters of a request's line, {@value #HEADER_CHARS} of headers in {@value #HEADER_SECONDS}
 * seconds, no content, {@value #CONNECTIONS} connections, {@value #CONNECTIONS_OF_ADDRESS} of one
 * address, {@value #IDLE_SECONDS} seconds without a byte. A few threads read elements, others
 * answer short requests; none waits for a client. A connection handles one request at a time.
 *
 * <p>Thread rule: any thread.
 */
public final class HttpServer implements AutoCloseable {

  static final int LINE_CHARS = 16384;
  static final int HEADER_CHARS = 16384;
  static final int CONNECTIONS = 256;
  static final int IDLE_SECONDS = 90;
  static final int CONNECTIONS_OF_ADDRESS = 192;
  static final int HEADER_SECONDS = 15;
  private static final int THREADS = 4;
  private static final int BACKLOG = 128;
  private static final int CLOSE_SECONDS = 2;

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Connections connections = new Connections(CONNECTIONS, CONNECTIONS_OF_ADDRESS);
  private final MemoryShare memory;
  private final WebOptions.Limits limits;

  /** Threads for each kind of work, so that none waits for one that takes longer. */
  private final Map<WebRequest.Work, ExecutorService> threads =
      new EnumMap<>(
          Map.of(
              WebRequest.Work.DESCRIPTION, threads(),
              WebRequest.Work.ELEMENTS, threads(),
              WebRequest.Work.COMPUTATION, threads()));

  private final Channel listening;

  private HttpServer(InetSocketAddress address, WebOptions.Limits limits, MemoryShare memory) {
    this.limits = limits;
    this.memory = memory;
    // Requests are answered after start() has been called; before that there is no handler.
    listening = bind(address);
  }

  /** Creates a few threads; each connection has one task at most, so that the queue suffices. */
  private static ExecutorService threads() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(2 * CONNECTIONS),
            task -> Thread.ofPlatform().daemon().name("hyperslab-web").unstarted(task));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private final HandlerSlot answers = new HandlerSlot();

  /**
   * Listens on an address. Connections wait until {@link #answer} sets the handler.
   *
   * @param address the address; port 0 for any that is free
   * @param limits what one request may use
   * @return the server
   * @throws StorageException if the address cannot be listened on
   */
  public static HttpServer listen(InetSocketAddress address, WebOptions.Limits limits) {
    return listen(address, limits, MemoryShare.ofHeap());
  }

  /**
   * Listens on an address, as above.
   *
   * @param address the address; port 0 for any that is free
   * @param limits what one request may use
   * @param memory what all requests may use
   * @return the server
   * @throws StorageException if the address cannot be listened on
   */
  static HttpServer listen(
      InetSocketAddress address, WebOptions.Limits limits, MemoryShare memory) {
    return new HttpServer(address, limits, memory);
  }

  /** {@return the longest time for which a request waits for memory} */
  Duration patience() {
    return memory.patience();
  }

  private Channel bind(InetSocketAddress address) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(new Accepted());
    var bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
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
   * @param handler answers requests, on the server's threads
   */
  public void answer(HandlerSlot.Handler handler) {
    answers.set(handler);
  }

  /** {@return the address that it listens on} */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Closes every connection and frees the address. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.close();
    threads.values().forEach(ExecutorService::shutdownNow);
    // What they still send needs the event loop.
    boolean isInterrupted = threads.values().stream().anyMatch(each -> !ended(each));
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Waits some time for threads to end; returns false if the caller was interrupted. */
  private static boolean ended(ExecutorService threads) {
    try {
      threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException stopped) {
      return false;
    }
  }

  /** Configures an accepted connection. */
  private final class Accepted extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (!connections.accept(channel)) {
        channel.close();
        return;
      }
      ReadAhead ahead = new ReadAhead(HEADER_SECONDS);
      channel
          .pipeline()
          .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
          .addLast(ahead)
          .addLast(
              new HttpServerCodec(
                  new HttpDecoderConfig()
                      .setMaxInitialLineLength(LINE_CHARS)
                      .setMaxHeaderSize(HEADER_CHARS)))
          .addLast(new HttpObjectAggregator(0, true))
          .addLast(new FlowControlHandler())
          .addLast(new Exchanges(HttpServer.this, ahead));
    }
  }

  /** Notes that a connection's request is handled. */
  void busy(Channel channel) {
    connections.busy(channel);
  }

  /** Notes that a connection waits for a request. */
  void waiting(Channel channel) {
    connections.waiting(channel);
  }

  /** {@return the budget of a new request} */
  RequestBudget budget() {
    return new RequestBudget(limits, memory);
  }

  /** {@return the threads for a request} */
  Executor threads(WebRequest request) {
    return threads.get(request.work());
  }

  /** {@return the handler of requests; waits until it is set} */
  HandlerSlot.Handler handler() {
    return answers.get();
  }
}
