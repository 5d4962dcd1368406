package org.hyperslab.format.store;

import java.lang.foreign.MemorySegment;

/**
 * Determines whether memory may be accessed by more than one thread.
 *
 * <p>A segment of a confined arena belongs to the thread that created it; code that passes work to
 * other threads must check this first, or the access fails there. The platform answers only for a
 * given thread; a thread that is never started represents all others.
 */
public final class SharedMemory {

  /** A thread that is never started. A segment that it may access is accessible to any thread. */
  private static final Thread STRANGER = Thread.ofPlatform().unstarted(() -> {});

  private SharedMemory() {}

  /**
   * {@return whether every thread may read and write a segment, regardless of its owner; this holds
   * for heap segments and those of shared, automatic and global arenas} Safe for use by any thread.
   *
   * @param segment the memory
   */
  public static boolean isShared(MemorySegment segment) {
    return segment.isAccessibleBy(STRANGER);
  }
}
