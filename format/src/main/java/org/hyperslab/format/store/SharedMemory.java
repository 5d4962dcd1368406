package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;

/**
 * Tells whether memory may be accessed by more than one thread.
 *
 * <p>A segment of a confined arena belongs to the thread that made it; code that hands work to
 * other threads must check this first, or the access fails there. The platform answers only for a
 * given thread; a thread that is never started represents all others.
 */
public final class SharedMemory {

  /** Never started. A segment that it may access, any thread may. */
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
