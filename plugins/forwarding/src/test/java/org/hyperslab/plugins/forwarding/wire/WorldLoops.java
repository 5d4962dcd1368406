package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutorGroup;
import io.netty.util.concurrent.DefaultEventExecutorChooserFactory;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hyperslab.testkit.world.WorldProcess;

/** The threads of a simulated process that serve connections. */
final class WorldLoops extends AbstractEventExecutorGroup implements EventLoopGroup {

  private final List<WorldLoop> loops;
  private final EventExecutorChooserFactory.EventExecutorChooser chooser;

  WorldLoops(WorldProcess process, String name, int count, LoopChooser chooser) {
    this.loops =
        IntStream.range(0, count).mapToObj(i -> new WorldLoop(process, name + "-" + i)).toList();
    EventExecutor[] all = loops.toArray(new EventExecutor[0]);
    this.chooser =
        chooser == null
            ? DefaultEventExecutorChooserFactory.INSTANCE.newChooser(all)
            : chooser.newChooser(all);
  }

  @Override
  public EventLoop next() {
    return (EventLoop) chooser.next();
  }

  @Override
  public Iterator<EventExecutor> iterator() {
    return List.<EventExecutor>copyOf(loops).iterator();
  }

  @Override
  public ChannelFuture register(Channel channel) {
    return next().register(channel);
  }

  @Override
  public ChannelFuture register(ChannelPromise promise) {
    return next().register(promise);
  }

  @Override
  @SuppressWarnings("deprecation") // the interface has it
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    return next().register(promise);
  }

  @Override
  public Future<?> shutdownGracefully(long quiet, long timeout, TimeUnit unit) {
    Promise<Object> all = new DefaultPromise<>(loops.getFirst());
    int[] left = {loops.size()};
    for (WorldLoop loop : loops) {
      loop.shutdownGracefully(quiet, timeout, unit)
          .addListener(done -> {
            if (--left[0] == 0) {
              all.trySuccess(null);
            }
          });
    }
    return all;
  }

  @Override
  public Future<?> terminationFuture() {
    throw new UnsupportedOperationException("nobody asks");
  }

  @Override
  @Deprecated
  public void shutdown() {
    shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  @Override
  public boolean isShuttingDown() {
    return loops.getFirst().isShuttingDown();
  }

  @Override
  public boolean isShutdown() {
    return loops.stream().allMatch(WorldLoop::isShutdown);
  }

  @Override
  public boolean isTerminated() {
    return isShutdown();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    loops.forEach(loop -> loop.awaitTermination(timeout, unit));
    return true;
  }
}
