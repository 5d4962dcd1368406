package org.hyperslab.plugins.forwarding.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.RemoteException;

/**
 * One connection. Frames that are sent close together leave together: small ones are copied into
 * one buffer, long payload is sent from where it lies.
 *
 * <p>Thread rule: any thread may send and close.
 */
public final class Connection {

  /** Payload up to this long is copied behind its head. */
  private static final int SMALL_BYTES = 16 << 10;

  private static final int BATCH_BYTES = 128 << 10;
  private static final long VIEW_BYTES = 1L << 30;

  /**
   * Bytes of messages that wait to be sent, beside long payload: with more, a server reads no
   * further requests of a client that does not take the replies.
   */
  private static final long MOST_WAITING_BYTES = 4 << 20;

  private final FrameHandler handler;
  private final FrameReader reader;
  private final LoopChooser chooser;

  /** What is to be sent; guarded by itself, as is the batch at its end that still takes frames. */
  private final Deque<Outgoing> queue = new ArrayDeque<>();

  private Batch filling;

  /** Replies without a result that wait behind all that is queued; guarded by the queue. */
  private ReplyRun run;

  private volatile boolean peerTakesRuns;

  /** Whether this is a server's side. */
  private final boolean serves;

  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean held;

  /** Reading has stopped for what waits to be sent; the connection's thread. */
  private boolean awaitsRoom;

  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Queue<ByteBuf> unread = new ArrayDeque<>();
  private volatile Channel channel;
  private volatile Object attachment;
  private boolean ended;
  private boolean closedHere;
  private Throwable reason;

  /** What is to be sent: small frames one behind the other, or a long one. */
  private sealed interface Outgoing {}

  private record Batch(ByteBuf bytes) implements Outgoing {}

  /** Replies to requests with numbers in a row: one frame answers them all. */
  private static final class ReplyRun {
    private final int flags;
    private final long first;
    private long last;

    ReplyRun(Frame frame) {
      this.flags = frame.flags();
      this.first = frame.id();
      this.last = frame.id();
    }

    /** Takes a reply in, if it is the next. */
    boolean add(Frame frame) {
      boolean fits = frame.flags() == flags && frame.id() == last + 1;
      last += fits ? 1 : 0;
      return fits;
    }

    Frame frame() {
      return new Frame(
          FrameType.REPLY, flags, first, last == first ? 0 : last, new byte[0], List.of());
    }
  }

  /** Its head is made when its turn comes. */
  private record LongFrame(Frame frame, Runnable written) implements Outgoing {}

  Connection(FrameHandler handler, WireLimits limits, LoopChooser chooser, boolean serves) {
    this.handler = handler;
    this.serves = serves;
    this.chooser = chooser;
    this.reader = new FrameReader(this, handler, limits);
  }

  /** What a handler keeps with the connection. */
  public Object attachment() {
    return attachment;
  }

  /** Keeps something with the connection. */
  public void attach(Object value) {
    attachment = value;
  }

  /** Takes frames of other lengths, from the next one on; in the connection's thread. */
  public void accept(WireLimits limits) {
    reader.limits(limits);
  }

  /** Reads no further frame until {@link #resume}. */
  public void hold() {
    held = true;
  }

  /** Whether the next frame has to wait; in the connection's thread. */
  boolean mustWait() {
    awaitsRoom = serves && waitingBytes.get() > MOST_WAITING_BYTES;
    return held || awaitsRoom;
  }

  private void sent(long bytes) {
    if (waitingBytes.addAndGet(-bytes) < MOST_WAITING_BYTES / 2 && awaitsRoom) {
      awaitsRoom = false;
      readOn();
    }
  }

  /** Sends a frame, behind those sent before. */
  public void send(Frame frame) {
    send(frame, () -> {});
  }

