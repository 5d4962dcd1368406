package org.hyperslab.web.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Reads from a connection also while a request is handled, because only a read notices that the
 * client has left. What arrives meanwhile is kept, up to a limit, until it is asked for. A request
 * that takes too long to arrive is reported by the event {@link #TOO_SLOW}.
 *
 * <p>Thread rule: the connection's event loop.
 */
final class ReadAhead extends ChannelDuplexHandler {

  /** The event of a client that sends a request too slowly. */
  static final Object TOO_SLOW = new Object();

  private static final int MAX_HELD = 1 << 16;

  private final Queue<Object> held = new ArrayDeque<>();
  private final long seconds;
  private int heldBytes;
  private boolean wanted;
  private ScheduledFuture<?> limit;

  /**
   * Creates a handler.
   *
   * @param seconds the longest time in seconds from the first byte of a request, or from the
   *     beginning of the connection, to the end of its headers
   */
  ReadAhead(long seconds) {
    this.seconds = seconds;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    startLimit(context);
    context.read();
    context.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    stopLimit();
    held.forEach(ReferenceCountUtil::release);
    held.clear();
    context.fireChannelInactive();
  }

  @Override
  public void read(ChannelHandlerContext context) {
    wanted = true;
    passOn(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    held.add(message);
    heldBytes += size(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    passOn(context);
    if (heldBytes < MAX_HELD) {
      context.read();
    }
  }

  private static int size(Object message) {
    return message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
  }

  private void passOn(ChannelHandlerContext context) {
    while (wanted && !held.isEmpty()) {
      wanted = false;
      boolean wasFull = heldBytes >= MAX_HELD;
      Object message = held.remove();
      heldBytes -= size(message);
      if (limit == null) {
        startLimit(context);
      }
      context.fireChannelRead(message);
      context.fireChannelReadComplete();
      if (wasFull && heldBytes < MAX_HELD) {
        context.read();
      }
    }
  }

  private void startLimit(ChannelHandlerContext context) {
    limit =
        context
            .executor()
            .schedule(() -> context.fireUserEventTriggered(TOO_SLOW), seconds, TimeUnit.SECONDS);
  }

  /** Stops the clock: a request has arrived. */
  void stopLimit() {
    if (limit != null) {
      limit.cancel(false);
      limit = null;
    }
  }
}
