package org.hyperslab.mpiio.pointer;

/**
 * A component for the shared file pointer, in etypes of the view. It is {@link MemoryPointer} if
 * all ranks are in one JVM; {@link MappedPointer} if they are processes of one node; {@link
 * LockedFilePointer}, a number in a hidden file beside the file; {@link PointerClient}, a number
 * that a helper owns; {@link IndividualLog}, in which each rank records its writes with their times
 * until the next collective call.
 *
 * <p>Thread rule: safe.
 */
public sealed interface SharedFilePointer
    permits MemoryPointer,
        MappedPointer,
        LockedFilePointer,
        PointerClient,
        IndividualLog,
        UnavailablePointer {

  /** {@return the component's name in the hint {@code sharedfp}} */
  String name();

  /** {@return the position} */
  long get();

  /**
   * Moves the pointer; called by one rank while the others wait.
   *
   * @param etypes the number of etypes
   */
  void set(long etypes);

  /**
   * Advances the pointer by some etypes.
   *
   * @param etypes the number of etypes
   * @return the previous position in etypes of the view
   */
  long take(long etypes);

  /**
   * Limits how long calls wait for another rank.
   *
   * @param nanos the time in nanoseconds; {@link Long#MAX_VALUE} for no limit
   */
  default void limit(long nanos) {}

  /** Frees the resources of this rank; called after a barrier. */
  void close();
}