  /**
   * Sends a frame.
   *
   * @param written runs when its payload has left this process's memory, or never will; once
   */
  public void send(Frame frame, Runnable written) {
    if (peerTakesRuns && frame.isBareReply()) {
      synchronized (queue) {
        if (run == null || !run.add(frame)) {
          endRun();
          run = new ReplyRun(frame);
        }
      }
      written.run();
    } else if (isSmall(frame)) {
      byte[] head = head(frame);
      synchronized (queue) {
        endRun();
        append(head, frame);
      }
      written.run();
    } else {
      synchronized (queue) {
        endRun();
        waitingBytes.addAndGet(frame.control().length);
        queue.add(new LongFrame(frame, written));
        filling = null;
      }
    }
    schedule();
  }

  /** From now on replies without a result that wait together, numbers in a row, become one. */
  public void sendRuns() {
    peerTakesRuns = true;
  }

  /** What comes next is no reply of the run. */
  private void endRun() {
    if (run != null) {
      Frame frame = run.frame();
      run = null;
      append(head(frame), frame);
    }
  }

  /** Copies a frame behind those that wait; in the thread that sends, which has it at hand. */
  private void append(byte[] head, Frame frame) {
    long bytes = head.length + frame.payloadBytes();
    waitingBytes.addAndGet(bytes);
    if (filling == null || filling.bytes.writableBytes() < bytes) {
      filling = new Batch(ByteBufAllocator.DEFAULT.directBuffer(BATCH_BYTES, BATCH_BYTES));
      queue.add(filling);
    }
    filling.bytes.writeBytes(head);
    for (MemorySegment part : frame.payload()) {
      filling.bytes.writeBytes(part.asByteBuffer());
    }
  }

  /** The next to be sent, which takes no more frames; null if there is none. */
  private Outgoing next() {
    synchronized (queue) {
      endRun();
      Outgoing next = queue.poll();
      filling = next == filling ? null : filling;
      return next;
    }
  }

  private static boolean isSmall(Frame frame) {
    return frame.payloadBytes() <= SMALL_BYTES && frame.control().length <= SMALL_BYTES;
  }

  private static byte[] head(Frame frame) {
    return FrameHeader.encode(frame, checksum(frame.payload()));
  }

  private static int checksum(List<MemorySegment> payload) {
    if (payload.isEmpty()) {
      return 0;
    }
    CRC32C crc = new CRC32C();
    for (MemorySegment part : payload) {
      for (long at = 0; at < part.byteSize(); at += VIEW_BYTES) {
        crc.update(part.asSlice(at, Math.min(VIEW_BYTES, part.byteSize() - at)).asByteBuffer());
      }
    }
    return (int) crc.getValue();
  }

  private void schedule() {
    Channel to = channel;
    if (to != null && scheduled.compareAndSet(false, true)) {
      to.eventLoop().execute(this::drain);
    }
  }

  /** Writes what is queued as far as the socket takes it; in the connection's thread. */
  private void drain() {
    scheduled.set(false);
    if (ended) {
      discard();
      return;
    }
    boolean any = false;
    Outgoing next = channel.isWritable() ? next() : null;
    while (next != null) {
      any = true;
      switch (next) {
        case Batch batch -> {
          int bytes = batch.bytes.readableBytes();
          channel.write(batch.bytes).addListener(done -> sent(bytes));
        }
        case LongFrame frame -> writeLong(frame);
      }
      next = channel.isWritable() ? next() : null;
    }
    if (any) {
      channel.flush();
    }
    if (channel.isWritable() && hasMore()) {
      schedule();
    }
  }

  private boolean hasMore() {
    synchronized (queue) {
      return !queue.isEmpty() || run != null;
    }
  }

  private void writeLong(LongFrame next) {
    channel.write(Unpooled.wrappedBuffer(head(next.frame)));
    ByteBuf last = Unpooled.EMPTY_BUFFER;
    for (MemorySegment part : next.frame.payload()) {
      for (long at = 0; at < part.byteSize(); at += VIEW_BYTES) {
        ByteBuffer view =
            part.asSlice(at, Math.min(VIEW_BYTES, part.byteSize() - at)).asByteBuffer();
        channel.write(last);
        last = Unpooled.wrappedBuffer(view);
      }
    }
    channel
        .write(last)
        .addListener(done -> {
          next.written.run();
          sent(next.frame.control().length);
        });
  }

