package org.hyperslab.mpiio.comm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Memory of ranks into which other ranks put bytes without any action of the owner. Each rank that
 * opens a window with some bytes owns a part of it, its target.
 *
 * <p>Puts are divided into epochs, which count from 0 for each target. An owner exposes its memory
 * for epochs up to a number; a rank that puts bytes says by a fence which epoch it has completed.
 * Both numbers only grow, and everyone sees them without a message. So an owner that has
 * {@linkplain #fenced seen} a rank's fence sees its bytes, and a rank that has {@linkplain #exposed
 * seen} an exposure may overwrite what earlier epochs have put.
 *
 * <p>Thread rule: one thread at a time for each rank; the owner's {@link #own own memory} may be
 * read by any thread that the first one has notified.
 */
public interface PutWindow extends AutoCloseable {

  /**
   * Opens a window of ranks that reach each other's memory; collective, with the same outcome on
   * all ranks.
   *
   * @param comm the ranks
   * @param bytes the length of this rank's memory; 0 for none
   * @return the window; empty if ranks are on several nodes, or one has no memory for it
   */
  static Optional<PutWindow> direct(Communicator comm, long bytes) {
    return PutWindows.direct(comm, bytes);
  }

  /**
   * Opens a window of the MPI library, whose ranks may be on several nodes; collective, with the
   * same outcome on all ranks.
   *
   * @param comm the ranks
   * @param bytes the length of this rank's memory; 0 for none
   * @return the window; empty if ranks are no processes of an MPI job, there is only one, or the
   *     library has no one-sided communication
   */
  static Optional<PutWindow> ofLibrary(Communicator comm, long bytes) {
    return comm.libraryWindow(bytes);
  }

  /** {@return the memory of this rank, into which others put; of length 0 if it has none} */
  MemorySegment own();

  /**
   * Puts bytes into the memory of a rank. They are there when the owner sees the next {@link
   * #fence}; {@code data} may be changed when this returns.
   *
   * @param target the rank, which may be this one
   * @param at the offset of the first byte in the target's memory
   * @param data the bytes
   */
  void put(int target, long at, MemorySegment data);

  /**
   * Completes this rank's puts to a target, and states that it makes none in epochs up to a number.
   *
   * @param target the rank, which may be this one
   * @param epoch the last of the completed epochs, above those of earlier fences
   */
  void fence(int target, long epoch);

  /**
   * {@return the last epoch of this rank's own memory that a rank has completed; -1 if none}
   *
   * @param source the rank that puts
   */
  long fenced(int source);

  /**
   * Lets other ranks put bytes into this rank's memory in epochs up to a number.
   *
   * @param epoch the last of the epochs, above those of earlier calls
   */
  void expose(long epoch);

  /**
   * {@return the last epoch for which a rank has exposed its memory; -1 if none}
   *
   * @param target the rank
   */
  long exposed(int target);

  /** {@return how bytes travel, for display} */
  String describe();

  /**
   * Frees the memory when all ranks have closed the window, or given it up. No rank may put bytes
   * into it any more. Closing again does nothing.
   *
   * <p>Collective for a {@linkplain #ofLibrary window of the library}, whose ranks wait for each
   * other, at most as long as {@link Communicator#limit} says. If a rank does not come, or has been
   * given up before, the memory is not freed.
   *
   * @throws org.hyperslab.error.MpiException if a rank has not come in time
   */
  @Override
  void close();

  /**
   * Ends this rank's use of the window, in which it neither puts nor reads bytes any more, although
   * other ranks may still do so. The memory is freed when all ranks have closed the window or given
   * it up; that of a {@linkplain #ofLibrary window of the library} is not.
   */
  void giveUp();
}
