package org.hyperslab.examples.flashio;

import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;

/**
 * The ranks of the mesh for which one thread or process writes and reads: its own rank if all work
 * at once, all ranks if they take turns.
 *
 * @param mesh the blocks of all ranks
 * @param first the first rank
 * @param end the rank after the last
 * @param transfer the transfer options: collective if all work at once
 * @param world the ranks that work at once, or null if they take turns
 */
record FlashPart(FlashMesh mesh, int first, int end, TransferOptions transfer, Communicator world) {

  /** Returns all ranks, which take turns. */
  static FlashPart inTurn(FlashMesh mesh) {
    return new FlashPart(mesh, 0, mesh.ranks(), TransferOptions.DEFAULT, null);
  }

  /** Returns the part of one rank of a job. */
  static FlashPart of(Communicator world) {
    return new FlashPart(
        new FlashMesh(world.size()),
        world.rank(),
        world.rank() + 1,
        TransferOptions.COLLECTIVE,
        world);
  }

  /** Returns the number of blocks of these ranks. */
  long blocks() {
    return (long) mesh.firstBlock(end) - mesh.firstBlock(first);
  }

  /** Returns the time on the clock after a barrier. */
  long startNanos() {
    if (world != null) {
      world.barrier();
    }
    return System.nanoTime();
  }

  /** Returns the longest time of all ranks. */
  long slowestNanos(long nanos) {
    long[] most = {nanos};
    if (world != null) {
      world.allReduce(most, Reduction.MAX);
    }
    return most[0];
  }
}
