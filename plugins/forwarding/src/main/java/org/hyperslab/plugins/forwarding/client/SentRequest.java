package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TrackedFuture;

/**
 * A request without a reply. Its payload is kept until the server has replied, so that it can be
 * sent again.
 *
 * <p>Thread rule: guarded by the lock of the {@link ServerLink}, except where stated.
 *
 * @param <R> the result of the operation
 */
final class SentRequest<R> {

  /** An operation without effect, which is sent again in place of an abandoned one. */
  private static final EncodedMessage NOTHING =
      OperationCodec.encode(new FileOperation.Exists(new Handle(1), "given up"));

  final Operation<R> operation;
  final int flags;
  final long bytes;
  final List<Lease> copies;
  final long deadline;
  final Result<R> result;

  private EncodedMessage encoded;

  /** The future in which the caller sees a failure. */
  TrackedFuture<?> owner;

  long sequence;

  /**
   * Whether the caller has an answer, so that the caller's buffers must not be used; not guarded.
   */
  volatile boolean answered;

  /** Whether the request was cancelled or timed out. */
  boolean givenUp;

  /** Whether the request need not be sent again, so that its copies may be released. */
  boolean finished;

  /** The number of connections that are using the request's buffers; not guarded. */
  final AtomicInteger busy = new AtomicInteger();

  /** Whether the reply is being received in the caller's buffer. */
  boolean receivesInPlace;

  /** The memory for the reply's payload, unless it is received in the caller's buffer. */
  Lease reply;

  /**
   * The caller's future. After it has been cancelled, the caller's buffers are not used any more.
   */
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

  SentRequest(
      Operation<R> operation,
      RequestEncoder.Request request,
      int flags,
      long deadline,
      Consumer<SentRequest<R>> giveUp) {
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

  /** Drops the references to the caller's buffers. */
  void dropBuffers() {
    givenUp = true;
    encoded = NOTHING;
  }

  Frame frame(long acknowledged) {
    List<MemorySegment> payload = encoded.payload();
    return new Frame(FrameType.REQUEST, flags, sequence, acknowledged, encoded.control(), payload);
  }
}
