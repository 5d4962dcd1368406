package org.hyperslab.mpiio.waiting;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the collective calls that this process has begun on one MPI communicator. The ranks of a
 * communicator make the same calls in the same order, so the count shows whether a rank has reached
 * a call that another rank has begun.
 *
 * <p>A communicator's path is the same on all its ranks: the world's path is empty, and the k-th
 * communicator derived from another has that one's path followed by k.
 *
 * <p>Thread rule: safe.
 */
public final class CallCounts {

  /** The open communicators of a process, by path. */
  public static final class Table {
    private final Map<List<Integer>, CallCounts> open = new ConcurrentHashMap<>();

    /** Creates an empty table. */
    public Table() {}

    /** {@return the counts of the world} */
    public CallCounts world() {
      return open.computeIfAbsent(List.of(), path -> new CallCounts(this, path));
    }

    /**
     * Tests whether this process has not begun a call.
     *
     * @param question the bytes that {@link CallCounts#question} returned on another rank
     */
    boolean misses(byte[] question) {
      ByteBuffer bytes = ByteBuffer.wrap(question);
      long call = bytes.getLong();
      Integer[] path = new Integer[bytes.remaining() / Integer.BYTES];
      Arrays.setAll(path, i -> bytes.getInt());
      return call == ANY_CALL || misses(call, List.of(path));
    }

    private boolean misses(long call, List<Integer> path) {
      CallCounts counts = open.get(path);
      if (counts != null) {
        return counts.calls.get() < call;
      }
      for (int depth = path.size() - 1; depth >= 0; depth--) {
        CallCounts ancestor = open.get(path.subList(0, depth));
        if (ancestor != null) {
          // A derived communicator that is absent has been closed, after all its calls.
          return ancestor.derived.get() <= path.get(depth);
        }
      }
      return false;
    }
  }

  /** The call number in a question about a message that the rank should have sent. */
  private static final long ANY_CALL = -1;

  private final Table table;
  private final List<Integer> path;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicInteger derived = new AtomicInteger();

  private CallCounts(Table table, List<Integer> path) {
    this.table = table;
    this.path = path;
  }

  /** Counts a new collective call and returns its number, from 1. */
  long begin() {
    return calls.incrementAndGet();
  }

  /**
   * {@return the counts of a new communicator derived from this one} All its ranks must call this.
   */
  public CallCounts derive() {
    Integer[] longer = path.toArray(new Integer[path.size() + 1]);
    longer[path.size()] = derived.getAndIncrement();
    return table.open.computeIfAbsent(List.of(longer), p -> new CallCounts(table, p));
  }

  /** Removes a communicator that is closed. */
  public void close() {
    if (!path.isEmpty()) {
      table.open.remove(path);
    }
  }

  /** Returns the question to a rank of this communicator whether it has not begun a call. */
  byte[] question(long call) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + Integer.BYTES * path.size());
    bytes.putLong(call);
    path.forEach(bytes::putInt);
    return bytes.array();
  }

  /** Returns the question to any rank whether it has ended, and so will not send a message. */
  static byte[] questionOfMessage() {
    return ByteBuffer.allocate(Long.BYTES).putLong(ANY_CALL).array();
  }
}
