package org.hyperslab.mpiio.collective;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.store.NativeAccess;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.driver.MemoryGate;

/**
 * Describes a rank's access in a collective to other threads of the process.
 *
 * @param file its extents
 * @param memory its memory, which a thread may touch after entering the gate
 * @param gate closed when the rank leaves the collective
 */
record RankAccess(ExtentRuns file, MemoryExtents memory, MemoryGate gate) {

  /**
   * Makes memory of a confined arena accessible to other threads. It stays alive, because its owner
   * waits in the collective.
   *
   * @throws org.hyperslab.error.UnsupportedFeatureException if that needs native access, which is
   *     denied
   */
  static RankAccess of(ExtentRuns file, MemoryExtents memory) {
    return new RankAccess(file, reachable(memory), new MemoryGate());
  }

  private static MemoryExtents reachable(MemoryExtents memory) {
    MemorySegment base = memory.base();
    if (SharedMemory.isShared(base) || !base.isNative()) {
      return memory;
    }
    try {
      return memory.of(MemorySegment.ofAddress(base.address()).reinterpret(base.byteSize()));
    } catch (IllegalCallerException denied) {
      throw NativeAccess.denied("memory of a confined arena in a collective transfer", denied);
    }
  }
}
