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
record Transfer(
    boolean write, Pointer pointer, boolean collective, long offset, MemoryBuffer buffer) {

  /** The kinds of position in the view at which an access begins. */
  enum Pointer {
    EXPLICIT,
    INDIVIDUAL,
    SHARED
  }

  static Transfer at(boolean write, boolean collective, long offset, MemoryBuffer buffer) {
    return new Transfer(write, Pointer.EXPLICIT, collective, offset, buffer);
  }

  static Transfer here(boolean write, boolean collective, MemoryBuffer buffer) {
    return new Transfer(write, Pointer.INDIVIDUAL, collective, 0, buffer);
  }

  static Transfer shared(boolean write, boolean ordered, MemoryBuffer buffer) {
    return new Transfer(write, Pointer.SHARED, ordered, 0, buffer);
  }

  /** Returns the routine's name, for messages. */
  String name() {
    String kind =
        switch (pointer) {
          case EXPLICIT -> collective ? "AtAll" : "At";
          case INDIVIDUAL -> collective ? "All" : "";
          case SHARED -> collective ? "Ordered" : "Shared";
        };
    return (write ? "write" : "read") + kind;
  }

  /**
   * Returns whether other threads may access the memory, which they may not if its arena is
   * confined.
   */
  boolean reachable() {
    return SharedMemory.isShared(buffer.memory());
  }
}
