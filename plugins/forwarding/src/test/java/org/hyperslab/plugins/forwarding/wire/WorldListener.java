package org.hyperslab.plugins.forwarding.wire;

import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.hyperslab.testkit.world.WorldProcess;

/** A socket that listens in a world. */
final class WorldListener extends AbstractServerChannel {

  private final WorldWires wires;
  private final WorldProcess process;
  private final ChannelConfig config = new WorldConfig(this);
  private final Deque<WorldSocket> backlog = new ArrayDeque<>();
  private InetSocketAddress bound;
  private boolean open = true;
  private boolean wanted;

  WorldListener(WorldWires wires, WorldProcess process) {
    this.wires = wires;
    this.process = process;
  }

  WorldProcess process() {
    return process;
  }

  /** Adds a connection, which waits until the server accepts it. */
  void add(WorldSocket accepted) {
    backlog.add(accepted);
    eventLoop().execute(this::accept);
  }

  private void accept() {
    if (!wanted || backlog.isEmpty() || !open) {
      return;
    }
    wanted = false;
    while (!backlog.isEmpty()) {
      pipeline().fireChannelRead(backlog.poll());
    }
    pipeline().fireChannelReadComplete();
  }

  @Override
  protected void doBind(SocketAddress address) throws IOException {
    InetSocketAddress asked = (InetSocketAddress) address;
    if (!wires.listen(asked.getPort(), this)) {
      throw new IOException("Address already in use");
    }
    bound = asked;
    process.atDeath(this::free);
  }

  private void free() {
    wires.unlisten(bound.getPort(), this);
    backlog.forEach(WorldSocket::drop);
    backlog.clear();
  }

  @Override
  protected void doClose() {
    open = false;
    if (bound != null) {
      free();
    }
  }

  @Override
  protected void doBeginRead() {
    wanted = true;
    eventLoop().execute(this::accept);
  }

  @Override
  protected boolean isCompatible(EventLoop loop) {
    return true;
  }

  @Override
  protected SocketAddress localAddress0() {
    return bound;
  }

  @Override
  public ChannelConfig config() {
    return config;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isActive() {
    return open && bound != null;
  }
}
