package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.declared.AggregationPlan.Part;

/** Sends parts as messages, which are received at their places; an abandoned part is empty. */
final class MessageTransport implements PartTransport {

  private final Communicator comm;
  private final int tag;
  private final AggregationPlan plan;
  private final BufferPool pool = new BufferPool(0);

  /** Null if this rank collects nothing. */
  private final RoundBuffers buffers;

  /**
   * Allocates the buffers of an aggregator. Collective: if one has no memory, all ranks fail.
   *
   * @throws HyperslabException on every rank if one has no memory
   */
  MessageTransport(RoundBuffers.Collected collected, AggregationPlan plan) {
    this.comm = collected.comm();
    this.tag = collected.tag();
    this.plan = plan;
    int partition = plan.partitionOf(comm.rank());
    int rounds = partition < 0 ? 0 : Math.min(RoundBuffers.BUFFERS, plan.rounds(partition));
    long roundBytes = rounds == 0 ? 0 : plan.bufferBytes(partition);
    Lease lease = leased(rounds == 0 ? -1 : rounds * roundBytes);
    this.buffers =
        rounds == 0 ? null : new RoundBuffers(collected, plan, partition, lease, roundBytes);
  }

  private Lease leased(long bytes) {
    Lease lease = null;
    HyperslabException refused = null;
    try {
      lease = bytes < 0 ? null : pool.take(bytes);
    } catch (OutOfMemoryError | IllegalArgumentException e) {
      OutOfMemoryError memory = new OutOfMemoryError(bytes + " bytes");
      memory.initCause(e);
      refused = SharedFailure.typed(memory, "declared writes");
    }
    try {
      SharedFailure.throwIfAny(comm, refused);
      return lease;
    } catch (HyperslabException shared) {
      if (lease != null) {
        lease.close();
      }
      throw shared;
    }
  }

  @Override
  public Sending start(Part part, MemorySegment data) {
    int aggregator = plan.aggregator(part.partition());
    if (aggregator == comm.rank()) {
      return new Own(part, data);
    }
    MemorySegment sent = data == null ? MemorySegment.ofArray(new byte[0]) : data;
    return new Sent(comm.startSend(sent, aggregator, tag), aggregator);
  }

  private record Sent(Request request, int aggregator) implements Sending {
    @Override
    public boolean test() {
      return request.test();
    }

    @Override
    public Collection<Integer> awaitedRanks() {
      return List.of(aggregator);
    }

    @Override
    public void giveUp() {
      Request.giveUp(List.of(request), () -> {});
    }
  }

  /** A part of this rank for itself, which waits for a buffer. */
  private final class Own implements Sending {
    private final Part part;
    private final MemorySegment data;
    private boolean put;

    Own(Part part, MemorySegment data) {
      this.part = part;
      this.data = data;
    }

    @Override
    public boolean test() {
      put = put || buffers.put(part, data);
      return put;
    }

    @Override
    public Collection<Integer> awaitedRanks() {
      return buffers.awaitedRanks();
    }
  }

  @Override
  public boolean advance() {
    return buffers != null && buffers.advance();
  }

  @Override
  public boolean isWriting() {
    return buffers != null && buffers.isWriting();
  }

  @Override
  public boolean isDone() {
    return buffers == null || buffers.isDone();
  }

  @Override
  public Collection<Integer> awaitedRanks() {
    return buffers == null ? List.of() : buffers.awaitedRanks();
  }

  @Override
  public HyperslabException failure() {
    return buffers == null ? null : buffers.failure();
  }

  @Override
  public long leasedBytes() {
    return pool.lentBytes();
  }

  @Override
  public long peakBytes() {
    return pool.peakBytes();
  }

  @Override
  public String describe() {
    return "by messages";
  }

  @Override
  public void close(boolean together) {
    if (buffers != null) {
      buffers.close();
    }
    pool.close();
  }
}
