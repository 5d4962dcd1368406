package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.hyperslab.testkit.world.WorldProcess;

/** A thread of a simulated process that serves connections. */
final class WorldLoop extends AbstractEventExecutor implements EventLoop {

  private final ExecutorService thread;
  private final Set<Channel> channels = new LinkedHashSet<>();
  private final Promise<Object> terminated = new DefaultPromise<>(this);
  private Thread working;
  private boolean shuttingDown;

  WorldLoop(WorldProcess process, String name) {
    this.thread = process.pool(name, 1);
  }

  @Override
  public EventLoopGroup parent() {
    return this;
  }

  @Override
  public EventLoop next() {
    return this;
  }

  @Override
  public boolean inEventLoop(Thread asked) {
    return asked == working;
  }

  @Override
  public void execute(Runnable task) {
    if (terminated.isDone()) {
      throw new RejectedExecutionException("event executor terminated");
    }
    thread.execute(() -> {
      working = Thread.currentThread();
      try {
        task.run();
      } finally {
        working = null;
      }
    });
  }

  @Override
  public ChannelFuture register(Channel channel) {
    return register(new DefaultChannelPromise(channel, this));
  }

  @Override
  public ChannelFuture register(ChannelPromise promise) {
    channels.add(promise.channel());
    promise.channel().closeFuture().addListener(done -> channels.remove(promise.channel()));
    promise.channel().unsafe().register(this, promise);
    return promise;
  }

  @Override
  @SuppressWarnings("deprecation") // the interface has it
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    return register(promise);
  }

  @Override
  public Future<?> shutdownGracefully(long quiet, long timeout, TimeUnit unit) {
    if (!shuttingDown) {
      shuttingDown = true;
      execute(() -> {
        Set.copyOf(channels).forEach(channel -> channel.unsafe().close(channel.voidPromise()));
        execute(() -> terminated.setSuccess(null));
      });
    }
    return terminated;
  }

  @Override
  public Future<?> terminationFuture() {
    return terminated;
  }

  @Override
  @Deprecated
  public void shutdown() {
    shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  @Override
  public boolean isShuttingDown() {
    return shuttingDown;
  }

  @Override
  public boolean isShutdown() {
    return terminated.isDone();
  }

  @Override
  public boolean isTerminated() {
    return terminated.isDone();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    terminated.awaitUninterruptibly();
    return true;
  }
}
