package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes new connections at once if accepting them could exhaust the process's file descriptors.
 * Without free descriptors, classes cannot be loaded, and code that needs a missing class fails
 * permanently.
 *
 * <p>Thread rule: connections arrive in the accepting thread and end in any thread.
 */
final class ConnectionGate extends ChannelInboundHandlerAdapter {

  private final int max = Math.max(8, ProcessLimits.openFiles() / 3);
  private final AtomicInteger open = new AtomicInteger();

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel accepted = (Channel) message;
    if (open.incrementAndGet() > max) {
      open.decrementAndGet();
      accepted.unsafe().closeForcibly();
      return;
    }
    accepted.closeFuture().addListener(closed -> open.decrementAndGet());
    context.fireChannelRead(message);
  }
}