  /**
   * Runs something that takes its time, in the connection's thread: connections that come meanwhile
   * are given other threads. What is occupied at once must be fewer than the threads of the server
   * and the spare one, and other connections of this thread wait.
   */
  public void occupy(Runnable action) {
    chooser.occupy(channel.eventLoop(), action);
  }

  /** Continues reading after {@link #hold}. */
  public void resume() {
    held = false;
    Channel to = channel;
    if (to != null) {
      to.eventLoop().execute(this::readOn);
    }
  }

  private void readOn() {
    try {
      while (!ended && !unread.isEmpty()) {
        if (!reader.read(unread.peek())) {
          return;
        }
        unread.remove().release();
      }
    } catch (HyperslabException e) {
      fail(e);
      return;
    }
    if (!ended) {
      channel.config().setAutoRead(true);
    }
  }

  /** Says why, and ends the connection when that is sent. */
  public void goodbye(String why) {
    Channel to = channel;
    if (to == null) {
      return;
    }
    byte[] head = FrameHeader.encode(Frame.of(FrameType.GOODBYE, 0, FrameText.encode(why)), 0);
    to.eventLoop()
        .execute(() -> {
          drain();
          closedHere = true;
          to.writeAndFlush(Unpooled.wrappedBuffer(head)).addListener(ChannelFutureListener.CLOSE);
        });
  }

  /** Ends the connection without a word. */
  public void close() {
    Channel to = channel;
    if (to != null) {
      to.eventLoop()
          .execute(() -> {
            closedHere = true;
            to.close();
          });
    }
  }

  /** Whether frames can still be sent. */
  public boolean isOpen() {
    Channel to = channel;
    return to != null && to.isActive();
  }

  /** Whether the other side is a process of this machine. */
  public boolean isLocal() {
    Channel to = channel;
    return to == null
        || !(to.remoteAddress() instanceof InetSocketAddress socket)
        || socket.getAddress().isLoopbackAddress();
  }

  /** The other side, for messages. */
  public String peer() {
    Channel to = channel;
    return to == null || to.remoteAddress() == null ? "unknown" : to.remoteAddress().toString();
  }

  private void fail(Throwable failure) {
    reason = failure;
    String why = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    byte[] head = FrameHeader.encode(Frame.of(FrameType.GOODBYE, 0, FrameText.encode(why)), 0);
    channel.writeAndFlush(Unpooled.wrappedBuffer(head)).addListener(ChannelFutureListener.CLOSE);
    end();
  }

  private void end() {
    if (ended) {
      return;
    }
    ended = true;
    unread.forEach(ByteBuf::release);
    unread.clear();
    reader.end();
    discard();
    handler.closed(this, closedHere ? null : reason);
  }

  private void discard() {
    for (Outgoing next = next(); next != null; next = next()) {
      switch (next) {
        case Batch batch -> batch.bytes.release();
        case LongFrame frame -> frame.written.run();
      }
    }
  }

  /** What Netty tells. */
  ChannelInboundHandlerAdapter events() {
    return new Events();
  }

  private final class Events extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      channel = context.channel();
      if (channel.pipeline().get(SslHandler.class) == null) {
        channel.config().setRecvByteBufAllocator(new InPlaceReceiver(reader));
      }
      handler.opened(Connection.this);
      schedule();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      if (ended) {
        in.release();
        return;
      }
      unread.add(in);
      if (reader.tookInPlace(in)) {
        unread.clear();
        in.release();
        takeInPlace();
        return;
      }
      if (unread.size() > 1) {
        return;
      }
      try {
        if (reader.read(in)) {
          unread.remove().release();
        } else {
          context.channel().config().setAutoRead(false);
        }
      } catch (HyperslabException e) {
        fail(e);
      }
    }

    private void takeInPlace() {
      try {
        reader.finishInPlace();
      } catch (HyperslabException e) {
        fail(e);
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (context.channel().isWritable()) {
        drain();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (reason == null) {
        reason =
            new RemoteException(
                "connection: actual="
                    + cause
                    + ", expected=to stay open, at="
                    + context.channel().remoteAddress(),
                cause);
      }
      context.close();
    }
  }
}
