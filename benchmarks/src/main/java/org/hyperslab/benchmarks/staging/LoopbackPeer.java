package org.hyperslab.benchmarks.staging;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures the upper bound: Netty moves bytes from memory over a socket of this machine into a file
 * in the page cache, and does nothing else.
 */
final class LoopbackPeer implements AutoCloseable {

  private static final int MESSAGE_BYTES = 1 << 20;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final FileChannel file;
  private final Channel listening;
  private final Channel sending;
  private volatile long expected;
  private volatile CountDownLatch done = new CountDownLatch(0);

  LoopbackPeer(Path path, SocketAddress address) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean unix = address instanceof DomainSocketAddress;
    listening =
        new ServerBootstrap()
            .group(group)
            .channel(unix ? EpollServerDomainSocketChannel.class : EpollServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Receiver());
                  }
                })
            .bind(address)
            .syncUninterruptibly()
            .channel();
    SocketAddress to =
        unix
            ? address
            : new InetSocketAddress(
                "127.0.0.1", ((InetSocketAddress) listening.localAddress()).getPort());
    sending =
        new Bootstrap()
            .group(group)
            .channel(unix ? EpollDomainSocketChannel.class : EpollSocketChannel.class)
            .handler(new ChannelInboundHandlerAdapter())
            .connect(to)
            .syncUninterruptibly()
            .channel();
  }

  private final class Receiver extends ChannelInboundHandlerAdapter {
    private long at;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
      ByteBuf in = (ByteBuf) message;
      while (in.isReadable()) {
        at += in.readBytes(file, at, in.readableBytes());
      }
      in.release();
      if (at == expected) {
        at = 0;
        done.countDown();
      }
    }
  }

  /** Sends all bytes, waits until they are written, and returns the seconds. */
  double transfer(MemorySegment bytes) throws InterruptedException {
    long begun = System.nanoTime();
    expected = bytes.byteSize();
    done = new CountDownLatch(1);
    for (long at = 0; at < bytes.byteSize(); at += MESSAGE_BYTES) {
      MemorySegment part = bytes.asSlice(at, Math.min(MESSAGE_BYTES, bytes.byteSize() - at));
      sending.write(Unpooled.wrappedBuffer(part.asByteBuffer()));
    }
    sending.flush();
    done.await();
    return 1e-9 * (System.nanoTime() - begun);
  }

  @Override
  public void close() throws IOException {
    sending.close().syncUninterruptibly();
    listening.close().syncUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    file.close();
  }
}
