package org.hyperslab.examples.flashio;

import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;

/**
 * The ranks of the mesh for whom one thread or process writes and reads: itself alone when all work
 * at once, everybody when the ranks take turns.
 *
 * @param mesh the blocks of all ranks
 * @param first the first rank
 * @param end behind the last rank
 * @param transfer how elements are moved: collectively when all work at once
 * @param world those who work at once, or null when the ranks take turns
 */
record FlashPart(FlashMesh mesh, int first, int end, TransferOptions transfer, Communicator world) {

  /** Everybody, in turn. */
  static FlashPart inTurn(FlashMesh mesh) {
    return new FlashPart(mesh, 0, mesh.ranks(), TransferOptions.DEFAULT, null);
  }

  /** Returns one rank among others that work at the same time. */
  static FlashPart of(Communicator world) {
    return new FlashPart(
        new FlashMesh(world.size()),
        world.rank(),
        world.rank() + 1,
        TransferOptions.COLLECTIVE,
        world);
  }

  /** Returns how many blocks these ranks have. */
  long blocks() {
    return (long) mesh.firstBlock(end) - mesh.firstBlock(first);
  }

  /** Returns the time on the clock once all are here. */
  long startNanos() {
    if (world != null) {
      world.barrier();
    }
    return System.nanoTime();
  }

  /** Returns the longest time of all. */
  long slowestNanos(long nanos) {
    long[] most = {nanos};
    if (world != null) {
      world.allReduce(most, Reduction.MAX);
    }
    return most[0];
  }
}
