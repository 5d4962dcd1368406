package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import org.hyperslab.mpi.MpiWindow;

/**
 * A window of the MPI library. Its memory is laid out as that of a {@link DirectWindow}; the
 * numbers are set and read by atomic calls of the library.
 *
 * <p>The library waits for all ranks without a limit when it frees a window. So the ranks meet
 * first, and if one does not come, the window is not freed.
 */
final class LibraryWindow implements PutWindow {

  private final Communicator comm;
  private final int rank;
  private final MpiWindow window;
  private final long headBytes;
  private final String text;
  private boolean closed;

  LibraryWindow(Communicator comm, MpiWindow window, long headBytes, String text) {
    this.comm = comm;
    this.rank = comm.rank();
    this.window = window;
    this.headBytes = headBytes;
    this.text = text;
  }

  @Override
  public MemorySegment own() {
    MemorySegment mine = window.memory();
    return mine.byteSize() == 0 ? mine : mine.asSlice(headBytes);
  }

  @Override
  public void put(int target, long at, MemorySegment data) {
    if (target == rank) {
      MemorySegment.copy(data, 0, own(), at, data.byteSize());
    } else {
      window.put(target, headBytes + at, data);
    }
  }

  @Override
  public void fence(int target, long epoch) {
    if (target == rank) {
      window.sync();
    } else {
      window.flush(target);
    }
    window.set(target, Long.BYTES * (1L + rank), epoch + 1);
  }

  @Override
  public long fenced(int source) {
    long completed = window.get(rank, Long.BYTES * (1L + source));
    window.sync();
    return completed - 1;
  }

  @Override
  public void expose(long epoch) {
    window.sync();
    window.set(rank, 0, epoch + 1);
  }

  @Override
  public long exposed(int target) {
    return window.get(target, 0) - 1;
  }

  @Override
  public String describe() {
    return text;
  }

  /** {@inheritDoc} MPI frees it only for all ranks together. */
  @Override
  public void giveUp() {
    closed = true;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (!comm.isLost()) {
      comm.barrier();
      window.close();
    }
  }
}
