package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
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
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.forwarding.Address;

/** Chooses Netty's channels and threads for an address: epoll if available, otherwise NIO. */
public final class Transport {

  private Transport() {}

  static EventLoopGroup threads(String name, int count) {
    return new MultiThreadIoEventLoopGroup(
        count,
        new DefaultThreadFactory(name, true),
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  /** Creates threads, to each of which a chooser assigns connections. */
  static EventLoopGroup threads(String name, int count, LoopChooser chooser) {
    return new MultiThreadIoEventLoopGroup(
        count,
        new ThreadPerTaskExecutor(new DefaultThreadFactory(name, true)),
        chooser,
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  static Class<? extends Channel> channel(Address address) {
    return switch (address) {
      case Address.Unix unix -> {
        requireUnixSockets(address);
        yield EpollDomainSocketChannel.class;
      }
      case Address.Tcp tcp ->
          Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    };
  }

  static Class<? extends ServerChannel> server(Address address) {
    return switch (address) {
      case Address.Unix unix -> {
        requireUnixSockets(address);
        yield EpollServerDomainSocketChannel.class;
      }
      case Address.Tcp tcp ->
          Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    };
  }

  /** Sets an option of connections. */
  interface Options {
    <T> Object set(ChannelOption<T> option, T value);
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
  static void keepAlive(Options options) {
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

  /**
   * Returns the reason of a failed connection, for a message: unlike the exception's message, never
   * null, and without the text and the names of this transport's implementation.
   *
   * @param failure the failure of the connection
   * @return its reason
   */
  public static String reason(Throwable failure) {
    Throwable cause = failure;
    while (isNettys(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case UnresolvedAddressException unknown -> "unknown host";
      case ClosedChannelException closed -> "closed";
      case NotSslRecordException plain -> "bytes that are not TLS";
      default -> reason(cause, cause.getMessage());
    };
  }

  private static String reason(Throwable cause, String text) {
    if (text == null) {
      return cause.getClass().getSimpleName();
    }
    // What failed stands before, in its own exceptions and in those of Java that it throws.
    boolean isCall = isNettys(cause) || text.contains("(..) failed with error(");
    int said = isCall ? text.lastIndexOf("): ") : -1;
    return said < 0 ? text : text.substring(said + 3);
  }

  private static boolean isNettys(Throwable failure) {
    return failure.getClass().getName().startsWith("io.netty.");
  }

  static SocketAddress socket(Address address) {
    return switch (address) {
      case Address.Unix unix -> new DomainSocketAddress(unix.path());
      case Address.Tcp tcp -> new InetSocketAddress(tcp.host(), tcp.port());
    };
  }
}
