package org.hyperslab.mpi;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.HyperslabException;

/**
 * The windows of a process that have not been freed, in the order of their opening. Ranks that have
 * given others up leave windows open, because freeing waits for all ranks; but MPICH ends a process
 * with an error if a window is open when MPI is finalised.
 *
 * <p>Thread rule: safe.
 */
final class OpenWindows {

  private final List<MpiWindow> open = new ArrayList<>();

  synchronized void add(MpiWindow window) {
    open.add(window);
  }

  synchronized void remove(MpiWindow window) {
    open.remove(window);
  }

  /** Frees the windows, when all ranks end; they have the same ones open. */
  void close() {
    List<MpiWindow> left;
    synchronized (this) {
      left = List.copyOf(open);
    }
    try {
      left.forEach(MpiWindow::close);
    } catch (HyperslabException unfreed) {
      // A window that stays is no reason not to finalise MPI.
    }
  }
}
