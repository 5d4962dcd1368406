package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hyperslab.plugins.codec.Encoded;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.memory.BufferPool;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.passthrough.TrackedFuture;

/**
 * An operation that is on its way. Its payload is kept until the server has replied, so that it can
 * be sent again.
 *
 * <p>Thread rule: guarded by the lock of its {@link ServerLink}, but for what says otherwise.
 */
final class Pending<R> {

  /** What is sent again in place of an operation that was given up: it asks for nothing. */
  private static final Encoded NOTHING =
      OperationCodec.encode(new FileOperation.Exists(new Handle(1), "given up"));

  final Operation<R> operation;
  final int flags;
  final long bytes;
  final List<BufferPool.Buffer> copies;
  final long deadline;
  final Result<R> result;

  private Encoded encoded;

  /** Where the caller sees a failure. */
  TrackedFuture<?> owner;

  long sequence;

  /** The caller has its answer: the buffers are no longer ours. */
  volatile boolean answered;

  /** It was cancelled, or took too long. */
  boolean givenUp;

  /** How many threads of the network use the caller's buffers at this moment; not guarded. */
  final AtomicInteger busy = new AtomicInteger();

  /** The reply is being received in the caller's buffer. */
  boolean receivesInPlace;

  /** Where the reply's payload is being received, if that is not the caller's buffer. */
  BufferPool.Buffer reply;

  /** The caller's future; cancelling it gives the caller's buffers back before it returns. */
  static final class Result<R> extends TrackedFuture<R> {
    private final Consumer<Result<R>> giveUp;

    private Result(Consumer<Result<R>> giveUp) {
      this.giveUp = giveUp;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      if (!isDone()) {
        giveUp.accept(this);
      }
      return super.cancel(mayInterruptIfRunning);
    }
  }

  Pending(
      Operation<R> operation,
      RequestEncoder.Request request,
      int flags,
      long deadline,
      Consumer<Pending<R>> giveUp) {
    this.operation = operation;
    this.encoded = request.encoded();
    this.flags = flags;
    this.bytes = encoded.payloadBytes();
    this.copies = request.copies();
    this.deadline = deadline;
    this.result = new Result<>(cancelled -> giveUp.accept(this));
  }

  boolean isBusy() {
    return busy.get() > 0;
  }

  /** From now on nothing refers to the caller's buffers. */
  void letGo() {
    givenUp = true;
    encoded = NOTHING;
  }

  Frame frame(long acknowledged) {
    List<MemorySegment> payload = encoded.payload();
    return new Frame(FrameType.REQUEST, flags, sequence, acknowledged, encoded.control(), payload);
  }
}
