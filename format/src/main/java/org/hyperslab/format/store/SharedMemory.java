package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;

/**
 * Whether memory may be touched by more threads than one.
 *
 * <p>A segment of a confined arena belongs to the thread that made it; whoever hands work to other
 * threads must know this first, or the copy fails there. The platform answers only for a given
 * thread, so a thread that owns nothing stands for all others.
 */
public final class SharedMemory {

  /** Never started: a segment that it may reach, any thread may. */
  private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

  private SharedMemory() {}

  /**
   * {@return whether every thread may read and write a segment, as far as its owner goes; heap
   * segments and those of shared, automatic and global arenas are such} Safe for use by any thread.
   *
   * @param segment the memory asked about
   */
  public static boolean isShared(MemorySegment segment) {
    return segment.isAccessibleBy(STRANGER);
  }
}
