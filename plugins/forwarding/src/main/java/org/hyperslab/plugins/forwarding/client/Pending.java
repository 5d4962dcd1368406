package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.plugins.codec.Encoded;
import org.hyperslab.plugins.forwarding.wire.BufferPool;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.vol.Operation;

/**
 * An operation that is on its way. Its payload is kept until the server has replied, so that it can
 * be sent again.
 *
 * <p>Thread rule: guarded by the lock of its {@link ServerLink}, but for the future.
 */
final class Pending<R> {

  final Operation<R> operation;
  final Encoded encoded;
  final int flags;
  final long bytes;
  final List<BufferPool.Buffer> copies;
  final long deadline;
  final CompletableFuture<R> result = new CompletableFuture<>();

  long sequence;

  /** The caller has its answer: the buffers are no longer ours. */
  boolean answered;

  /** Where the reply's payload is being received, if that is not the caller's buffer. */
  BufferPool.Buffer reply;

  Pending(
      Operation<R> operation,
      Encoded encoded,
      int flags,
      List<BufferPool.Buffer> copies,
      long deadline) {
    this.operation = operation;
    this.encoded = encoded;
    this.flags = flags;
    this.bytes = encoded.payloadBytes();
    this.copies = copies;
    this.deadline = deadline;
  }

  Frame frame(long acknowledged) {
    List<MemorySegment> payload = encoded.payload();
    return new Frame(FrameType.REQUEST, flags, sequence, acknowledged, encoded.control(), payload);
  }
}
