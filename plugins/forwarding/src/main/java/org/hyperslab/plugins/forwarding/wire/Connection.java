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
 * A connection that sends frames in batches: frames queued at the same time are sent together.
 * Small ones are copied into one buffer, long payloads are sent from their own memory.
 *
 * <p>Thread rule: any thread may send and close.
 */
public final class Connection {

  /** The largest payload, in bytes, that is copied after its head. */
  private static final int SMALL_BYTES = 16 << 10;

  private static final int BATCH_BYTES = 128 << 10;
  private static final long VIEW_BYTES = 1L << 30;

  /**
   * The largest size, in bytes, of queued messages without long payloads. A server reads no further
   * requests of a client that exceeds it, because the client does not read its replies.
   */
  private static final long MAX_WAITING_BYTES = 4 << 20;

  private final FrameHandler handler;
  private final FrameReader reader;
  private final LoopChooser chooser;

  /** The frames to send; guarded by itself, as is the batch at its end. */
  private final Deque<Outgoing> queue = new ArrayDeque<>();

  private Batch filling;

  /** Consecutive replies without a result, not yet in the queue; guarded by the queue. */
  private ReplyRun run;

  private volatile boolean peerTakesRuns;

  /** Whether this is the server's side. */
  private final boolean serves;

  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean held;

  /** Whether reading waits for frames to be sent; confined to the connection's thread. */
  private boolean awaitsRoom;

  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Queue<ByteBuf> unread = new ArrayDeque<>();
  private volatile Channel channel;
  private volatile Object attachment;
  private boolean ended;
  private boolean closedHere;
  private Throwable reason;

  /** An entry of the queue: a batch of small frames, or a long frame. */
  private sealed interface Outgoing {}

  private record Batch(ByteBuf bytes) implements Outgoing {}

  /** Replies to consecutive requests that are sent as one frame. */
  private static final class ReplyRun {
    private final int flags;
    private final long first;
    private long last;

    ReplyRun(Frame frame) {
      this.flags = frame.flags();
      this.first = frame.id();
      this.last = frame.id();
    }

    /** Adds a reply if it is the next one. */
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

  /** A long frame, whose head is encoded when it is sent. */
  private record LongFrame(Frame frame, Runnable written) implements Outgoing {}

  Connection(FrameHandler handler, WireLimits limits, LoopChooser chooser, boolean serves) {
    this.handler = handler;
    this.serves = serves;
    this.chooser = chooser;
    this.reader = new FrameReader(this, handler, limits);
  }

  /** {@return the object that the handler has attached, or null} */
  public Object attachment() {
    return attachment;
  }

  /**
   * Attaches an object to the connection.
   *
   * @param value the object
   */
  public void attach(Object value) {
    attachment = value;
  }

  /**
   * Changes the limits of frames, starting with the next one. Called in the connection's thread.
   *
   * @param limits the new limits
   */
  public void accept(WireLimits limits) {
    reader.limits(limits);
  }

  /** Stops reading frames until {@link #resume}. */
  public void hold() {
    held = true;
  }

  /** {@return whether the next frame has to wait; called in the connection's thread} */
  boolean mustWait() {
    awaitsRoom = serves && waitingBytes.get() > MAX_WAITING_BYTES;
    return held || awaitsRoom;
  }

  private void sent(long bytes) {
    if (waitingBytes.addAndGet(-bytes) < MAX_WAITING_BYTES / 2 && awaitsRoom) {
      awaitsRoom = false;
      readOn();
    }
  }

  /**
   * Sends a frame after the frames sent before.
   *
   * @param frame the frame
   */
  public void send(Frame frame) {
    send(frame, () -> {});
  }

  /**
   * Sends a frame after the frames sent before.
   *
   * @param frame the frame
   * @param written an action that runs once, when the payload has been sent or cannot be sent any
   *     more
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

  /** Combines consecutive replies without a result from then on. */
  public void sendRuns() {
    peerTakesRuns = true;
  }

  /** Queues the combined reply, because the next frame cannot be added to it. */
  private void endRun() {
    if (run != null) {
      Frame frame = run.frame();
      run = null;
      append(head(frame), frame);
    }
  }

  /** Copies a frame into the batch at the end of the queue, in the sending thread. */
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

  /** Removes the first entry of the queue; null if it is empty. */
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

  /** Writes as much of the queue as the socket accepts; called in the connection's thread. */
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
   * Runs a long action in the connection's thread. New connections are assigned to other threads
   * meanwhile; connections of this thread wait. At any time, at least one of the server's threads
   * must not be occupied.
   *
   * @param action the action
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

  /**
   * Sends a reason, and closes the connection after it has been sent.
   *
   * @param why the reason
   */
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

  /** Closes the connection without a message. */
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

  /** {@return whether frames can still be sent} */
  public boolean isOpen() {
    Channel to = channel;
    return to != null && to.isActive();
  }

  /** {@return whether the other side is a process on this machine} */
  public boolean isLocal() {
    Channel to = channel;
    return to == null
        || !(to.remoteAddress() instanceof InetSocketAddress socket)
        || socket.getAddress().isLoopbackAddress();
  }

  /** {@return the address of the other side, for messages} */
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

  /** {@return the handler of Netty's events} */
  ChannelInboundHandlerAdapter events() {
    return new Events();
  }

  private final class Events extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      channel = context.channel();
      if (channel.pipeline().get(SslHandler.class) == null) {
        channel.config().setRecvByteBufAllocator(new InPlaceReceiver(reader::place));
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
                    + Transport.reason(cause)
                    + ", expected=to stay open, at="
                    + context.channel().remoteAddress(),
                cause);
      }
      context.close();
    }
  }
}
