package org.hyperslab.mpiio.file;

/**
 * The file pointer that all ranks share, in etypes of the view: one component of several. {@link
 * MemoryPointer}, where all ranks live in one JVM; {@link MappedPointer}, where they are processes
 * of one node; {@link LockedFilePointer}, a number in a hidden file beside the file; {@link
 * HelperPointer}, a number that one helper owns; {@link IndividualLog}, where each rank keeps what
 * it writes, with the time, until ranks meet.
 *
 * <p>Thread rule: safe.
 */
sealed interface SharedFilePointer
    permits MemoryPointer,
        MappedPointer,
        LockedFilePointer,
        HelperPointer,
        IndividualLog,
        AbsentPointer {

  /** Returns the component's name, as the hint {@code sharedfp} gives it. */
  String name();

  /** Returns where it is. */
  long get();

  /** Moves the pointer; called by one rank while the others wait. */
  void set(long etypes);

  /** Advances the pointer by some etypes and returns where it was. */
  long take(long etypes);

  /** Frees what this rank holds; called after a barrier. */
  void close();
}
