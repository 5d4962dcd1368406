package org.hyperslab.mpiio.declared;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.PutWindow;

/**
 * Keeps a window of a communicator open between declarations, because opening one costs a gather, a
 * reduction, and memory that nobody has touched. It is lent to one declaration at a time; another
 * one meanwhile opens a window of its own.
 *
 * <p>Every rank knows how much memory each rank needs and has, so all decide alike without a
 * message. The epochs of a declaration begin behind all those of earlier ones, so that its numbers
 * still only grow. A declaration returns the window when all ranks have agreed that everything is
 * in the file: nobody puts bytes any more then, and the next puts follow a gather of all ranks.
 *
 * <p>Thread rule: one thread, the communicator's.
 */
final class KeptWindow implements AutoCloseable {

  private PutWindow kept;
  private long[] bytes;
  private long epochs;
  private boolean lent;

  /**
   * Lends a window of ranks that reach each other's memory; collective, with the same outcome on
   * all ranks.
   *
   * @param comm the ranks
   * @param wanted the length of each rank's memory
   * @param count how many epochs the borrower uses at most
   * @return the window, to be closed by the borrower when all ranks have agreed to have finished,
   *     or given up; empty as in {@link PutWindow#direct}
   */
  Optional<PutWindow> lend(Communicator comm, long[] wanted, long count) {
    if (lent) {
      return PutWindow.direct(comm, wanted[comm.rank()]);
    }
    if (!suffices(wanted)) {
      close();
      kept = PutWindow.direct(comm, wanted[comm.rank()]).orElse(null);
      bytes = wanted;
      epochs = 0;
    }
    if (kept == null) {
      return Optional.empty();
    }
    lent = true;
    Loan loan = new Loan(kept, epochs);
    epochs += count;
    return Optional.of(loan);
  }

  private boolean suffices(long[] wanted) {
    if (kept == null) {
      return false;
    }
    for (int rank = 0; rank < wanted.length; rank++) {
      if (wanted[rank] > bytes[rank]) {
        return false;
      }
    }
    return true;
  }

  /** Ends the use of the window, which must not be lent any more. */
  @Override
  public void close() {
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }

  /** The window for one declaration, whose epochs count from 0. */
  private final class Loan implements PutWindow {
    private final PutWindow window;
    private final long first;
    private boolean returned;

    Loan(PutWindow window, long first) {
      this.window = window;
      this.first = first;
    }

    @Override
    public MemorySegment own() {
      return window.own();
    }

    @Override
    public void put(int target, long at, MemorySegment data) {
      window.put(target, at, data);
    }

    @Override
    public void fence(int target, long epoch) {
      window.fence(target, first + epoch);
    }

    @Override
    public long fenced(int source) {
      return Math.max(-1, window.fenced(source) - first);
    }

    @Override
    public void expose(long epoch) {
      window.expose(first + epoch);
    }

    @Override
    public long exposed(int target) {
      return Math.max(-1, window.exposed(target) - first);
    }

    @Override
    public String describe() {
      return window.describe();
    }

    /** Returns the window. */
    @Override
    public void close() {
      if (!returned) {
        returned = true;
        lent = false;
      }
    }

    /** Other ranks may put bytes into the window still, so it is not lent again. */
    @Override
    public void giveUp() {
      if (!returned) {
        close();
        KeptWindow.this.close();
      }
    }
  }
}
