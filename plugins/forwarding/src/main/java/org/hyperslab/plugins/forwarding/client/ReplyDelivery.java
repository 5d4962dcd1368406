package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.RawChunk;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.FrameType;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;

/**
 * Decodes replies and completes the futures of requests, in its own threads.
 *
 * <p>Thread rule: any thread.
 */
final class ReplyDelivery {

  private final Completions completions;
  private final LateFailures late;

  ReplyDelivery(Completions completions, LateFailures late) {
    this.completions = completions;
    this.late = late;
  }

  /**
   * Delivers an early reply: the server has received the request.
   *
   * @param request the request
   * @param answered whether the caller was already answered
   */
  void early(SentRequest<?> request, boolean answered) {
    if (!answered) {
      completions.add(request.result, () -> request.result.complete(null));
    }
  }

  /**
   * Delivers a reply.
   *
   * @param request the request
   * @param frame the reply
   * @param answered whether the caller was already answered
   */
  void reply(SentRequest<?> request, Frame frame, boolean answered) {
    if (frame.type() == FrameType.FAILURE) {
      fail(request, OperationCodec.decodeError(frame.control()), answered);
    } else {
      completions.add(request.result, () -> complete(request, frame, answered));
    }
  }

  /**
   * Delivers a failure for which there was no reply.
   *
   * @param request the request
   * @param failure the failure
   */
  void lost(SentRequest<?> request, HyperslabException failure) {
    completions.add(request.result, () -> request.result.completeExceptionally(failure));
  }

  /**
   * Records the failure at once, before a later flush can ask for it. A caller that was already
   * answered is not answered again: the earlier answer may still be on its way to the future.
   */
  private void fail(SentRequest<?> request, HyperslabException failure, boolean answered) {
    if (!request.givenUp) {
      late.failed(request.operation, failure, answered ? null : request.owner);
    }
    Lease reply = request.reply;
    completions.add(
        request.result,
        () -> {
          if (!answered) {
            request.result.completeExceptionally(failure);
          }
          if (reply != null) {
            reply.close();
          }
        });
  }

  private <R> void complete(SentRequest<R> request, Frame frame, boolean answered) {
    try {
      if (answered) {
        return;
      }
      EncodedMessage encoded = new EncodedMessage(frame.control(), frame.payload());
      R value = decoded(request.operation, encoded);
      Optional<HyperslabException> unseen = late.takeFor(request.operation);
      if (unseen.isPresent()) {
        request.result.completeExceptionally(unseen.get());
      } else {
        request.result.complete(detached(value));
      }
    } catch (RuntimeException e) {
      request.result.completeExceptionally(e);
    } finally {
      if (request.reply != null) {
        request.reply.close();
      }
    }
  }

  /**
   * Decodes a result. The replies to the parts of a divided read are decoded by several threads,
   * but their out-of-line values go to one heap.
   */
  private static <R> R decoded(Operation<R> operation, EncodedMessage encoded) {
    if (!OutOfLineReads.isOne(operation)) {
      return OperationCodec.decodeResult(operation, encoded);
    }
    VlenHeap heap = ((DatasetOperation.Read) operation).target().heap();
    synchronized (heap) {
      return OperationCodec.decodeResult(operation, encoded);
    }
  }

  /** Copies the bytes of a chunk, because their memory will be reused. */
  @SuppressWarnings("unchecked") // the same type is returned
  private static <R> R detached(R value) {
    if (value instanceof RawChunk chunk) {
      byte[] bytes = chunk.bytes().toArray(ValueLayout.JAVA_BYTE);
      return (R) new RawChunk(MemorySegment.ofArray(bytes), chunk.filterMask());
    }
    return value;
  }
}
