package org.hyperslab.mpiio.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.hyperslab.error.MpiException;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;

/**
 * Exchanges notices of started collective accesses: each rank sends the name of the access to every
 * other rank. The n-th message from a rank belongs to the n-th access.
 *
 * <p>Thread rule: one thread at a time, the communicator's.
 */
final class StartNotices {

  private static final int TAG = 1;
  private static final int BYTES = 32;

  private final Communicator comm;
  private final byte[] mine;
  private final List<Request> sends = new ArrayList<>();
  private final List<Coming> missing = new ArrayList<>();

  /** A notice that has not come. */
  private record Coming(int source, Request request, byte[] bytes) {}

  private StartNotices(Communicator comm, String call) {
    this.comm = comm;
    this.mine = Arrays.copyOf(call.getBytes(UTF_8), BYTES);
  }

  /** Tells the other ranks that this one has started an access, without waiting. */
  static StartNotices exchange(Communicator comm, String call) {
    StartNotices notices = new StartNotices(comm, call);
    for (int step = 1; step < comm.size(); step++) {
      int source = Math.floorMod(comm.rank() - step, comm.size());
      byte[] bytes = new byte[BYTES];
      Request receive = comm.startReceive(MemorySegment.ofArray(bytes), source, TAG);
      notices.missing.add(new Coming(source, receive, bytes));
    }
    for (int step = 1; step < comm.size(); step++) {
      int destination = (comm.rank() + step) % comm.size();
      notices.sends.add(comm.startSend(MemorySegment.ofArray(notices.mine), destination, TAG));
    }
    return notices;
  }

  /**
   * Returns whether all ranks have started the access.
   *
   * @throws MpiException if one has started another
   */
  boolean allArrived() {
    sends.removeIf(Request::test);
    for (Iterator<Coming> all = missing.iterator(); all.hasNext(); ) {
      Coming coming = all.next();
      if (coming.request.test()) {
        all.remove();
        requireSame(coming);
      }
    }
    return missing.isEmpty();
  }

  private void requireSame(Coming coming) {
    if (!Arrays.equals(coming.bytes, mine)) {
      throw new MpiException(
          "started access",
          comm.rank(),
          MpiException.NO_CODE,
          "actual=ranks differ: rank "
              + coming.source
              + ": "
              + text(coming.bytes)
              + "; rank "
              + comm.rank()
              + ": "
              + text(mine)
              + ", expected=the same call on all "
              + comm.size()
              + " ranks");
    }
  }

  private static String text(byte[] notice) {
    return new String(notice, UTF_8).trim();
  }

  /** Returns the ranks from which no message has come, ascending. */
  List<Integer> missing() {
    return missing.stream().map(Coming::source).sorted().toList();
  }
}
