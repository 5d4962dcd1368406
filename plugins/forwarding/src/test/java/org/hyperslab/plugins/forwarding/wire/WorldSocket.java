package org.hyperslab.plugins.forwarding.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.hyperslab.testkit.world.World;
import org.hyperslab.testkit.world.WorldProcess;

/** An end of a connection in a world. */
final class WorldSocket extends AbstractChannel {

  /** The bytes that may be under way to the other end, before writing waits. */
  private static final int ROOM = 1 << 18;

  private static final ChannelMetadata METADATA = new ChannelMetadata(false);

  private final WorldWires wires;
  private final WorldProcess process;
  private final ChannelConfig config = new WorldConfig(this);
  private final Deque<byte[]> received = new ArrayDeque<>();
  private WorldWires.Line line;
  private WorldSocket other;
  private boolean open = true;
  private boolean connected;
  private boolean wanted;
  private boolean atEnd;
  private boolean reset;
  private boolean full;
  private int taken;
  private int underWay;

  WorldSocket(Channel parent, WorldWires wires, WorldProcess process) {
    super(parent);
    this.wires = wires;
    this.process = process;
    process.atDeath(this::drop);
  }

  WorldProcess process() {
    return process;
  }

  static void at(World world, WorldProcess of, long nanoseconds, Runnable action) {
    of.later(nanoseconds, Runnable::run, action);
  }

  private void join(WorldSocket to, WorldWires.Line over) {
    other = to;
    line = over;
    connected = true;
  }

  /** Ends the connection because the process has ended or nobody has accepted it. */
  void drop() {
    if (line != null && open) {
      open = false;
      line.end(this);
    }
  }

  // --- what arrives; not in the loop ---

  void arrived(byte[] bytes) {
    received.add(bytes);
    wake();
  }

  void ended(boolean byReset) {
    atEnd = true;
    reset |= byReset;
    wake();
  }

  private void wake() {
    if (isRegistered() && open) {
      eventLoop().execute(this::readOn);
    }
  }

  // --- reading ---

  @Override
  protected void doBeginRead() {
    wanted = true;
    if (!received.isEmpty() || atEnd) {
      eventLoop().execute(this::readOn);
    }
  }

  @SuppressWarnings("deprecation") // the handle of Netty's own interface
  private void readOn() {
    if (!open || (reset && fail())) {
      return;
    }
    if (!wanted || (received.isEmpty() && !atEnd)) {
      return;
    }
    RecvByteBufAllocator.Handle handle = unsafe().recvBufAllocHandle();
    handle.reset(config);
    while (!received.isEmpty()) {
      ByteBuf target = handle.allocate(config.getAllocator());
      handle.attemptedBytesRead(target.writableBytes());
      handle.lastBytesRead(take(target));
      handle.incMessagesRead(1);
      wanted = false;
      pipeline().fireChannelRead(target);
      if (!open || !handle.continueReading()) {
        break;
      }
    }
    if (!wanted) {
      handle.readComplete();
      pipeline().fireChannelReadComplete();
    }
    if (atEnd && received.isEmpty() && open) {
      unsafe().close(voidPromise());
    }
  }

  private boolean fail() {
    pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
    if (open) {
      unsafe().close(voidPromise());
    }
    return true;
  }

  private int take(ByteBuf target) {
    int most = Math.min(target.writableBytes(), 1 + wires.world().random().nextInt(1 << 16));
    int count = 0;
    while (count < most && !received.isEmpty()) {
      byte[] first = received.peek();
      int part = Math.min(most - count, first.length - taken);
      target.writeBytes(first, taken, part);
      count += part;
      taken += part;
      if (taken == first.length) {
        received.remove();
        taken = 0;
      }
    }
    int read = count;
    if (other != null) {
      at(wires.world(), other.process, wires.delay(), () -> other.hasRoom(read));
    }
    return count;
  }

  // --- writing ---

  private void hasRoom(int bytes) {
    underWay -= bytes;
    if (full && open && isRegistered()) {
      full = false;
      eventLoop().execute(() -> unsafe().flush());
    }
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer in) throws IOException {
    if (reset) {
      throw new IOException("Broken pipe");
    }
    for (Object next = in.current(); next != null; next = in.current()) {
      ByteBuf bytes = (ByteBuf) next;
      int count = Math.min(bytes.readableBytes(), ROOM - underWay);
      if (bytes.readableBytes() == 0) {
        in.remove();
        continue;
      }
      if (count <= 0) {
        full = true;
        return;
      }
      byte[] copy = new byte[count];
      bytes.getBytes(bytes.readerIndex(), copy);
      underWay += count;
      in.removeBytes(count);
      line.send(this, copy);
    }
  }

  // --- life ---

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new Ends();
  }

  private final class Ends extends AbstractUnsafe {
    @Override
    public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
      if (promise.setUncancellable() && ensureOpen(promise)) {
        int port = ((InetSocketAddress) remote).getPort();
        process.later(wires.delay(), eventLoop(), () -> connected(port, promise));
      }
    }

    private void connected(int port, ChannelPromise promise) {
      WorldListener listener = wires.at(port);
      if (!open) {
        promise.tryFailure(new IOException("closed"));
      } else if (listener == null) {
        promise.tryFailure(new ConnectException("Connection refused"));
        close(voidPromise());
      } else {
        WorldSocket accepted = new WorldSocket(listener, wires, listener.process());
        WorldWires.Line made = wires.line(WorldSocket.this, accepted);
        accepted.join(WorldSocket.this, made);
        join(accepted, made);
        promise.trySuccess();
        pipeline().fireChannelActive();
        listener.add(accepted);
      }
    }
  }

  @Override
  protected boolean isCompatible(EventLoop loop) {
    return true;
  }

  @Override
  protected SocketAddress localAddress0() {
    return null;
  }

  @Override
  protected SocketAddress remoteAddress0() {
    try {
      byte[] far = {10, 0, 0, 1};
      return connected ? new InetSocketAddress(InetAddress.getByAddress(far), 1) : null;
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  protected void doBind(SocketAddress address) {}

  @Override
  protected void doDisconnect() {
    doClose();
  }

  @Override
  protected void doClose() {
    if (open) {
      open = false;
      if (line != null) {
        line.end(this);
      }
    }
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
    return open && connected;
  }

  @Override
  public ChannelMetadata metadata() {
    return METADATA;
  }
}
