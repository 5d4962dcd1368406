package org.hyperslab.mpiio.comm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.hyperslab.error.MpiException;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.mpiio.waiting.Ticker;

/**
 * The messages from one rank to another on one communicator: sends without a matching receive, and
 * receives without a matching send. For each tag at most one of the two queues is not empty.
 *
 * <p>Thread rule: the queues are guarded by this; a matched pair belongs to the thread that matched
 * it.
 */
final class MessageQueue {

  private static final long HEAP_COPY_BYTES = 1 << 24;

  private final ArrayDeque<Sending> sendings = new ArrayDeque<>();
  private final ArrayDeque<Receiving> receivings = new ArrayDeque<>();

  /** One end of a message, and the thread that waits for it. */
  abstract static sealed class End {
    final int tag;
    private volatile boolean done;
    private Ticker ticker;
    private volatile Thread waiter;

    End(int tag) {
      this.tag = tag;
    }

    boolean isDone() {
      return done;
    }

    void complete() {
      done = true;
      wake();
    }

    void wake() {
      Thread waits = waiter;
      if (waits != null) {
        ticker.unpark(waits);
      }
    }

    void waitedForBy(Thread thread, Ticker time) {
      ticker = time;
      waiter = thread;
    }
  }

  /** A message on its way. */
  static final class Sending extends End {
    final long bytes;
    private MemorySegment data;

    Sending(MemorySegment data, int tag) {
      super(tag);
      this.data = data;
      this.bytes = data.byteSize();
    }

    /**
     * Makes the data accessible to the receiver; completes the send at once if this makes a copy.
     */
    private void detach() {
      if (bytes <= ThreadWorld.EAGER_BYTES || !SharedMemory.isShared(data)) {
        copyAway();
      }
    }

    private void copyAway() {
      data = shareable(data);
      complete();
    }
  }

  /** A receive: the memory for a message. */
  static final class Receiving extends End {
    final MemorySegment into;

    /** A message that only the receiver's own thread can copy, because {@code into} is confined. */
    private volatile Sending handed;

    private volatile long bytes;
    private volatile String problem;

    Receiving(MemorySegment into, int tag) {
      super(tag);
      this.into = into;
    }

    /** Returns whether {@link #finish} would not wait. */
    boolean isReady() {
      return isDone() || handed != null;
    }

    /** Returns the number of bytes received. Call only when ready. */
    long finish(int rank, String call) {
      Sending late = handed;
      if (late != null && !isDone()) {
        take(late);
      }
      if (problem != null) {
        throw new MpiException(call, rank, MpiException.NO_CODE, problem);
      }
      return bytes;
    }

    private void take(Sending sending) {
      if (sending.bytes > into.byteSize()) {
        problem =
            "message truncated: actual="
                + sending.bytes
                + " bytes, expected=at most "
                + into.byteSize()
                + ", tag "
                + tag;
      } else {
        MemorySegment.copy(sending.data, 0, into, 0, sending.bytes);
        bytes = sending.bytes;
      }
      sending.complete();
      complete();
    }

    private void hand(Sending sending) {
      if (into.isAccessibleBy(Thread.currentThread())) {
        take(sending);
      } else {
        // Its owner may be sending to this rank now: the message must not wait for it.
        sending.copyAway();
        handed = sending;
        wake();
      }
    }
  }

  /** Delivers a message to a waiting receive, or queues it. */
  void send(Sending sending) {
    Receiving receiving;
    synchronized (this) {
      receiving = first(receivings, sending.tag);
      if (receiving == null) {
        sending.detach();
        sendings.add(sending);
      }
    }
    if (receiving != null) {
      receiving.hand(sending);
    }
  }

  /** Receives a message that has been sent already, or queues the receive. */
  void receive(Receiving receiving) {
    Sending sending;
    synchronized (this) {
      sending = first(sendings, receiving.tag);
      if (sending == null) {
        receivings.add(receiving);
      }
    }
    if (sending != null) {
      receiving.take(sending);
    }
  }

  /**
   * Removes an end that has not met the other one, and completes it: nobody accesses its memory. A
   * send that has been copied is complete, and stays.
   */
  void withdraw(End end) {
    synchronized (this) {
      if (end.isDone() || !sendings.remove(end) && !receivings.remove(end)) {
        return;
      }
    }
    end.complete();
  }

  private static <E extends End> E first(ArrayDeque<E> queue, int tag) {
    for (Iterator<E> all = queue.iterator(); all.hasNext(); ) {
      E end = all.next();
      if (end.tag == tag) {
        all.remove();
        return end;
      }
    }
    return null;
  }

  /** Returns a copy that every thread may read. */
  private static MemorySegment shareable(MemorySegment data) {
    long bytes = data.byteSize();
    MemorySegment copy =
        bytes <= HEAP_COPY_BYTES
            ? MemorySegment.ofArray(new byte[(int) bytes])
            : Arena.ofAuto().allocate(bytes);
    return copy.copyFrom(data);
  }

  /** Returns the segment, or a copy if only its own thread may read it. */
  static MemorySegment reachable(MemorySegment data) {
    return SharedMemory.isShared(data) ? data : shareable(data);
  }
}
