package org.hyperslab.plugins.mpiio.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.codec.DecodeLimits;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.codec.TransferParts;
import org.hyperslab.plugins.mpiio.agree.Agreement;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * Executes transfers that only rank 0's engine can make. The ranks send it the elements to write,
 * or request elements from it, one rank after the other, so that the highest rank's data prevail if
 * writes overlap. Elements travel in parts of at most a quarter of {@code cb_buffer_size}, not
 * counting out-of-line values, so that at most half of it is staged on a rank.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class RootTransfer {

  private static final int TAG = 4711;
  private static final Handle ANY = new Handle(0);
  private static final DecodeLimits LIMITS =
      new DecodeLimits(
          Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, DecodeLimits.DEFAULT.memory());

  private final Agreement agreement;
  private final Communicator comm;
  private final RootDataset root;
  private final DatasetView view;
  private final long partBytes;
  private final StagedBytes staged;

  /**
   * Creates transfers of a dataset.
   *
   * @param agreement keeps the ranks in step
   * @param root the dataset in the engine; null on all ranks but rank 0
   * @param bufferBytes the greatest number of bytes staged on a rank
   */
  public RootTransfer(
      Agreement agreement,
      RootDataset root,
      DatasetView view,
      long bufferBytes,
      StagedBytes staged) {
    this.view = view;
    this.partBytes = Math.max(1, bufferBytes / 4);
    this.staged = staged;
    this.agreement = agreement;
    this.comm = agreement.comm();
    this.root = root;
  }

  /**
   * Writes the elements of all ranks, and returns the snapshot of the dataset's storage afterwards.
   */
  public byte[] write(TransferPlan plan) {
    HyperslabException[] failure = new HyperslabException[1];
    if (root == null) {
      sendWrite(plan, failure);
    } else {
      if (plan.elements() > 0) {
        attempt(failure, () -> root.write(plan.transfer(), plan.buffer()));
      }
      for (int rank = 1; rank < comm.size(); rank++) {
        for (long left = receiveCount(rank); left > 0; left--) {
          EncodedMessage message = receive(rank);
          if (message != null && failure[0] == null) {
            attempt(failure, () -> writeFor(message));
          }
          given(message);
        }
      }
    }
    agreement.requireSuccess(failure[0]);
    return agreement.fromRoot(() -> {
      root.storage().settle();
      return root.snapshot();
    });
  }

  private void sendWrite(TransferPlan plan, HyperslabException[] failure) {
    List<Transfer> parts = parts(plan, failure);
    sendCount(parts.size());
    for (Transfer part : parts) {
      EncodedMessage[] message = new EncodedMessage[1];
      attempt(
          failure,
          () ->
              message[0] =
                  OperationCodec.encode(new DatasetOperation.Write(ANY, part, plan.buffer())));
      taken(message[0]);
      send(message[0], 0);
      given(message[0]);
    }
  }

  /** Returns the parts of a rank's transfer; none if they cannot be determined. */
  private List<Transfer> parts(TransferPlan plan, HyperslabException[] failure) {
    List<Transfer> parts = new ArrayList<>();
    if (plan.elements() > 0) {
      attempt(
          failure, () -> parts.addAll(TransferParts.of(plan.transfer(), view.extent(), partBytes)));
    }
    return parts;
  }

  private void sendCount(long count) {
    comm.send(MemorySegment.ofArray(new long[] {count}), 0, TAG);
  }

  private long receiveCount(int from) {
    long[] count = new long[1];
    comm.receive(MemorySegment.ofArray(count), from, TAG);
    return count[0];
  }

  private void taken(EncodedMessage message) {
    staged.add(message == null ? 0 : message.payloadBytes());
  }

  private void given(EncodedMessage message) {
    staged.add(message == null ? 0 : -message.payloadBytes());
  }

  private void writeFor(EncodedMessage message) {
    DatasetOperation.Write write = (DatasetOperation.Write) OperationCodec.decode(message, LIMITS);
    root.write(write.transfer(), write.source());
  }

  /** Reads for all ranks. */
  public void read(TransferPlan plan) {
    HyperslabException[] failure = new HyperslabException[1];
    if (root == null) {
      ask(plan, failure);
    } else {
      if (plan.elements() > 0) {
        attempt(failure, () -> root.read(plan.transfer(), plan.buffer()));
      }
      for (int rank = 1; rank < comm.size(); rank++) {
        for (long left = receiveCount(rank); left > 0; left--) {
          answer(rank, failure);
        }
      }
    }
    agreement.requireSuccess(failure[0]);
  }

  private void answer(int rank, HyperslabException[] failure) {
    EncodedMessage question = receive(rank);
    if (question != null) {
      EncodedMessage[] answer = new EncodedMessage[1];
      if (failure[0] == null) {
        attempt(failure, () -> answer[0] = readFor(question));
      }
      taken(answer[0]);
      send(answer[0], rank);
      given(answer[0]);
    }
    given(question);
  }

  private void ask(TransferPlan plan, HyperslabException[] failure) {
    List<Transfer> parts = parts(plan, failure);
    sendCount(parts.size());
    for (Transfer part : parts) {
      EncodedMessage[] question = new EncodedMessage[1];
      DatasetOperation.Read read = new DatasetOperation.Read(ANY, part, plan.buffer());
      attempt(failure, () -> question[0] = OperationCodec.encode(read));
      send(question[0], 0);
      EncodedMessage answer = question[0] == null ? null : receive(0);
      if (answer != null) {
        attempt(failure, () -> OperationCodec.decodeResult(read, answer));
      }
      given(answer);
    }
  }

  private EncodedMessage readFor(EncodedMessage question) {
    DatasetOperation.Read read = (DatasetOperation.Read) OperationCodec.decode(question, LIMITS);
    root.read(read.transfer(), read.target());
    return OperationCodec.encodeResult(read, null);
  }

  private static void attempt(HyperslabException[] failure, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      failure[0] = failure[0] == null ? SharedFailure.typed(e, "transfer by rank 0") : failure[0];
    }
  }

  /** Sends a message, or the information that there is none if it is null. */
  private void send(EncodedMessage message, int to) {
    long[] sizes = {
      message == null ? -1 : message.control().length, message == null ? 0 : message.payloadBytes()
    };
    comm.send(MemorySegment.ofArray(sizes), to, TAG);
    if (message != null) {
      comm.send(MemorySegment.ofArray(message.control()), to, TAG);
      for (MemorySegment part : message.payload()) {
        if (part.byteSize() > 0) {
          comm.send(part, to, TAG);
        }
      }
    }
  }

  private EncodedMessage receive(int from) {
    long[] sizes = new long[2];
    comm.receive(MemorySegment.ofArray(sizes), from, TAG);
    if (sizes[0] < 0) {
      return null;
    }
    byte[] control = new byte[(int) sizes[0]];
    comm.receive(MemorySegment.ofArray(control), from, TAG);
    MemorySegment payload = LIMITS.memory().apply(sizes[1]);
    long at = 0;
    while (at < sizes[1]) {
      at += comm.receive(payload.asSlice(at), from, TAG);
    }
    EncodedMessage message = new EncodedMessage(control, List.of(payload));
    taken(message);
    return message;
  }
}
