package org.hyperslab.mpiio.file;

import org.hyperslab.format.store.SharedMemory;

/**
 * A data access before its execution.
 *
 * @param write the direction
 * @param pointer the kind of position
 * @param collective whether all ranks take part; by the shared pointer that means in rank order
 * @param offset the explicit offset in etypes; else 0
 * @param buffer the memory
 */
public record Transfer(
    boolean write, Pointer pointer, boolean collective, long offset, MemoryBuffer buffer) {

  /** The kinds of position in the view at which an access begins. */
  public enum Pointer {
    /** At an offset that the call names. */
    EXPLICIT,
    /** At the rank's own file pointer. */
    INDIVIDUAL,
    /** At the shared file pointer. */
    SHARED
  }

  /**
   * {@return an access at an offset}
   *
   * @param write whether the file is written
   * @param collective whether all ranks make the access
   * @param offset the offset in the view, in etypes
   * @param buffer the memory of the elements
   */
  public static Transfer at(boolean write, boolean collective, long offset, MemoryBuffer buffer) {
    return new Transfer(write, Pointer.EXPLICIT, collective, offset, buffer);
  }

  /**
   * {@return an access at the rank's own file pointer}
   *
   * @param write whether the file is written
   * @param collective whether all ranks make the access
   * @param buffer the memory of the elements
   */
  public static Transfer here(boolean write, boolean collective, MemoryBuffer buffer) {
    return new Transfer(write, Pointer.INDIVIDUAL, collective, 0, buffer);
  }

  /**
   * {@return an access at the shared file pointer}
   *
   * @param write whether the file is written
   * @param ordered whether ranks access in the order of their numbers
   * @param buffer the memory of the elements
   */
  public static Transfer shared(boolean write, boolean ordered, MemoryBuffer buffer) {
    return new Transfer(write, Pointer.SHARED, ordered, 0, buffer);
  }

  /** {@return the routine's name, for messages} */
  public String name() {
    String kind =
        switch (pointer) {
          case EXPLICIT -> collective ? "AtAll" : "At";
          case INDIVIDUAL -> collective ? "All" : "";
          case SHARED -> collective ? "Ordered" : "Shared";
        };
    return (write ? "write" : "read") + kind;
  }

  /**
   * {@return whether other threads may access the memory, which they may not if its arena is
   * confined}
   */
  public boolean reachable() {
    return SharedMemory.isShared(buffer.memory());
  }
}
